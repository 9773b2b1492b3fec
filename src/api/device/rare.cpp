// Rarely used calls about a device.
#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "base/handle_table.h"

using namespace reprise_runtime;
using api::check_device;
using api::check_output;
using api::entry;
using diagnose::refuse;

namespace {

// A request to be called when the program exceeds its memory budget. There is no budget here, as on a GPU under Linux,
// so the callback is never called.
class Notification : public Handled<Notification> {
 public:
  static constexpr HandleType handle_type = HandleType::async_callback;
};

HandleTable<Notification>& notifications() { return HandleTable<Notification>::instance(); }

}  // namespace

extern "C" {

cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callbackFunc, void* userData,
                                                cudaAsyncCallbackHandle_t* callback) {
  return entry(
      [&] {
        if (!callbackFunc) return refuse(cudaErrorInvalidValue, "the callback is null");
        if (cudaError_t status = check_output(callback); status != cudaSuccess) return status;
        if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
        Ref<Notification> notification = notifications().create();
        if (!notification) return cudaErrorMemoryAllocation;
        *callback = notification->handle().as<cudaAsyncCallbackHandle_t>();
        return cudaSuccess;
      },
      ARGUMENTS(device, callbackFunc, userData, callback));
}

cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t callback) {
  return entry(
      [&] {
        if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
        return notifications().erase(Handle::from(callback))
                   ? cudaSuccess
                   : refuse(cudaErrorInvalidValue, "%p is not a registered callback", static_cast<void*>(callback));
      },
      ARGUMENTS(device, callback));
}

// Caches are coherent, so writes of other devices need no flush.
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget target,
                                               cudaFlushGPUDirectRDMAWritesScope scope) {
  return entry(
      [&] {
        const bool known =
            target == cudaFlushGPUDirectRDMAWritesTargetCurrentDevice &&
            (scope == cudaFlushGPUDirectRDMAWritesToOwner || scope == cudaFlushGPUDirectRDMAWritesToAllDevices);
        return known ? cudaSuccess
                     : refuse(cudaErrorInvalidValue, "target %d with scope %d is not one that CUDA names",
                              static_cast<int>(target), static_cast<int>(scope));
      },
      ARGUMENTS(target, scope));
}
}
