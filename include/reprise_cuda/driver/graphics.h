/* Graphics interoperation of the driver API. */
#ifndef REPRISE_DRIVER_GRAPHICS_H
#define REPRISE_DRIVER_GRAPHICS_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource);
REPRISE_API CUresult cuGraphicsSubResourceGetMappedArray(CUarray* pArray, CUgraphicsResource resource,
                                                         unsigned int arrayIndex, unsigned int mipLevel);
REPRISE_API CUresult cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray* pMipmappedArray,
                                                               CUgraphicsResource resource);
REPRISE_API CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr* pDevPtr, size_t* pSize,
                                                        CUgraphicsResource resource);
REPRISE_API CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource, unsigned int flags);
REPRISE_API CUresult cuGraphicsMapResources(unsigned int count, CUgraphicsResource* resources, CUstream hStream);
REPRISE_API CUresult cuGraphicsUnmapResources(unsigned int count, CUgraphicsResource* resources, CUstream hStream);

REPRISE_END_C

#endif /* REPRISE_DRIVER_GRAPHICS_H */
