// The runtime's calls that find calls of the driver API by name.
#define CUDA_ENABLE_DEPRECATED
#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "driver/entry/entry_points.h"

using namespace reprise_runtime;
using diagnose::refuse;

namespace {

cudaError_t look_up(const char* symbol, void** function, unsigned version, unsigned long long flags,
                    cudaDriverEntryPointQueryResult* result, bool per_thread) {
  if (!symbol) return refuse(cudaErrorInvalidValue, "no name to look for");
  if (cudaError_t status = api::check_output(function); status != cudaSuccess) return status;
  if (flags != cudaEnableDefault && flags != cudaEnableLegacyStream && flags != cudaEnablePerThreadDefaultStream) {
    return refuse(cudaErrorInvalidValue, "unknown flags 0x%llx", flags);
  }
  if (version > CUDART_VERSION) return refuse(cudaErrorInvalidValue, "version %u; this is %d", version, CUDART_VERSION);
  if (flags != cudaEnableDefault) per_thread = flags == cudaEnablePerThreadDefaultStream;
  const driver::Found found = driver::find_entry_point(symbol, static_cast<int>(version), per_thread);
  *function = found.function;
  if (result) {
    *result = found.lookup == driver::Lookup::found          ? cudaDriverEntryPointSuccess
              : found.lookup == driver::Lookup::no_such_name ? cudaDriverEntryPointSymbolNotFound
                                                             : cudaDriverEntryPointVersionNotSufficent;
  }
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* driverStatus) {
  return api::entry([&] { return look_up(symbol, funcPtr, CUDART_VERSION, flags, driverStatus, false); },
                    ARGUMENTS(symbol, funcPtr, flags, driverStatus));
}
REPRISE_EXPORT cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** funcPtr, unsigned long long flags,
                                                        cudaDriverEntryPointQueryResult* driverStatus) {
  return api::entry([&] { return look_up(symbol, funcPtr, CUDART_VERSION, flags, driverStatus, true); },
                    ARGUMENTS(symbol, funcPtr, flags, driverStatus));
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned int cudaVersion,
                                             unsigned long long flags, cudaDriverEntryPointQueryResult* driverStatus) {
  return api::entry([&] { return look_up(symbol, funcPtr, cudaVersion, flags, driverStatus, false); },
                    ARGUMENTS(symbol, funcPtr, cudaVersion, flags, driverStatus));
}
REPRISE_EXPORT cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** funcPtr,
                                                                 unsigned int cudaVersion, unsigned long long flags,
                                                                 cudaDriverEntryPointQueryResult* driverStatus) {
  return api::entry([&] { return look_up(symbol, funcPtr, cudaVersion, flags, driverStatus, true); },
                    ARGUMENTS(symbol, funcPtr, cudaVersion, flags, driverStatus));
}
}
