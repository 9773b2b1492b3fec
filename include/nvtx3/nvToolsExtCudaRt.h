/* Names for the runtime's objects in a profiler; see nvToolsExt.h. */
#ifndef REPRISE_NVTX3_NVTOOLSEXTCUDART_H
#define REPRISE_NVTX3_NVTOOLSEXTCUDART_H

#include "../cuda_runtime_api.h"
#include "nvToolsExt.h"

REPRISE_NVTX_2(void, nvtxNameCudaDeviceA, int, const char*, (void)0)
REPRISE_NVTX_2(void, nvtxNameCudaDeviceW, int, const wchar_t*, (void)0)
REPRISE_NVTX_2(void, nvtxNameCudaStreamA, cudaStream_t, const char*, (void)0)
REPRISE_NVTX_2(void, nvtxNameCudaStreamW, cudaStream_t, const wchar_t*, (void)0)
REPRISE_NVTX_2(void, nvtxNameCudaEventA, cudaEvent_t, const char*, (void)0)
REPRISE_NVTX_2(void, nvtxNameCudaEventW, cudaEvent_t, const wchar_t*, (void)0)

#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif /* REPRISE_NVTX3_NVTOOLSEXTCUDART_H */
