// Overloads that take kernels as functions instead of pointers. Only a CUDA compiler compiles kernels.
#ifndef REPRISE_CPP_FUNCTION_H
#define REPRISE_CPP_FUNCTION_H

#include <cuda_runtime_api.h>

template <class T>
static inline __host__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attr, T* entry) {
  return ::cudaFuncGetAttributes(attr, (const void*)entry);
}

template <class T>
static inline __host__ cudaError_t cudaFuncSetAttribute(T* func, enum cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute((const void*)func, attr, value);
}

template <class T>
static inline __host__ cudaError_t cudaFuncSetCacheConfig(T* func, enum cudaFuncCache cacheConfig) {
  return ::cudaFuncSetCacheConfig((const void*)func, cacheConfig);
}

__NV_SILENCE_DEPRECATION_BEGIN
template <class T>
REPRISE_DEPRECATED static inline __host__ cudaError_t cudaFuncSetSharedMemConfig(T* func,
                                                                                 enum cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void*)func, config);
}
__NV_SILENCE_DEPRECATION_END

template <class T>
static inline __host__ cudaError_t cudaFuncGetName(const char** name, T* func) {
  return ::cudaFuncGetName(name, (const void*)func);
}

template <class T>
static inline __host__ cudaError_t cudaGetKernel(cudaKernel_t* kernelPtr, T* func) {
  return ::cudaGetKernel(kernelPtr, (const void*)func);
}

template <class T>
static inline __host__ cudaError_t cudaLibraryGetGlobal(T** dptr, size_t* bytes, cudaLibrary_t library,
                                                        const char* name) {
  return ::cudaLibraryGetGlobal((void**)dptr, bytes, library, name);
}

template <class T>
static inline __host__ cudaError_t cudaLibraryGetManaged(T** dptr, size_t* bytes, cudaLibrary_t library,
                                                         const char* name) {
  return ::cudaLibraryGetManaged((void**)dptr, bytes, library, name);
}

template <class T>
static inline __host__ cudaError_t cudaLibraryGetUnifiedFunction(T** fptr, cudaLibrary_t library, const char* symbol) {
  return ::cudaLibraryGetUnifiedFunction((void**)fptr, library, symbol);
}

#endif  // REPRISE_CPP_FUNCTION_H
