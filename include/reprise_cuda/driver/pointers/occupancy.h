/* Types of pointers to calls by version: occupancy. */
#ifndef REPRISE_DRIVER_POINTERS_OCCUPANCY_H
#define REPRISE_DRIVER_POINTERS_OCCUPANCY_H

#include <cuda.h>

typedef CUresult (*PFN_cuOccupancyMaxActiveBlocksPerMultiprocessor_v6050)(int*, CUfunction, int, size_t);
typedef CUresult (*PFN_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_v7000)(int*, CUfunction, int, size_t,
                                                                                   unsigned int);
typedef CUresult (*PFN_cuOccupancyMaxPotentialBlockSize_v6050)(int*, int*, CUfunction, CUoccupancyB2DSize, size_t, int);
typedef CUresult (*PFN_cuOccupancyMaxPotentialBlockSizeWithFlags_v7000)(int*, int*, CUfunction, CUoccupancyB2DSize,
                                                                        size_t, int, unsigned int);
typedef CUresult (*PFN_cuOccupancyAvailableDynamicSMemPerBlock_v10020)(size_t*, CUfunction, int, int);
typedef CUresult (*PFN_cuOccupancyMaxPotentialClusterSize_v11070)(int*, CUfunction, const CUlaunchConfig*);
typedef CUresult (*PFN_cuOccupancyMaxActiveClusters_v11070)(int*, CUfunction, const CUlaunchConfig*);

#endif /* REPRISE_DRIVER_POINTERS_OCCUPANCY_H */
