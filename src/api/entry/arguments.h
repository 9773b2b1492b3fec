// Checks of arguments that many entry points begin with.
#pragma once

#include "base/devices.h"
#include "diagnose/refuse.h"

namespace reprise_runtime::api {

inline cudaError_t check_output(const void* output) {
  return output ? cudaSuccess : diagnose::refuse(cudaErrorInvalidValue, "the output pointer is null");
}

inline cudaError_t check_device(int device, cudaError_t code = cudaErrorInvalidDevice) {
  if (device >= 0 && device < device_count()) return cudaSuccess;
  return diagnose::refuse(code, "there is no device %d; the last one is %d", device, device_count() - 1);
}

}  // namespace reprise_runtime::api
