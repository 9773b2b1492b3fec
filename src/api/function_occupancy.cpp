// How many blocks of a kernel a multiprocessor keeps alive at once.
#include <cuda_runtime_api.h>

#include <algorithm>

#include "api/entry.h"
#include "kernel/launch_shape.h"
#include "kernel/registry.h"

using namespace reprise_runtime;

namespace {

cudaError_t active_blocks(int* out, const void* symbol, int threads, size_t shared, unsigned flags) {
  if (!out || threads <= 0 || (flags & ~static_cast<unsigned>(cudaOccupancyDisableCachingOverride))) {
    return cudaErrorInvalidValue;
  }
  const kernel::Function* function = kernel::find_function(symbol);
  if (!function || !function->code()) return cudaErrorInvalidDeviceFunction;
  uint32_t dynamic = static_cast<uint32_t>(std::min<size_t>(shared, kernel::max_shared_opt_in + 1));
  *out = static_cast<int>(kernel::resident_blocks(*function, static_cast<uint32_t>(threads), dynamic));
  return cudaSuccess;
}

cudaError_t available_shared(size_t* out, const void* symbol, int blocks, int threads) {
  if (!out || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
  const kernel::Function* function = kernel::find_function(symbol);
  if (!function || !function->code()) return cudaErrorInvalidDeviceFunction;
  if (static_cast<uint32_t>(blocks) > kernel::resident_blocks(*function, static_cast<uint32_t>(threads), 0)) {
    return cudaErrorInvalidValue;
  }
  // The H200 leaves out of account what the system reserves of each block's share.
  const uint32_t each = kernel::multiprocessor_shared / static_cast<uint32_t>(blocks);
  *out = std::min(each - function->code()->static_shared, function->max_dynamic_shared());
  return cudaSuccess;
}

// Blocks in the cluster that a configuration asks for; 0 for what is no cluster.
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
  return api::entry([&] { return active_blocks(out, symbol, threads, shared, cudaOccupancyDefault); });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* out, const void* symbol, int threads,
                                                                   size_t shared, unsigned flags) {
  return api::entry([&] { return active_blocks(out, symbol, threads, shared, flags); });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* out, const void* symbol, int blocks, int threads) {
  return api::entry([&] { return available_shared(out, symbol, blocks, threads); });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* out, const void* symbol, const cudaLaunchConfig_t* config) {
  return api::entry([&] {
    if (!out || !config) return cudaErrorInvalidValue;
    const kernel::Function* function = kernel::find_function(symbol);
    if (!function || !function->code()) return cudaErrorInvalidDeviceFunction;
    bool large = function->settings().non_portable_cluster.load(std::memory_order_relaxed) != 0;
    *out = static_cast<int>(large ? kernel::max_cluster_blocks_opt_in : kernel::max_cluster_blocks);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* out, const void* symbol, const cudaLaunchConfig_t* config) {
  return api::entry([&] {
    if (!out || !config || (config->numAttrs > 0 && !config->attrs)) return cudaErrorInvalidValue;
    uint32_t cluster = cluster_blocks(*config);
    if (cluster == 0) return cudaErrorInvalidValue;
    const kernel::Function* function = kernel::find_function(symbol);
    if (!function || !function->code()) return cudaErrorInvalidDeviceFunction;
    uint32_t dynamic = static_cast<uint32_t>(std::min<size_t>(config->dynamicSmemBytes, kernel::max_shared_opt_in + 1));
    uint32_t blocks = kernel::resident_blocks(*function, threads_of(*config), dynamic);
    *out = static_cast<int>(blocks * static_cast<uint32_t>(core_count()) / cluster);
    return cudaSuccess;
  });
}
