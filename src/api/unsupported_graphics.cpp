// Resources shared with graphics APIs.
#define ERROR cudaErrorInvalidResourceHandle
#include "api/unsupported.h"

#define WHY "no graphics API can share memory with this device"

extern "C" {

UNSUPPORTED(cudaGraphicsUnregisterResource, (cudaGraphicsResource_t))
UNSUPPORTED(cudaGraphicsResourceSetMapFlags, (cudaGraphicsResource_t, unsigned int))
UNSUPPORTED(cudaGraphicsMapResources, (int, cudaGraphicsResource_t*, cudaStream_t))
UNSUPPORTED(cudaGraphicsUnmapResources, (int, cudaGraphicsResource_t*, cudaStream_t))
UNSUPPORTED(cudaGraphicsResourceGetMappedPointer, (void**, size_t*, cudaGraphicsResource_t))
UNSUPPORTED(cudaGraphicsSubResourceGetMappedArray, (cudaArray_t*, cudaGraphicsResource_t, unsigned int, unsigned int))
UNSUPPORTED(cudaGraphicsResourceGetMappedMipmappedArray, (cudaMipmappedArray_t*, cudaGraphicsResource_t))
}
