// Kernels written as host functions, for libraries of the runtime. They have the form that reprise-nvcc compiles
// kernels to: a function that runs a range of blocks, registered with the runtime under a host stub. A call of such a
// library is therefore an ordinary kernel launch: in stream order, captured as one kernel node, run by the runtime's
// workers.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise_cuda/api/call_configuration.h>

#include <algorithm>
#include <cstdint>

#include "kernel/kernel_abi.h"

// Registration functions of the runtime, which every CUDA object file calls.
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
int __cudaRegisterFunction(void** handle, const char* host_stub, char* device_stub, const char* name, int, uint3*,
                           uint3*, dim3*, dim3*, int*);
}

namespace reprise_host_kernel {

constexpr uint32_t most_threads = 1024;

template <class Arguments>
constexpr reprise_param whole{0, sizeof(Arguments)};

// A kernel whose only parameter is a struct.
template <class Arguments>
constexpr reprise_kernel kernel(const char* name, reprise_thunk thunk) {
  static_assert(sizeof(Arguments) <= 4096, "more than a kernel takes");
  reprise_kernel made{};
  made.name = name;
  made.thunk = thunk;
  made.params = &whole<Arguments>;
  made.param_count = 1;
  made.param_bytes = sizeof(Arguments);
  made.max_threads = most_threads;
  made.architecture = 90;
  return made;
}

// The kernels of one library, registered as long as it is loaded.
template <int count>
class HostKernels {
 public:
  HostKernels(const char* library, const reprise_kernel (&kernels)[count])
      : wrapper_{0x466243b1, 1, library, nullptr},
        module_{reprise_abi_version, count, 0, 0, library, kernels, nullptr},
        handle_(__cudaRegisterFatBinary(&wrapper_)) {
    for (int i = 0; i < count; ++i)
      __cudaRegisterFunction(handle_, &stubs_[i], nullptr, kernels[i].name, -1, nullptr, nullptr, nullptr, nullptr,
                             nullptr);
    __cudaRegisterFatBinaryEnd(handle_);
    __reprise_register_module(&module_);
  }
  ~HostKernels() {
    __cudaUnregisterFatBinary(handle_);
    __reprise_unregister_module(&module_);
  }
  HostKernels(const HostKernels&) = delete;
  HostKernels& operator=(const HostKernels&) = delete;

  // `work` is the cost of one block in floating-point operations. The runtime measures the cost per thread and chooses
  // the number of workers by it, so a block has as many threads as units of work.
  cudaError_t launch(int kernel, uint64_t blocks, double work, void* arguments, cudaStream_t stream) const {
    constexpr double work_of_thread = 8192;
    const auto threads = static_cast<uint32_t>(std::clamp(work / work_of_thread, 1.0, double{most_threads}));
    void* parameters[] = {arguments};
    return cudaLaunchKernel(&stubs_[kernel], dim3(static_cast<uint32_t>(blocks)), dim3(threads), parameters, 0, stream);
  }

 private:
  char stubs_[count] = {};  // their addresses are the host stubs
  struct {
    int magic, version;
    const char* data;
    void* unused;
  } wrapper_;
  reprise_module module_;
  void** handle_;
};

}  // namespace reprise_host_kernel
