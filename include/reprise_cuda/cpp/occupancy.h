// Occupancy of a kernel given as a function, and the block size with the highest occupancy.
#ifndef REPRISE_CPP_OCCUPANCY_H
#define REPRISE_CPP_OCCUPANCY_H

#include <cuda_runtime_api.h>

template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, T func,
                                                                                          int blockSize,
                                                                                          size_t dynamicSMemSize,
                                                                                          unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void*)func, blockSize,
                                                                  dynamicSMemSize, flags);
}

template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, T func, int blockSize,
                                                                                 size_t dynamicSMemSize) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void*)func, blockSize,
                                                                  dynamicSMemSize, cudaOccupancyDefault);
}

template <class T>
static inline __host__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, T* func,
                                                                             int numBlocks, int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void*)func, numBlocks, blockSize);
}

template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, T* func,
                                                                        const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(clusterSize, (const void*)func, config);
}

template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters, T* func,
                                                                  const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(numClusters, (const void*)func, config);
}

namespace __reprise {

// Tries block sizes in whole warps, from the largest allowed downwards, and keeps the first with the most
// threads on a multiprocessor. shared_of(block_size) returns the dynamic shared memory of such a block.
template <class SharedOfBlockSize>
inline __host__ cudaError_t best_block_size(int* grid_size, int* block_size, const void* kernel,
                                            SharedOfBlockSize shared_of, int limit, unsigned int flags) {
  if (!grid_size || !block_size || !kernel) return cudaErrorInvalidValue;

  int device = 0, threads_per_multiprocessor = 0, warp = 0, threads_per_block = 0, multiprocessors = 0;
  struct cudaFuncAttributes attributes;
  cudaError_t status = ::cudaGetDevice(&device);
  const struct {
    int* value;
    cudaDeviceAttr attribute;
  } wanted[] = {{&threads_per_multiprocessor, cudaDevAttrMaxThreadsPerMultiProcessor},
                {&warp, cudaDevAttrWarpSize},
                {&threads_per_block, cudaDevAttrMaxThreadsPerBlock},
                {&multiprocessors, cudaDevAttrMultiProcessorCount}};
  for (const auto& want : wanted)
    if (status == cudaSuccess) status = ::cudaDeviceGetAttribute(want.value, want.attribute, device);
  if (status == cudaSuccess) status = ::cudaFuncGetAttributes(&attributes, kernel);
  if (status != cudaSuccess) return status;

  if (limit == 0 || limit > threads_per_block) limit = threads_per_block;
  if (limit > attributes.maxThreadsPerBlock) limit = attributes.maxThreadsPerBlock;

  int best_threads = 0, best_blocks = 0, best = 0;
  for (int whole_warps = (limit + warp - 1) / warp * warp; whole_warps > 0; whole_warps -= warp) {
    const int candidate = whole_warps < limit ? whole_warps : limit;
    int blocks = 0;
    status = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, candidate, shared_of(candidate),
                                                                      flags);
    if (status != cudaSuccess) return status;
    if (candidate * blocks > best_threads) {
      best = candidate;
      best_blocks = blocks;
      best_threads = candidate * blocks;
    }
    if (best_threads == threads_per_multiprocessor) break;
  }
  *grid_size = best_blocks * multiprocessors;
  *block_size = best;
  return cudaSuccess;
}

}  // namespace __reprise

template <class UnaryFunction, class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* minGridSize, int* blockSize, T func, UnaryFunction blockSizeToDynamicSMemSize, int blockSizeLimit = 0,
    unsigned int flags = 0) {
  return __reprise::best_block_size(minGridSize, blockSize, (const void*)func, blockSizeToDynamicSMemSize,
                                    blockSizeLimit, flags);
}

template <class UnaryFunction, class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int* minGridSize, int* blockSize, T func, UnaryFunction blockSizeToDynamicSMemSize, int blockSizeLimit = 0) {
  return __reprise::best_block_size(minGridSize, blockSize, (const void*)func, blockSizeToDynamicSMemSize,
                                    blockSizeLimit, cudaOccupancyDefault);
}

template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, T func,
                                                                               size_t dynamicSMemSize = 0,
                                                                               int blockSizeLimit = 0,
                                                                               unsigned int flags = 0) {
  return __reprise::best_block_size(
      minGridSize, blockSize, (const void*)func, [dynamicSMemSize](int) { return dynamicSMemSize; }, blockSizeLimit,
      flags);
}

template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T func,
                                                                      size_t dynamicSMemSize = 0,
                                                                      int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit,
                                                     cudaOccupancyDefault);
}

#endif  // REPRISE_CPP_OCCUPANCY_H
