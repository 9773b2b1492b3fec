// A device's flags, and what they mean for threads that wait for it.
#pragma once

#include "base/device_settings.h"
#include "stream/device_streams.h"

namespace reprise_runtime::stream {

[[nodiscard]] inline cudaError_t apply_flags(int device, unsigned flags) {
  if (cudaError_t status = set_device_flags(device, flags); status != cudaSuccess) return status;
  const bool sleeps = flags & (cudaDeviceScheduleBlockingSync | cudaDeviceScheduleYield);
  DeviceStreams::of(device).set_patience(sleeps ? exec::Patience::sleep : exec::Patience::spin);
  return cudaSuccess;
}

}  // namespace reprise_runtime::stream
