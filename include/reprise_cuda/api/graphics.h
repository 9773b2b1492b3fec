/* Resources of graphics APIs. */
#ifndef REPRISE_API_GRAPHICS_H
#define REPRISE_API_GRAPHICS_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
REPRISE_API cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags);
REPRISE_API cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t* resources,
                                                 cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t* resources,
                                                   cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaGraphicsResourceGetMappedPointer(void** devPtr, size_t* size,
                                                             cudaGraphicsResource_t resource);
REPRISE_API cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t* array, cudaGraphicsResource_t resource,
                                                              unsigned int arrayIndex, unsigned int mipLevel);
REPRISE_API cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t* mipmappedArray,
                                                                    cudaGraphicsResource_t resource);

REPRISE_END_C

#endif /* REPRISE_API_GRAPHICS_H */
