// Stream-ordered allocation and its pools.
#include "api/unsupported.h"

#define WHY "pools are not there yet; use cudaMalloc"

extern "C" {

UNSUPPORTED(cudaDeviceSetMemPool, (int, cudaMemPool_t))
UNSUPPORTED_PTSZ(cudaMallocAsync, (void**, size_t, cudaStream_t))
UNSUPPORTED_PTSZ(cudaFreeAsync, (void*, cudaStream_t))
UNSUPPORTED(cudaMemPoolTrimTo, (cudaMemPool_t, size_t))
UNSUPPORTED(cudaMemPoolSetAttribute, (cudaMemPool_t, cudaMemPoolAttr, void*))
UNSUPPORTED(cudaMemPoolGetAttribute, (cudaMemPool_t, cudaMemPoolAttr, void*))
UNSUPPORTED(cudaMemPoolSetAccess, (cudaMemPool_t, const cudaMemAccessDesc*, size_t))
UNSUPPORTED(cudaMemPoolGetAccess, (cudaMemAccessFlags*, cudaMemPool_t, cudaMemLocation*))
UNSUPPORTED(cudaMemPoolCreate, (cudaMemPool_t*, const cudaMemPoolProps*))
UNSUPPORTED(cudaMemPoolDestroy, (cudaMemPool_t))
UNSUPPORTED(cudaMemGetDefaultMemPool, (cudaMemPool_t*, cudaMemLocation*, cudaMemAllocationType))
UNSUPPORTED(cudaMemGetMemPool, (cudaMemPool_t*, cudaMemLocation*, cudaMemAllocationType))
UNSUPPORTED(cudaMemSetMemPool, (cudaMemLocation*, cudaMemAllocationType, cudaMemPool_t))
UNSUPPORTED_PTSZ(cudaMallocFromPoolAsync, (void**, size_t, cudaMemPool_t, cudaStream_t))
UNSUPPORTED(cudaMemPoolExportToShareableHandle,
            (void*, cudaMemPool_t, cudaMemAllocationHandleType, unsigned int))
UNSUPPORTED(cudaMemPoolImportFromShareableHandle,
            (cudaMemPool_t*, void*, cudaMemAllocationHandleType, unsigned int))
UNSUPPORTED(cudaMemPoolExportPointer, (cudaMemPoolPtrExportData*, void*))
UNSUPPORTED(cudaMemPoolImportPointer, (void**, cudaMemPool_t, cudaMemPoolPtrExportData*))
UNSUPPORTED_AFTER(cudaDeviceGetDefaultMemPool, (cudaMemPool_t*, int device), reprise::api::check_device(device))
UNSUPPORTED_AFTER(cudaDeviceGetMemPool, (cudaMemPool_t*, int device),
                  reprise::api::check_device(device) == cudaSuccess ? cudaSuccess : cudaErrorInvalidValue)

}
