// Kernels as functions: their attributes, names, parameters and handles.
#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "kernel/attributes.h"
#include "kernel/registry.h"

using namespace reprise_runtime;

namespace {

// Calls `use(function, code)` for a kernel that has device code.
template <class Use>
cudaError_t with_function(const void* symbol, Use&& use) {
  const kernel::Function* function = kernel::find_function(symbol);
  if (!function) return kernel::refuse_function(symbol);
  if (!function->code()) return kernel::refuse_without_code(cudaErrorInvalidDeviceFunction, *function);
  return use(*function, *function->code());
}

template <class Handle>
cudaError_t handle_of(Handle* out, const void* symbol) {
  const kernel::Function* function = kernel::find_function(symbol);
  if (!function) return diagnose::refuse(cudaErrorInvalidDeviceFunction, "%p is not a kernel", symbol);
  if (!function->code()) return kernel::refuse_without_code(cudaErrorInvalidDeviceFunction, *function);
  if (out) *out = reinterpret_cast<Handle>(const_cast<void*>(kernel::function_handle(*function)));
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, const void* symbol) {
  return api::entry(
      [&] {
        if (cudaError_t status = api::check_output(out); status != cudaSuccess) return status;
        return with_function(symbol, [&](const kernel::Function& function, const reprise_kernel&) {
          *out = kernel::attributes_of(function);
          return cudaSuccess;
        });
      },
      ARGUMENTS(out, symbol));
}

cudaError_t cudaFuncSetAttribute(const void* symbol, cudaFuncAttribute attribute, int value) {
  return api::entry(
      [&] {
        return with_function(symbol, [&](const kernel::Function& function, const reprise_kernel&) {
          return kernel::set_attribute(function, attribute, value);
        });
      },
      ARGUMENTS(symbol, attribute, value));
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t handle, cudaFuncAttribute attribute, int value, int device) {
  return api::entry(
      [&] {
        if (cudaError_t status = api::check_device(device); status != cudaSuccess) return status;
        return with_function(handle, [&](const kernel::Function& function, const reprise_kernel&) {
          return kernel::set_attribute(function, attribute, value);
        });
      },
      ARGUMENTS(handle, attribute, value, device));
}

cudaError_t cudaFuncSetCacheConfig(const void* symbol, cudaFuncCache preference) {
  return api::entry(
      [&] {
        if (preference < cudaFuncCachePreferNone || preference > cudaFuncCachePreferEqual) {
          return diagnose::refuse(cudaErrorInvalidValue, "%d is not a cudaFuncCache", static_cast<int>(preference));
        }
        return with_function(symbol, [&](const kernel::Function& function, const reprise_kernel&) {
          function.settings().cache_preference.store(preference, std::memory_order_relaxed);
          return cudaSuccess;
        });
      },
      ARGUMENTS(symbol, preference));
}

// A CPU has no banks; CUDA 13 itself accepts the call and does nothing.
cudaError_t cudaFuncSetSharedMemConfig(const void* symbol, cudaSharedMemConfig config) {
  return api::entry(
      [&] {
        if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte) {
          return diagnose::refuse(cudaErrorInvalidValue, "%d is not a cudaSharedMemConfig", static_cast<int>(config));
        }
        return with_function(symbol, [](const kernel::Function&, const reprise_kernel&) { return cudaSuccess; });
      },
      ARGUMENTS(symbol, config));
}

cudaError_t cudaFuncGetName(const char** name, const void* symbol) {
  return api::entry(
      [&] {
        if (cudaError_t status = api::check_output(name); status != cudaSuccess) return status;
        return with_function(symbol, [&](const kernel::Function& function, const reprise_kernel&) {
          *name = function.name();
          return cudaSuccess;
        });
      },
      ARGUMENTS(name, symbol));
}

cudaError_t cudaFuncGetParamInfo(const void* symbol, size_t index, size_t* offset, size_t* size) {
  return api::entry(
      [&] {
        if (cudaError_t status = api::check_output(offset); status != cudaSuccess) return status;
        return with_function(symbol, [&](const kernel::Function&, const reprise_kernel& code) {
          if (index >= code.param_count) {
            return diagnose::refuse(cudaErrorInvalidValue, "there is no parameter %zu; the kernel has %u", index,
                                    code.param_count);
          }
          *offset = code.params[index].offset;
          if (size) *size = code.params[index].size;
          return cudaSuccess;
        });
      },
      ARGUMENTS(symbol, index, offset, size));
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* out, const void* symbol) {
  return api::entry([&] { return handle_of(out, symbol); }, ARGUMENTS(out, symbol));
}

cudaError_t cudaGetKernel(cudaKernel_t* out, const void* symbol) {
  return api::entry([&] { return handle_of(out, symbol); }, ARGUMENTS(out, symbol));
}
