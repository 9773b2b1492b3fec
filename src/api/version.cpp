// Versions of the runtime and of the driver, which are one here.
#include <cuda_runtime_api.h>

#include "api/entry.h"
#include "diagnose/refuse.h"

using namespace reprise_runtime;

namespace {

cudaError_t tell_version(int* version) {
  if (!version) return diagnose::refuse(cudaErrorInvalidValue, "no place for the answer");
  *version = CUDART_VERSION;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaDriverGetVersion(int* driverVersion) {
  return api::entry_anywhere([&] { return tell_version(driverVersion); });
}

cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
  return api::entry_anywhere([&] { return tell_version(runtimeVersion); });
}
}
