/* Stream-ordered allocation and the pools behind it. */
#ifndef REPRISE_API_MEMORY_POOL_H
#define REPRISE_API_MEMORY_POOL_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* memPool, int device);
REPRISE_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool);
REPRISE_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* memPool, int device);
REPRISE_API cudaError_t cudaMallocAsync(void** devPtr, size_t size, cudaStream_t hStream);
REPRISE_API cudaError_t cudaFreeAsync(void* devPtr, cudaStream_t hStream);
REPRISE_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep);
REPRISE_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void* value);
REPRISE_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void* value);
REPRISE_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc* descList,
                                             size_t count);
REPRISE_API cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t memPool,
                                             struct cudaMemLocation* location);
REPRISE_API cudaError_t cudaMemPoolCreate(cudaMemPool_t* memPool, const struct cudaMemPoolProps* poolProps);
REPRISE_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool);
REPRISE_API cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* memPool, struct cudaMemLocation* location,
                                                 enum cudaMemAllocationType type);
REPRISE_API cudaError_t cudaMemGetMemPool(cudaMemPool_t* memPool, struct cudaMemLocation* location,
                                          enum cudaMemAllocationType type);
REPRISE_API cudaError_t cudaMemSetMemPool(struct cudaMemLocation* location, enum cudaMemAllocationType type,
                                          cudaMemPool_t memPool);
REPRISE_API cudaError_t cudaMallocFromPoolAsync(void** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream);
REPRISE_API cudaError_t cudaMemPoolExportToShareableHandle(void* shareableHandle, cudaMemPool_t memPool,
                                                           enum cudaMemAllocationHandleType handleType,
                                                           unsigned int flags);
REPRISE_API cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* memPool, void* shareableHandle,
                                                             enum cudaMemAllocationHandleType handleType,
                                                             unsigned int flags);
REPRISE_API cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData* exportData, void* ptr);
REPRISE_API cudaError_t cudaMemPoolImportPointer(void** ptr, cudaMemPool_t memPool,
                                                 struct cudaMemPoolPtrExportData* exportData);

REPRISE_END_C

#endif /* REPRISE_API_MEMORY_POOL_H */
