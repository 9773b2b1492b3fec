// Calls about a device that few programs make.
#include <cuda_runtime_api.h>

#include "api/arguments.h"
#include "api/entry.h"
#include "base/handle_table.h"

using namespace reprise_runtime;
using api::check_device;
using api::entry;
using diagnose::refuse;

namespace {

// Who asked to hear when the program uses more memory than it was given. No budget is given here, as on a GPU under
// Linux, so nobody is called.
class Notification : public Handled<Notification> {
 public:
  static constexpr HandleType handle_type = HandleType::async_callback;
};

HandleTable<Notification>& notifications() { return HandleTable<Notification>::instance(); }

}  // namespace

extern "C" {

cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callbackFunc, void*,
                                                cudaAsyncCallbackHandle_t* callback) {
  return entry([&] {
    if (!callbackFunc || !callback) return refuse(cudaErrorInvalidValue, "no function, or no place for the handle");
    if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
    Ref<Notification> notification = notifications().create();
    if (!notification) return cudaErrorMemoryAllocation;
    *callback = notification->handle().as<cudaAsyncCallbackHandle_t>();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t callback) {
  return entry([&] {
    if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
    return notifications().erase(Handle::from(callback)) ? cudaSuccess
                                                         : refuse(cudaErrorInvalidValue, "no such registration");
  });
}

// What other devices write to memory is there at once: the caches are one.
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget target,
                                               cudaFlushGPUDirectRDMAWritesScope scope) {
  return entry([&] {
    const bool known =
        target == cudaFlushGPUDirectRDMAWritesTargetCurrentDevice &&
        (scope == cudaFlushGPUDirectRDMAWritesToOwner || scope == cudaFlushGPUDirectRDMAWritesToAllDevices);
    return known ? cudaSuccess
                 : refuse(cudaErrorInvalidValue, "target %d, scope %d", static_cast<int>(target),
                          static_cast<int>(scope));
  });
}
}
