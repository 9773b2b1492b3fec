#include "driver/graph/node_parameters.h"

#include <cuda_runtime_api.h>

#include <cstring>

#include "diagnose/refuse.h"
#include "driver/context/context.h"
#include "driver/entry/same_layout.h"
#include "driver/memory/copy_parameters.h"
#include "memory/graph/graph_memory.h"

namespace reprise_runtime::driver {
namespace {

using diagnose::refuse;

bool any_set(const int* words, int count) {
  for (int i = 0; i < count; ++i) {
    if (words[i] != 0) return true;
  }
  return false;
}

// The two unions have members of the same layout here: what is not named by a context.
template <class To, class From>
void same_layout(To& to, const From& from) {
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
}

void set_kernel(cudaKernelNodeParamsV2& to, const CUDA_KERNEL_NODE_PARAMS_v3& from) {
  const cudaKernelNodeParams made = runtime_kernel(from);
  to = {made.func, made.gridDim, made.blockDim, made.sharedMemBytes, made.kernelParams, made.extra};
}

cudaError_t set_memcpy(cudaMemcpyNodeParams& to, const CUDA_MEMCPY_NODE_PARAMS& from) {
  if (cudaError_t status = check_context(from.copyCtx); status != cudaSuccess) return status;
  Result<cudaMemcpy3DParms> copy = runtime_copy(from.copyParams);
  if (!copy.ok()) return copy.status();
  to.flags = from.flags;
  to.copyParams = *copy;
  return cudaSuccess;
}

cudaError_t set_memset(cudaMemsetParamsV2& to, const CUDA_MEMSET_NODE_PARAMS_v2& from) {
  if (cudaError_t status = check_context(from.ctx); status != cudaSuccess) return status;
  const cudaMemsetParams made = runtime_memset(from);
  if (!from.ctx && memory::GraphMemory::instance().around(made.dst)) {
    return refuse(cudaErrorInvalidValue, "memory of a graph belongs to no context; name one in memset.ctx");
  }
  to = {made.dst, made.pitch, made.value, made.elementSize, made.width, made.height};
  return cudaSuccess;
}

}  // namespace

cudaError_t check_context(CUcontext context) {
  if (!context || Context::find(context)) return cudaSuccess;
  return refuse(cudaErrorDeviceUninitialized, "%p is not a context", static_cast<void*>(context));
}

CUDA_KERNEL_NODE_PARAMS driver_kernel(const cudaKernelNodeParams& from) {
  cudaFunction_t function = nullptr;
  static_cast<void>(cudaGetFuncBySymbol(&function, from.func));
  Context* current = Context::current();
  return {function,
          from.gridDim.x,
          from.gridDim.y,
          from.gridDim.z,
          from.blockDim.x,
          from.blockDim.y,
          from.blockDim.z,
          from.sharedMemBytes,
          from.kernelParams,
          from.extra,
          reinterpret_cast<CUkernel>(function),
          current ? current->handle() : nullptr};
}

CUDA_MEMSET_NODE_PARAMS driver_memset(const cudaMemsetParams& from) {
  return {reinterpret_cast<CUdeviceptr>(from.dst), from.pitch, from.value, from.elementSize, from.width, from.height};
}

Result<cudaGraphNodeParams> runtime_node(const CUgraphNodeParams& from) {
  if (any_set(from.reserved0, 3) || from.reserved2 != 0) {
    return refuse(cudaErrorInvalidValue, "the reserved members of the node's parameters must be 0");
  }
  cudaGraphNodeParams to{};
  to.type = as_runtime(from.type);
  cudaError_t status = cudaSuccess;
  switch (from.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      set_kernel(to.kernel, from.kernel);
      break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      status = set_memcpy(to.memcpy, from.memcpy);
      break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
      status = set_memset(to.memset, from.memset);
      break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      if (status = check_context(from.conditional.ctx); status != cudaSuccess) break;
      to.conditional.handle = from.conditional.handle;
      to.conditional.type = as_runtime(from.conditional.type);
      to.conditional.size = from.conditional.size;
      break;
    default:
      same_layout(to.reserved1, from.reserved1);
  }
  if (status != cudaSuccess) return status;
  return to;
}

}  // namespace reprise_runtime::driver
