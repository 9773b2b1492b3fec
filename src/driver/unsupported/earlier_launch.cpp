// Refused calls: launches in the manner of CUDA 3.
#include "driver/unsupported/unsupported.h"

#define WHY "the calls that set parameters one by one are not supported; use cuLaunchKernel"

extern "C" {

UNSUPPORTED(cuCtxAttach, (CUcontext * pctx, unsigned int flags), (pctx, flags))
UNSUPPORTED(cuCtxDetach, (CUcontext ctx), (ctx))
UNSUPPORTED(cuLaunchCooperativeKernelMultiDevice,
            (CUDA_LAUNCH_PARAMS * launchParamsList, unsigned int numDevices, unsigned int flags),
            (launchParamsList, numDevices, flags))
UNSUPPORTED(cuParamSetSize, (CUfunction hfunc, unsigned int numbytes), (hfunc, numbytes))
UNSUPPORTED(cuParamSeti, (CUfunction hfunc, int offset, unsigned int value), (hfunc, offset, value))
UNSUPPORTED(cuParamSetf, (CUfunction hfunc, int offset, float value), (hfunc, offset, value))
UNSUPPORTED(cuParamSetv, (CUfunction hfunc, int offset, void* ptr, unsigned int numbytes),
            (hfunc, offset, ptr, numbytes))
UNSUPPORTED(cuLaunch, (CUfunction f), (f))
UNSUPPORTED(cuLaunchGrid, (CUfunction f, int grid_width, int grid_height), (f, grid_width, grid_height))
UNSUPPORTED(cuLaunchGridAsync, (CUfunction f, int grid_width, int grid_height, CUstream hStream),
            (f, grid_width, grid_height, hStream))
UNSUPPORTED(cuParamSetTexRef, (CUfunction hfunc, int texunit, CUtexref hTexRef), (hfunc, texunit, hTexRef))
UNSUPPORTED(cuFuncSetBlockShape, (CUfunction hfunc, int x, int y, int z), (hfunc, x, y, z))
UNSUPPORTED(cuFuncSetSharedSize, (CUfunction hfunc, unsigned int bytes), (hfunc, bytes))
}
