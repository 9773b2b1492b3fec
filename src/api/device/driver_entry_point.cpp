// Lookup of driver functions by name. There is no driver here, so no name is found, and programs use their fallback for
// older drivers.
#define CUDA_ENABLE_DEPRECATED
#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"

using namespace reprise_runtime;
using diagnose::refuse;

namespace {

cudaError_t look_up(const char* symbol, void** function, unsigned version, unsigned long long flags,
                    cudaDriverEntryPointQueryResult* result) {
  if (!symbol) return refuse(cudaErrorInvalidValue, "the name is null");
  if (cudaError_t status = api::check_output(function); status != cudaSuccess) return status;
  if (flags != cudaEnableDefault && flags != cudaEnableLegacyStream && flags != cudaEnablePerThreadDefaultStream) {
    return refuse(cudaErrorInvalidValue, "unknown flags 0x%llx", flags);
  }
  if (version > CUDART_VERSION)
    return refuse(cudaErrorInvalidValue, "version %u is newer than this runtime (%d)", version, CUDART_VERSION);
  *function = nullptr;
  if (result) *result = cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* driverStatus) {
  return api::entry([&] { return look_up(symbol, funcPtr, CUDART_VERSION, flags, driverStatus); },
                    ARGUMENTS(symbol, funcPtr, flags, driverStatus));
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned int cudaVersion,
                                             unsigned long long flags, cudaDriverEntryPointQueryResult* driverStatus) {
  return api::entry([&] { return look_up(symbol, funcPtr, cudaVersion, flags, driverStatus); },
                    ARGUMENTS(symbol, funcPtr, cudaVersion, flags, driverStatus));
}

REPRISE_EXPORT __attribute__((alias("cudaGetDriverEntryPoint"))) cudaError_t
cudaGetDriverEntryPoint_ptsz(const char*, void**, unsigned long long, cudaDriverEntryPointQueryResult*);
REPRISE_EXPORT __attribute__((alias("cudaGetDriverEntryPointByVersion"))) cudaError_t
cudaGetDriverEntryPointByVersion_ptsz(const char*, void**, unsigned int, unsigned long long,
                                      cudaDriverEntryPointQueryResult*);
}
