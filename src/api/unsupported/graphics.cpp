// Refused calls: resources shared with graphics APIs.
#define ERROR cudaErrorInvalidResourceHandle
#include "api/unsupported/unsupported.h"

#define WHY "no graphics API can share memory with this device"

extern "C" {

UNSUPPORTED(cudaGraphicsUnregisterResource, (cudaGraphicsResource_t resource), (resource))
UNSUPPORTED(cudaGraphicsResourceSetMapFlags, (cudaGraphicsResource_t resource, unsigned int flags), (resource, flags))
UNSUPPORTED(cudaGraphicsMapResources, (int count, cudaGraphicsResource_t* resources, cudaStream_t stream),
            (count, resources, stream))
UNSUPPORTED(cudaGraphicsUnmapResources, (int count, cudaGraphicsResource_t* resources, cudaStream_t stream),
            (count, resources, stream))
UNSUPPORTED(cudaGraphicsResourceGetMappedPointer, (void** devPtr, size_t* size, cudaGraphicsResource_t resource),
            (devPtr, size, resource))
UNSUPPORTED(cudaGraphicsSubResourceGetMappedArray,
            (cudaArray_t * array, cudaGraphicsResource_t resource, unsigned int arrayIndex, unsigned int mipLevel),
            (array, resource, arrayIndex, mipLevel))
UNSUPPORTED(cudaGraphicsResourceGetMappedMipmappedArray,
            (cudaMipmappedArray_t * mipmappedArray, cudaGraphicsResource_t resource), (mipmappedArray, resource))
}
