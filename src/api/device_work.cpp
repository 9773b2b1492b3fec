// What concerns all work of a device: waiting for it, and starting afresh.
#include <cuda_runtime_api.h>

#include "api/entry.h"
#include "base/device_settings.h"
#include "memory/allocation.h"
#include "stream/device_streams.h"
#include "stream/priority.h"

using namespace reprise;
using api::entry;
using api::entry_always;

extern "C" {

cudaError_t cudaDeviceSynchronize() {
  return entry([] { return stream::synchronize_device(current_device()); });
}

// Works after a fault, and ends it.
cudaError_t cudaDeviceReset() {
  return entry_always([] {
    if (in_host_function()) return cudaErrorNotPermitted;
    const int device = current_device();
    stream::destroy_streams(device);
    memory::free_all(device);
    reset_device_settings(device);
    stream::DeviceStreams::of(device).set_patience(exec::Patience::spin);
    clear_sticky_error(device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return entry([&] {
    if (leastPriority) *leastPriority = stream::least_priority;
    if (greatestPriority) *greatestPriority = stream::greatest_priority;
    return cudaSuccess;
  });
}

}
