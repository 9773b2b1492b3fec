// Stream-ordered allocation and its pools.
#include "api/arguments.h"
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

// Ordinals are looked at first.
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t*, int device) {
  return reprise::api::entry([&] {
    if (cudaError_t status = reprise::api::check_device(device); status != cudaSuccess) return status;
    return reprise::diagnose::refuse(cudaErrorNotSupported, "%s", WHY);
  });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t*, int device) {
  return reprise::api::entry([&] {
    const bool known = device >= 0 && device < reprise::device_count();
    return reprise::diagnose::refuse(known ? cudaErrorNotSupported : cudaErrorInvalidValue, "%s", WHY);
  });
}

}
