/* Types of pointers to calls by version: graphics interoperation. */
#ifndef REPRISE_DRIVER_POINTERS_GRAPHICS_H
#define REPRISE_DRIVER_POINTERS_GRAPHICS_H

#include <cuda.h>

typedef CUresult (*PFN_cuGraphicsUnregisterResource_v3000)(CUgraphicsResource);
typedef CUresult (*PFN_cuGraphicsSubResourceGetMappedArray_v3000)(CUarray*, CUgraphicsResource, unsigned int,
                                                                  unsigned int);
typedef CUresult (*PFN_cuGraphicsResourceGetMappedMipmappedArray_v5000)(CUmipmappedArray*, CUgraphicsResource);
typedef CUresult (*PFN_cuGraphicsResourceGetMappedPointer_v3020)(CUdeviceptr_v2*, size_t*, CUgraphicsResource);
typedef CUresult (*PFN_cuGraphicsResourceSetMapFlags_v6050)(CUgraphicsResource, unsigned int);
typedef CUresult (*PFN_cuGraphicsMapResources_v7000_ptsz)(unsigned int, CUgraphicsResource*, CUstream);
typedef CUresult (*PFN_cuGraphicsUnmapResources_v7000_ptsz)(unsigned int, CUgraphicsResource*, CUstream);
typedef CUresult (*PFN_cuGraphicsMapResources_v3000)(unsigned int, CUgraphicsResource*, CUstream);
typedef CUresult (*PFN_cuGraphicsUnmapResources_v3000)(unsigned int, CUgraphicsResource*, CUstream);

#endif /* REPRISE_DRIVER_POINTERS_GRAPHICS_H */
