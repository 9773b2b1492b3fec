// Kernels as functions: their attributes, names, parameters and handles.
#include <cuda_runtime_api.h>

#include "api/entry.h"
#include "kernel/attributes.h"
#include "kernel/registry.h"

using namespace reprise_runtime;

namespace {

// Calls `use(function, code)` for a kernel that has device code.
template <class Use>
cudaError_t with_function(const void* symbol, Use&& use) {
  const kernel::Function* function = kernel::find_function(symbol);
  // What is no registered function is taken for a cudaKernel_t.
  if (!function) return symbol ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
  if (!function->code()) return cudaErrorInvalidDeviceFunction;
  return use(*function, *function->code());
}

template <class Handle>
cudaError_t handle_of(Handle* out, const void* symbol) {
  const kernel::Function* function = kernel::find_function(symbol);
  if (!function || !function->code()) return cudaErrorInvalidDeviceFunction;
  if (out) *out = reinterpret_cast<Handle>(const_cast<void*>(kernel::function_handle(*function)));
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, const void* symbol) {
  return api::entry([&] {
    if (!out) return cudaErrorInvalidValue;
    return with_function(symbol, [&](const kernel::Function& function, const reprise_kernel&) {
      *out = kernel::attributes_of(function);
      return cudaSuccess;
    });
  });
}

cudaError_t cudaFuncSetAttribute(const void* symbol, cudaFuncAttribute attribute, int value) {
  return api::entry([&] {
    return with_function(symbol, [&](const kernel::Function& function, const reprise_kernel&) {
      return kernel::set_attribute(function, attribute, value);
    });
  });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t handle, cudaFuncAttribute attribute, int value, int device) {
  return api::entry([&] {
    if (device < 0 || device >= device_count()) return cudaErrorInvalidDevice;
    return with_function(handle, [&](const kernel::Function& function, const reprise_kernel&) {
      return kernel::set_attribute(function, attribute, value);
    });
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* symbol, cudaFuncCache preference) {
  return api::entry([&] {
    if (preference < cudaFuncCachePreferNone || preference > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
    return with_function(symbol, [&](const kernel::Function& function, const reprise_kernel&) {
      function.settings().cache_preference.store(preference, std::memory_order_relaxed);
      return cudaSuccess;
    });
  });
}

// Banks are the GPU's; CUDA 13 itself takes the call and does nothing.
cudaError_t cudaFuncSetSharedMemConfig(const void* symbol, cudaSharedMemConfig config) {
  return api::entry([&] {
    if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte) return cudaErrorInvalidValue;
    return with_function(symbol, [](const kernel::Function&, const reprise_kernel&) { return cudaSuccess; });
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* symbol) {
  return api::entry([&] {
    if (!name) return cudaErrorInvalidValue;
    return with_function(symbol, [&](const kernel::Function& function, const reprise_kernel&) {
      *name = function.name();
      return cudaSuccess;
    });
  });
}

cudaError_t cudaFuncGetParamInfo(const void* symbol, size_t index, size_t* offset, size_t* size) {
  return api::entry([&] {
    if (!offset) return cudaErrorInvalidValue;
    return with_function(symbol, [&](const kernel::Function&, const reprise_kernel& code) {
      if (index >= code.param_count) return cudaErrorInvalidValue;
      *offset = code.params[index].offset;
      if (size) *size = code.params[index].size;
      return cudaSuccess;
    });
  });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* out, const void* symbol) {
  return api::entry([&] { return handle_of(out, symbol); });
}

cudaError_t cudaGetKernel(cudaKernel_t* out, const void* symbol) {
  return api::entry([&] { return handle_of(out, symbol); });
}
