// Sets a device's flags, and with them how threads wait for the device: spinning or sleeping.
#pragma once

#include "base/device_settings.h"
#include "diagnose/refuse.h"
#include "stream/device_streams.h"

namespace reprise_runtime::stream {

[[nodiscard]] inline cudaError_t apply_flags(int device, unsigned flags) {
  if (cudaError_t status = set_device_flags(device, flags); status != cudaSuccess) {
    return diagnose::refuse(status, "flags 0x%x have unknown bits, or more than one way to wait (cudaDeviceSchedule*)",
                            flags);
  }
  const bool sleeps = flags & (cudaDeviceScheduleBlockingSync | cudaDeviceScheduleYield);
  DeviceStreams::of(device).set_wait_policy(sleeps ? exec::WaitPolicy::sleep : exec::WaitPolicy::spin);
  return cudaSuccess;
}

}  // namespace reprise_runtime::stream
