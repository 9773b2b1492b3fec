/* Allocation, registration, and attributes of pointers. */
#ifndef REPRISE_API_MEMORY_H
#define REPRISE_API_MEMORY_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaMallocManaged(void** devPtr, size_t size,
                                          unsigned int flags REPRISE_DEFAULT(cudaMemAttachGlobal));
REPRISE_API cudaError_t cudaMalloc(void** devPtr, size_t size);
REPRISE_API cudaError_t cudaMallocHost(void** ptr, size_t size);
REPRISE_API cudaError_t cudaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height);
REPRISE_API cudaError_t cudaFree(void* devPtr);
REPRISE_API cudaError_t cudaFreeHost(void* ptr);
REPRISE_API cudaError_t cudaHostAlloc(void** pHost, size_t size, unsigned int flags);
REPRISE_API cudaError_t cudaHostRegister(void* ptr, size_t size, unsigned int flags);
REPRISE_API cudaError_t cudaHostUnregister(void* ptr);
REPRISE_API cudaError_t cudaHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags);
REPRISE_API cudaError_t cudaHostGetFlags(unsigned int* pFlags, void* pHost);
REPRISE_API cudaError_t cudaMalloc3D(struct cudaPitchedPtr* pitchedDevPtr, struct cudaExtent extent);
REPRISE_API cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
REPRISE_API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* ptr);

REPRISE_END_C

#endif /* REPRISE_API_MEMORY_H */
