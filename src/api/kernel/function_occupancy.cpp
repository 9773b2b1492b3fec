// Occupancy: how many blocks of a kernel a multiprocessor holds at once.
#include <cuda_runtime_api.h>

#include <algorithm>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "kernel/launch_shape.h"
#include "kernel/registry.h"

using namespace reprise_runtime;

using api::check_output;
using diagnose::refuse;

namespace {

// Returns null, with the reason for cudaErrorInvalidDeviceFunction, if the symbol is not a kernel with code.
const kernel::Function* find_with_code(const void* symbol) {
  const kernel::Function* function = kernel::find_function(symbol);
  if (function && function->code()) return function;
  if (function) {
    static_cast<void>(kernel::refuse_without_code(cudaErrorInvalidDeviceFunction, *function));
  } else {
    static_cast<void>(refuse(cudaErrorInvalidDeviceFunction, "%p is not a kernel", symbol));
  }
  return nullptr;
}

cudaError_t check_configuration(const int* out, const cudaLaunchConfig_t* config) {
  if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
  return config ? cudaSuccess : refuse(cudaErrorInvalidValue, "the launch configuration is null");
}

cudaError_t active_blocks(int* out, const void* symbol, int threads, size_t shared, unsigned flags) {
  if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
  if (threads <= 0) return refuse(cudaErrorInvalidValue, "the block size must be positive, not %d", threads);
  if (const unsigned unknown = flags & ~static_cast<unsigned>(cudaOccupancyDisableCachingOverride)) {
    return refuse(cudaErrorInvalidValue, "unknown flags 0x%x", unknown);
  }
  const kernel::Function* function = find_with_code(symbol);
  if (!function) return cudaErrorInvalidDeviceFunction;
  uint32_t dynamic = static_cast<uint32_t>(std::min<size_t>(shared, kernel::max_shared_opt_in + 1));
  *out = static_cast<int>(kernel::resident_blocks(*function, static_cast<uint32_t>(threads), dynamic));
  return cudaSuccess;
}

cudaError_t available_shared(size_t* out, const void* symbol, int blocks, int threads) {
  if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
  if (blocks <= 0 || threads <= 0) {
    return refuse(cudaErrorInvalidValue, "%d blocks of %d threads: both must be at least 1", blocks, threads);
  }
  const kernel::Function* function = find_with_code(symbol);
  if (!function) return cudaErrorInvalidDeviceFunction;
  const uint32_t most = kernel::resident_blocks(*function, static_cast<uint32_t>(threads), 0);
  if (static_cast<uint32_t>(blocks) > most) {
    return refuse(cudaErrorInvalidValue,
                  "a multiprocessor holds at most %u blocks of %d threads of this kernel, not %d", most, threads,
                  blocks);
  }
  // As on an H200, the shared memory that the system reserves per block is not subtracted.
  const uint32_t each = kernel::multiprocessor_shared / static_cast<uint32_t>(blocks);
  *out = std::min(each - function->code()->static_shared, function->max_dynamic_shared());
  return cudaSuccess;
}

// Blocks of the cluster in a configuration; 0 if a side is 0.
uint32_t cluster_blocks(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (config.attrs[i].id != cudaLaunchAttributeClusterDimension) continue;
    const auto& size = config.attrs[i].val.clusterDim;
    return size.x * size.y * size.z;
  }
  return 1;
}

uint32_t threads_of(const cudaLaunchConfig_t& config) {
  return config.blockDim.x * config.blockDim.y * config.blockDim.z;
}

}  // namespace

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* out, const void* symbol, int threads, size_t shared) {
  return api::entry([&] { return active_blocks(out, symbol, threads, shared, cudaOccupancyDefault); },
                    ARGUMENTS(out, symbol, threads, shared));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* out, const void* symbol, int threads,
                                                                   size_t shared, unsigned flags) {
  return api::entry([&] { return active_blocks(out, symbol, threads, shared, flags); },
                    ARGUMENTS(out, symbol, threads, shared, flags));
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* out, const void* symbol, int blocks, int threads) {
  return api::entry([&] { return available_shared(out, symbol, blocks, threads); },
                    ARGUMENTS(out, symbol, blocks, threads));
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* out, const void* symbol, const cudaLaunchConfig_t* config) {
  return api::entry(
      [&] {
        if (cudaError_t status = check_configuration(out, config); status != cudaSuccess) return status;
        const kernel::Function* function = find_with_code(symbol);
        if (!function) return cudaErrorInvalidDeviceFunction;
        bool large = function->settings().non_portable_cluster.load(std::memory_order_relaxed) != 0;
        *out = static_cast<int>(large ? kernel::max_cluster_blocks_opt_in : kernel::max_cluster_blocks);
        return cudaSuccess;
      },
      ARGUMENTS(out, symbol, config));
}

cudaError_t cudaOccupancyMaxActiveClusters(int* out, const void* symbol, const cudaLaunchConfig_t* config) {
  return api::entry(
      [&] {
        if (cudaError_t status = check_configuration(out, config); status != cudaSuccess) return status;
        if (config->numAttrs > 0 && !config->attrs) {
          return refuse(cudaErrorInvalidValue, "numAttrs is %u and attrs is null", config->numAttrs);
        }
        uint32_t cluster = cluster_blocks(*config);
        if (cluster == 0) return refuse(cudaErrorInvalidValue, "the cluster has a side of 0");
        const kernel::Function* function = find_with_code(symbol);
        if (!function) return cudaErrorInvalidDeviceFunction;
        uint32_t dynamic =
            static_cast<uint32_t>(std::min<size_t>(config->dynamicSmemBytes, kernel::max_shared_opt_in + 1));
        uint32_t blocks = kernel::resident_blocks(*function, threads_of(*config), dynamic);
        *out = static_cast<int>(blocks * static_cast<uint32_t>(core_count()) / cluster);
        return cudaSuccess;
      },
      ARGUMENTS(out, symbol, config));
}
