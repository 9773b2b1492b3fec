// Type-safe kernel launches: arguments are checked and converted as in a call.
#ifndef REPRISE_CPP_LAUNCH_H
#define REPRISE_CPP_LAUNCH_H

#include <cuda_runtime_api.h>

#include <utility>

template <class T>
static inline __host__ cudaError_t cudaLaunchKernel(T* func, dim3 gridDim, dim3 blockDim, void** args,
                                                    size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void*)func, gridDim, blockDim, args, sharedMem, stream);
}

template <class T>
static inline __host__ cudaError_t cudaLaunchCooperativeKernel(T* func, dim3 gridDim, dim3 blockDim, void** args,
                                                               size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void*)func, gridDim, blockDim, args, sharedMem, stream);
}

namespace __reprise {
template <class T>
inline __host__ void* argument_address(T& argument) {
  return const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(argument)));
}
}  // namespace __reprise

template <class... Parameters, class... Arguments>
static inline __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                                      Arguments&&... args) {
  // The lambda has the kernel's parameters, so the arguments are converted as in a call.
  return [&](Parameters... converted) {
    void* addresses[sizeof...(Parameters) + 1] = {__reprise::argument_address(converted)...};
    return ::cudaLaunchKernelExC(config, (const void*)kernel, addresses);
  }(std::forward<Arguments>(args)...);
}

// A cudaKernel_t has no parameter types: the arguments must have the exact types.
template <class... Arguments>
static inline __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, const cudaKernel_t kernel,
                                                      Arguments&&... args) {
  void* addresses[sizeof...(Arguments) + 1] = {__reprise::argument_address(args)...};
  return ::cudaLaunchKernelExC(config, (const void*)kernel, addresses);
}

#endif  // REPRISE_CPP_LAUNCH_H
