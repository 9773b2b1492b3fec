// Kernels for tests, as reprise-nvcc would compile them: thunks, records and registration by hand, so that the
// runtime can be tested without the compiler.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise_cuda/api/call_configuration.h>

#include <cstdint>
#include <cstring>

#include "base/export.h"
#include "kernel/kernel_abi.h"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
int __cudaRegisterFunction(void** handle, const char* host_stub, char* device_stub, const char* name, int, uint3*,
                           uint3*, dim3*, dim3*, int*);
void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int, size_t size, int constant, int);
}

namespace reprise_runtime::test {

template <class T>
T parameter(const void* params, uint32_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(params) + offset, sizeof value);
  return value;
}

// Calls body(block, thread) for all threads of the thunk's blocks, x fastest.
template <class Body>
void for_each_thread(const reprise_launch* launch, Body&& body) {
  uint64_t threads = uint64_t{launch->block[0]} * launch->block[1] * launch->block[2];
  for (uint64_t block = launch->block_begin; block < launch->block_end; ++block) {
    for (uint64_t thread = 0; thread < threads; ++thread) body(block, thread);
  }
}

struct FatBinaryWrapper {
  int magic, version;
  const char* data;
  void* unused;
};

// Registers a module with these kernels, each under a host stub of its own.
struct Registered {
  Registered(const char* id, const reprise_kernel* kernels, uint32_t count, const void* const* stubs)
      : module{reprise_abi_version, count, 0, 0, id, kernels, nullptr}, wrapper{0x466243b1, 1, id, nullptr} {
    handle = __cudaRegisterFatBinary(&wrapper);
    for (uint32_t i = 0; i < count; ++i) {
      __cudaRegisterFunction(handle, static_cast<const char*>(stubs[i]), nullptr, kernels[i].name, -1, nullptr, nullptr,
                             nullptr, nullptr, nullptr);
    }
    __cudaRegisterFatBinaryEnd(handle);
    __reprise_register_module(&module);
  }
  ~Registered() {
    __cudaUnregisterFatBinary(handle);
    __reprise_unregister_module(&module);
  }

  reprise_module module;
  FatBinaryWrapper wrapper;
  void** handle;
};

}  // namespace reprise_runtime::test
