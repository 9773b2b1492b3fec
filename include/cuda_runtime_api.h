/* The CUDA runtime for C. */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#define CUDART_VERSION 13000
#define __CUDART_API_VERSION CUDART_VERSION

/* Calls that are also available in device code are declared for both. */
#define CUDART_DEVICE __device__

#include "builtin_types.h"
#include "reprise_cuda/api/array.h"
#include "reprise_cuda/api/capture.h"
#include "reprise_cuda/api/copy.h"
#include "reprise_cuda/api/device.h"
#include "reprise_cuda/api/earlier_forms.h"
#include "reprise_cuda/api/earlier_names.h"
#include "reprise_cuda/api/error.h"
#include "reprise_cuda/api/event.h"
#include "reprise_cuda/api/external.h"
#include "reprise_cuda/api/graph.h"
#include "reprise_cuda/api/graph_exec.h"
#include "reprise_cuda/api/graph_memory.h"
#include "reprise_cuda/api/graph_node.h"
#include "reprise_cuda/api/graphics.h"
#include "reprise_cuda/api/ipc.h"
#include "reprise_cuda/api/launch.h"
#include "reprise_cuda/api/library.h"
#include "reprise_cuda/api/log.h"
#include "reprise_cuda/api/managed.h"
#include "reprise_cuda/api/memory.h"
#include "reprise_cuda/api/memory_pool.h"
#include "reprise_cuda/api/occupancy.h"
#include "reprise_cuda/api/peer.h"
#include "reprise_cuda/api/stream.h"
#include "reprise_cuda/api/symbol.h"
#include "reprise_cuda/api/texture.h"
#include "reprise_cuda/api/user_object.h"
#include "reprise_cuda/api/version.h"

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
/* For `<<<>>>`, a compiler needs a declaration of cudaLaunchKernel by its plain name. */
#undef cudaLaunchKernel
#undef cudaLaunchKernelExC
REPRISE_BEGIN_C
static __inline__ __host__ cudaError_t cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                                                        size_t sharedMem, cudaStream_t stream) {
  return cudaLaunchKernel_ptsz(func, gridDim, blockDim, args, sharedMem, stream);
}
static __inline__ __host__ cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func,
                                                           void** args) {
  return cudaLaunchKernelExC_ptsz(config, func, args);
}
REPRISE_END_C
#define cudaLaunchKernel __CUDART_API_PTSZ(cudaLaunchKernel)
#define cudaLaunchKernelExC __CUDART_API_PTSZ(cudaLaunchKernelExC)
#endif

#endif /* __CUDA_RUNTIME_API_H__ */
