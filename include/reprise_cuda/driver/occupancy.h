/* Occupancy of the driver API. */
#ifndef REPRISE_DRIVER_OCCUPANCY_H
#define REPRISE_DRIVER_OCCUPANCY_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func, int blockSize,
                                                                 size_t dynamicSMemSize);
REPRISE_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, CUfunction func,
                                                                          int blockSize, size_t dynamicSMemSize,
                                                                          unsigned int flags);
REPRISE_API CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction func,
                                                      CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                      size_t dynamicSMemSize, int blockSizeLimit);
REPRISE_API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, CUfunction func,
                                                               CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                               size_t dynamicSMemSize, int blockSizeLimit,
                                                               unsigned int flags);
REPRISE_API CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, CUfunction func, int numBlocks,
                                                             int blockSize);
REPRISE_API CUresult cuOccupancyMaxPotentialClusterSize(int* clusterSize, CUfunction func,
                                                        const CUlaunchConfig* config);
REPRISE_API CUresult cuOccupancyMaxActiveClusters(int* numClusters, CUfunction func, const CUlaunchConfig* config);

REPRISE_END_C

#endif /* REPRISE_DRIVER_OCCUPANCY_H */
