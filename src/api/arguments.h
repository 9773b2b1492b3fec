// Checks that many entry points begin with.
#pragma once

#include "base/devices.h"
#include "diagnose/refuse.h"

namespace reprise_runtime::api {

inline cudaError_t check_output(const void* output) {
  return output ? cudaSuccess : diagnose::refuse(cudaErrorInvalidValue, "no place for the answer");
}

inline cudaError_t check_device(int device) {
  if (device >= 0 && device < device_count()) return cudaSuccess;
  return diagnose::refuse(cudaErrorInvalidDevice, "there is no device %d; there are %d", device, device_count());
}

}  // namespace reprise_runtime::api
