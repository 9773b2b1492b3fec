/* Number of blocks that fit on a multiprocessor. */
#ifndef REPRISE_API_OCCUPANCY_H
#define REPRISE_API_OCCUPANCY_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func, int blockSize,
                                                                      size_t dynamicSMemSize);
REPRISE_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* func,
                                                                  int numBlocks, int blockSize);
REPRISE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func,
                                                                               int blockSize, size_t dynamicSMemSize,
                                                                               unsigned int flags);
REPRISE_API cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, const void* func,
                                                             const cudaLaunchConfig_t* launchConfig);
REPRISE_API cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters, const void* func,
                                                       const cudaLaunchConfig_t* launchConfig);

REPRISE_END_C

#endif /* REPRISE_API_OCCUPANCY_H */
