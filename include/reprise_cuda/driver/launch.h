/* Launches of the driver API. */
#ifndef REPRISE_DRIVER_LAUNCH_H
#define REPRISE_DRIVER_LAUNCH_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                                    unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                                    unsigned int sharedMemBytes, CUstream hStream, void** kernelParams, void** extra);
REPRISE_API CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra);
REPRISE_API CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                               unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                               unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                                               void** kernelParams);
REPRISE_DEPRECATED REPRISE_API CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS* launchParamsList,
                                                                             unsigned int numDevices,
                                                                             unsigned int flags);
REPRISE_API CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData);
REPRISE_DEPRECATED REPRISE_API CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes);
REPRISE_DEPRECATED REPRISE_API CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value);
REPRISE_DEPRECATED REPRISE_API CUresult cuParamSetf(CUfunction hfunc, int offset, float value);
REPRISE_DEPRECATED REPRISE_API CUresult cuParamSetv(CUfunction hfunc, int offset, void* ptr, unsigned int numbytes);
REPRISE_DEPRECATED REPRISE_API CUresult cuLaunch(CUfunction f);
REPRISE_DEPRECATED REPRISE_API CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height);
REPRISE_DEPRECATED REPRISE_API CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height,
                                                          CUstream hStream);
REPRISE_DEPRECATED REPRISE_API CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef);

REPRISE_END_C

#endif /* REPRISE_DRIVER_LAUNCH_H */
