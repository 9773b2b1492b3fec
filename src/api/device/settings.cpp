// Settings of a device: limits, flags, preferences.
#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "base/device_settings.h"
#include "stream/capture_rules.h"
#include "stream/device_flags.h"

using namespace reprise_runtime;
using api::check_output;
using api::entry;
using diagnose::refuse;

namespace {

// Adds the reason of an error of the layer below, which cannot write to the log.
cudaError_t explain_limit(cudaError_t status, cudaLimit limit) {
  if (status == cudaErrorUnsupportedLimit) {
    return refuse(status, "cudaLimitDevRuntimeSyncDepth: device code cannot wait for the launches that it makes");
  }
  if (status != cudaErrorInvalidValue) return status;
  if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize) {
    return refuse(status, "%d is not a cudaLimit", static_cast<int>(limit));
  }
  return refuse(status, limit == cudaLimitMaxL2FetchGranularity ? "the granularity must be at most 128"
                                                                : "the limit exceeds the memory of the device");
}

cudaError_t set_preference(cudaFuncCache preference) {
  const cudaError_t status = set_cache_preference(current_device(), preference);
  return status == cudaSuccess ? status : refuse(status, "%d is not a cudaFuncCache", static_cast<int>(preference));
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return entry(
      [&] {
        const cudaError_t refused = stream::check_unsafe({"set limits before the capture"});
        return refused != cudaSuccess ? refused
                                      : explain_limit(set_device_limit(current_device(), limit, value), limit);
      },
      ARGUMENTS(limit, value));
}

cudaError_t cudaDeviceGetLimit(size_t* pValue, cudaLimit limit) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(pValue); status != cudaSuccess) return status;
        return explain_limit(device_limit(current_device(), limit, pValue), limit);
      },
      ARGUMENTS(pValue, limit));
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return entry([&] { return stream::apply_flags(current_device(), flags); }, ARGUMENTS(flags));
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(flags); status != cudaSuccess) return status;
        *flags = device_flags(current_device());
        return cudaSuccess;
      },
      ARGUMENTS(flags));
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache cacheConfig) {
  return entry(
      [&] {
        const cudaError_t refused = stream::check_unsafe({"set the preference before the capture"});
        return refused != cudaSuccess ? refused : set_preference(cacheConfig);
      },
      ARGUMENTS(cacheConfig));
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* pCacheConfig) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(pCacheConfig); status != cudaSuccess) return status;
        *pCacheConfig = cache_preference(current_device());
        return cudaSuccess;
      },
      ARGUMENTS(pCacheConfig));
}

// Banks of shared memory are four bytes wide since compute capability 5.0, whatever the setting.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return entry(
      [&] {
        if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte) {
          return refuse(cudaErrorInvalidValue, "%d is not a cudaSharedMemConfig", static_cast<int>(config));
        }
        return cudaSuccess;
      },
      ARGUMENTS(config));
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* pConfig) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(pConfig); status != cudaSuccess) return status;
        *pConfig = cudaSharedMemBankSizeFourByte;
        return cudaSuccess;
      },
      ARGUMENTS(pConfig));
}

// No cache is reserved, so there is nothing to reset.
cudaError_t cudaCtxResetPersistingL2Cache() {
  return entry([] { return cudaSuccess; }, NO_ARGUMENTS);
}
}
