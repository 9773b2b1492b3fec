/* Types of pointers to calls by version: launches. */
#ifndef REPRISE_DRIVER_POINTERS_LAUNCH_H
#define REPRISE_DRIVER_POINTERS_LAUNCH_H

#include <cuda.h>

typedef CUresult (*PFN_cuLaunchKernel_v7000_ptsz)(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int,
                                                  unsigned int, unsigned int, unsigned int, CUstream, void**, void**);
typedef CUresult (*PFN_cuLaunchKernelEx_v11060_ptsz)(const CUlaunchConfig*, CUfunction, void**, void**);
typedef CUresult (*PFN_cuLaunchCooperativeKernel_v9000_ptsz)(CUfunction, unsigned int, unsigned int, unsigned int,
                                                             unsigned int, unsigned int, unsigned int, unsigned int,
                                                             CUstream, void**);
typedef CUresult (*PFN_cuLaunchCooperativeKernelMultiDevice_v9000)(CUDA_LAUNCH_PARAMS_v1*, unsigned int, unsigned int);
typedef CUresult (*PFN_cuLaunchHostFunc_v10000_ptsz)(CUstream, CUhostFn, void*);
typedef CUresult (*PFN_cuParamSetSize_v2000)(CUfunction, unsigned int);
typedef CUresult (*PFN_cuParamSeti_v2000)(CUfunction, int, unsigned int);
typedef CUresult (*PFN_cuParamSetf_v2000)(CUfunction, int, float);
typedef CUresult (*PFN_cuParamSetv_v2000)(CUfunction, int, void*, unsigned int);
typedef CUresult (*PFN_cuLaunch_v2000)(CUfunction);
typedef CUresult (*PFN_cuLaunchGrid_v2000)(CUfunction, int, int);
typedef CUresult (*PFN_cuLaunchGridAsync_v2000)(CUfunction, int, int, CUstream);
typedef CUresult (*PFN_cuParamSetTexRef_v2000)(CUfunction, int, CUtexref);
typedef CUresult (*PFN_cuLaunchKernel_v4000)(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int,
                                             unsigned int, unsigned int, unsigned int, CUstream, void**, void**);
typedef CUresult (*PFN_cuLaunchKernelEx_v11060)(const CUlaunchConfig*, CUfunction, void**, void**);
typedef CUresult (*PFN_cuLaunchHostFunc_v10000)(CUstream, CUhostFn, void*);
typedef CUresult (*PFN_cuLaunchCooperativeKernel_v9000)(CUfunction, unsigned int, unsigned int, unsigned int,
                                                        unsigned int, unsigned int, unsigned int, unsigned int,
                                                        CUstream, void**);

#endif /* REPRISE_DRIVER_POINTERS_LAUNCH_H */
