// How many blocks of a kernel, and how many clusters, the device runs at a time.
#include <reprise_cuda/cpp/occupancy.h>

#include "driver/entry/entry.h"
#include "driver/kernel/launch_config.h"

using namespace reprise_runtime;

namespace {

cudaError_t best_block_size(int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_of, size_t shared,
                            int limit, unsigned flags) {
  if (!grid || !block) return diagnose::refuse(cudaErrorInvalidValue, "an output pointer is null");
  if (!function) return diagnose::refuse(cudaErrorInvalidResourceHandle, "the function is null");
  const auto of = [&](int threads) { return shared_of ? shared_of(threads) : shared; };
  return __reprise::best_block_size(grid, block, reinterpret_cast<const void*>(function), of, limit, flags);
}

template <class Call>
cudaError_t with_config(const CUlaunchConfig* config, Call&& call) {
  if (!config) return call(nullptr);
  const cudaLaunchConfig_t made = driver::runtime_config(*config);
  return call(&made);
}

}  // namespace

extern "C" {

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func, int blockSize,
                                                     size_t dynamicSMemSize) {
  return driver::entry(
      [&] {
        return cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, static_cast<const void*>(func), blockSize,
                                                             dynamicSMemSize);
      },
      ARGUMENTS(numBlocks, func, blockSize, dynamicSMemSize));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, CUfunction func, int blockSize,
                                                              size_t dynamicSMemSize, unsigned int flags) {
  return driver::entry(
      [&] {
        return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, static_cast<const void*>(func),
                                                                      blockSize, dynamicSMemSize, flags);
      },
      ARGUMENTS(numBlocks, func, blockSize, dynamicSMemSize, flags));
}

CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize,
                                          int blockSizeLimit) {
  return driver::entry(
      [&] {
        return best_block_size(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize,
                               blockSizeLimit, 0);
      },
      ARGUMENTS(minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit));
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, CUfunction func,
                                                   CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit, unsigned int flags) {
  return driver::entry(
      [&] {
        return best_block_size(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize,
                               blockSizeLimit, flags);
      },
      ARGUMENTS(minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit, flags));
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, CUfunction func, int numBlocks,
                                                 int blockSize) {
  return driver::entry(
      [&] {
        return cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, static_cast<const void*>(func), numBlocks,
                                                         blockSize);
      },
      ARGUMENTS(dynamicSmemSize, func, numBlocks, blockSize));
}

CUresult cuOccupancyMaxPotentialClusterSize(int* clusterSize, CUfunction func, const CUlaunchConfig* config) {
  return driver::entry(
      [&] {
        return with_config(config, [&](const cudaLaunchConfig_t* made) {
          return cudaOccupancyMaxPotentialClusterSize(clusterSize, static_cast<const void*>(func), made);
        });
      },
      ARGUMENTS(clusterSize, func, config));
}

CUresult cuOccupancyMaxActiveClusters(int* numClusters, CUfunction func, const CUlaunchConfig* config) {
  return driver::entry(
      [&] {
        return with_config(config, [&](const cudaLaunchConfig_t* made) {
          return cudaOccupancyMaxActiveClusters(numClusters, static_cast<const void*>(func), made);
        });
      },
      ARGUMENTS(numClusters, func, config));
}
}
