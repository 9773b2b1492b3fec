// Allocation and batch operations with pointers of any type.
#ifndef REPRISE_CPP_MEMORY_H
#define REPRISE_CPP_MEMORY_H

#include <cuda_runtime_api.h>

template <class T>
static inline __host__ cudaError_t cudaMalloc(T** devPtr, size_t size) {
  return ::cudaMalloc((void**)devPtr, size);
}

template <class T>
static inline __host__ cudaError_t cudaMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)devPtr, pitch, width, height);
}

template <class T>
static inline __host__ cudaError_t cudaMallocManaged(T** devPtr, size_t size,
                                                     unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)devPtr, size, flags);
}

template <class T>
static inline __host__ cudaError_t cudaHostAlloc(T** ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void**)ptr, size, flags);
}

static inline __host__ cudaError_t cudaMallocHost(void** ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(ptr, size, flags);
}

template <class T>
static inline __host__ cudaError_t cudaMallocHost(T** ptr, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc((void**)ptr, size, flags);
}

template <class T>
static inline __host__ cudaError_t cudaHostGetDevicePointer(T** pDevice, void* pHost, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)pDevice, pHost, flags);
}

template <class T>
static inline __host__ cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* devPtr, size_t length = 0,
                                                            unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void*)devPtr, length, flags);
}

template <class T>
static inline __host__ cudaError_t cudaMallocAsync(T** ptr, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)ptr, size, stream);
}

static inline __host__ cudaError_t cudaMallocAsync(void** ptr, size_t size, cudaMemPool_t memPool,
                                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(ptr, size, memPool, stream);
}

template <class T>
static inline __host__ cudaError_t cudaMallocAsync(T** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)ptr, size, memPool, stream);
}

template <class T>
static inline __host__ cudaError_t cudaMallocFromPoolAsync(T** ptr, size_t size, cudaMemPool_t memPool,
                                                           cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)ptr, size, memPool, stream);
}

template <class T, class U>
static inline __host__ cudaError_t cudaMemcpyBatchAsync(T* const* dsts, U* const* srcs, const size_t* sizes,
                                                        size_t count, struct cudaMemcpyAttributes* attrs,
                                                        size_t* attrsIdxs, size_t numAttrs, cudaStream_t stream) {
  return ::cudaMemcpyBatchAsync((void* const*)dsts, (const void* const*)srcs, sizes, count, attrs, attrsIdxs, numAttrs,
                                stream);
}

// The same attributes for every copy of the batch.
template <class T, class U>
static inline __host__ cudaError_t cudaMemcpyBatchAsync(T* const* dsts, U* const* srcs, const size_t* sizes,
                                                        size_t count, struct cudaMemcpyAttributes attr,
                                                        cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemcpyBatchAsync((void* const*)dsts, (const void* const*)srcs, sizes, count, &attr, &first, 1, stream);
}

template <class T>
static inline __host__ cudaError_t cudaMemPrefetchBatchAsync(T** dptrs, size_t* sizes, size_t count,
                                                             struct cudaMemLocation* prefetchLocs,
                                                             size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                                             unsigned long long flags, cudaStream_t stream) {
  return ::cudaMemPrefetchBatchAsync((void**)dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                                     stream);
}

// The same location for every range of the batch.
template <class T>
static inline __host__ cudaError_t cudaMemPrefetchBatchAsync(T** dptrs, size_t* sizes, size_t count,
                                                             struct cudaMemLocation prefetchLocs,
                                                             unsigned long long flags, cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemPrefetchBatchAsync((void**)dptrs, sizes, count, &prefetchLocs, &first, 1, flags, stream);
}

template <class T>
static inline __host__ cudaError_t cudaMemDiscardAndPrefetchBatchAsync(T** dptrs, size_t* sizes, size_t count,
                                                                       struct cudaMemLocation* prefetchLocs,
                                                                       size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                                                       unsigned long long flags, cudaStream_t stream) {
  return ::cudaMemDiscardAndPrefetchBatchAsync((void**)dptrs, sizes, count, prefetchLocs, prefetchLocIdxs,
                                               numPrefetchLocs, flags, stream);
}

template <class T>
static inline __host__ cudaError_t cudaMemDiscardAndPrefetchBatchAsync(T** dptrs, size_t* sizes, size_t count,
                                                                       struct cudaMemLocation prefetchLocs,
                                                                       unsigned long long flags, cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemDiscardAndPrefetchBatchAsync((void**)dptrs, sizes, count, &prefetchLocs, &first, 1, flags, stream);
}

#endif  // REPRISE_CPP_MEMORY_H
