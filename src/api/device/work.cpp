// Calls about all work of a device: synchronization, reset, and the range of priorities.
#include <cuda_runtime_api.h>

#include "api/entry/entry.h"
#include "base/context_members.h"
#include "base/device_settings.h"
#include "event/event.h"
#include "memory/address/variables.h"
#include "memory/allocate/allocation.h"
#include "memory/graph/graph_memory.h"
#include "memory/pool/pools.h"
#include "stream/capture_rules.h"
#include "stream/device_streams.h"
#include "stream/priority.h"

using namespace reprise_runtime;
using api::entry;
using api::entry_always;

extern "C" {

cudaError_t cudaDeviceSynchronize() {
  return entry(
      [] {
        const cudaError_t refused = stream::check_device_outside_capture(current_device());
        return refused != cudaSuccess ? refused : stream::synchronize_device(current_device());
      },
      NO_ARGUMENTS);
}

// After a fault only a new process can use the device again, as with NVIDIA's runtime.
cudaError_t cudaDeviceReset() {
  return entry_always(
      [] {
        const int device = current_device();
        const bool faulted = sticky_error(device) != cudaSuccess;
        // Work of other devices may use this device's memory.
        for (int other = 0; other < device_count(); ++other) static_cast<void>(stream::synchronize_device(other));
        stream::destroy_streams(device);
        event::destroy_events(device);
        memory::free_all(device);
        memory::reset_pools(device);
        memory::GraphMemory::instance().reset(device);
        memory::restore_variables();
        reset_device_settings(device);
        end_runtime_use(device);
        forget_members();
        stream::DeviceStreams::of(device).set_wait_policy(exec::WaitPolicy::spin);
        if (faulted) {
          clear_sticky_error(device);
          set_sticky_error(device, cudaErrorDevicesUnavailable);
        }
        return cudaSuccess;
      },
      NO_ARGUMENTS);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return entry(
      [&] {
        if (leastPriority) *leastPriority = stream::least_priority;
        if (greatestPriority) *greatestPriority = stream::greatest_priority;
        return cudaSuccess;
      },
      ARGUMENTS(leastPriority, greatestPriority));
}
}
