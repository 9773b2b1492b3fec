/* Launching kernels and host functions; attributes of kernels. */
#ifndef REPRISE_API_LAUNCH_H
#define REPRISE_API_LAUNCH_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem,
                                         cudaStream_t stream);
REPRISE_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args);
REPRISE_API cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                                                    size_t sharedMem, cudaStream_t stream);
REPRISE_API cudaError_t cudaFuncSetCacheConfig(const void* func, enum cudaFuncCache cacheConfig);
REPRISE_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attr, const void* func);
REPRISE_API cudaError_t cudaFuncSetAttribute(const void* func, enum cudaFuncAttribute attr, int value);
REPRISE_API cudaError_t cudaFuncGetName(const char** name, const void* func);
REPRISE_API cudaError_t cudaFuncGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset,
                                             size_t* paramSize);
REPRISE_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData);
REPRISE_DEPRECATED REPRISE_API cudaError_t cudaFuncSetSharedMemConfig(const void* func,
                                                                      enum cudaSharedMemConfig config);
REPRISE_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t* functionPtr, const void* symbolPtr);
REPRISE_API cudaError_t cudaGetKernel(cudaKernel_t* kernelPtr, const void* entryFuncAddr);

REPRISE_END_C

#endif /* REPRISE_API_LAUNCH_H */
