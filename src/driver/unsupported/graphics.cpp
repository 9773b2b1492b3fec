// Refused calls: resources shared with graphics APIs.
#include "driver/unsupported/unsupported.h"

#define WHY "no graphics API can share memory with this device"

extern "C" {

UNSUPPORTED(cuGraphicsUnregisterResource, (CUgraphicsResource resource), (resource))
UNSUPPORTED(cuGraphicsSubResourceGetMappedArray,
            (CUarray * pArray, CUgraphicsResource resource, unsigned int arrayIndex, unsigned int mipLevel),
            (pArray, resource, arrayIndex, mipLevel))
UNSUPPORTED(cuGraphicsResourceGetMappedMipmappedArray,
            (CUmipmappedArray * pMipmappedArray, CUgraphicsResource resource), (pMipmappedArray, resource))
UNSUPPORTED(cuGraphicsResourceGetMappedPointer, (CUdeviceptr * pDevPtr, size_t* pSize, CUgraphicsResource resource),
            (pDevPtr, pSize, resource))
UNSUPPORTED(cuGraphicsResourceSetMapFlags, (CUgraphicsResource resource, unsigned int flags), (resource, flags))
UNSUPPORTED_PTSZ(cuGraphicsMapResources, (unsigned int count, CUgraphicsResource* resources, CUstream hStream),
                 (count, resources, hStream))
UNSUPPORTED_PTSZ(cuGraphicsUnmapResources, (unsigned int count, CUgraphicsResource* resources, CUstream hStream),
                 (count, resources, hStream))
}
