// Versions of the runtime and of the driver, which are the same here.
#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"

using namespace reprise_runtime;

namespace {

cudaError_t get_version(int* version) {
  if (cudaError_t status = api::check_output(version); status != cudaSuccess) return status;
  *version = CUDART_VERSION;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaDriverGetVersion(int* driverVersion) {
  return api::entry_anywhere([&] { return get_version(driverVersion); }, ARGUMENTS(driverVersion));
}

cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
  return api::entry_anywhere([&] { return get_version(runtimeVersion); }, ARGUMENTS(runtimeVersion));
}
}
