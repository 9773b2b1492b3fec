// Structures and addresses for parameters of the driver API. Structures that both APIs lay out alike are filled as the
// runtime's.
#pragma once

#include <cuda.h>

#include "structures.h"

namespace fuzz {

class DriverStructures : protected Structures {
 protected:
  using Structures::fill;
  using Structures::Structures;

  // The driver API passes addresses as numbers; other parameters of the type are flags, sizes and the like.
  void fill(CUdeviceptr& value, const Parameter& p) {
    const bool is_address = p.is(
        {"dptr", "dst", "src", "dstDevice", "srcDevice", "devPtr", "ptr", "addr", "dptrs", "dsts", "srcs", "hostptr"});
    if (p.called("cuda") || !is_address) return Structures::fill<CUdeviceptr>(value, p);
    value = reinterpret_cast<CUdeviceptr>(memory_for(p));
  }

#define AS_RUNTIME(driver_type, runtime_type) \
  void fill(driver_type& value, const Parameter& p) { fill(reinterpret_cast<runtime_type&>(value), p); }
  AS_RUNTIME(CUmemLocation, cudaMemLocation)
  AS_RUNTIME(CUmemPoolProps, cudaMemPoolProps)
  AS_RUNTIME(CUmemAccessDesc, cudaMemAccessDesc)
  AS_RUNTIME(CUmemcpyAttributes, cudaMemcpyAttributes)
  AS_RUNTIME(CUgraphEdgeData, cudaGraphEdgeData)
  AS_RUNTIME(CUipcMemHandle, cudaIpcMemHandle_t)
  AS_RUNTIME(CUipcEventHandle, cudaIpcEventHandle_t)
  AS_RUNTIME(CUDA_MEMCPY3D_BATCH_OP, cudaMemcpy3DBatchOp)
  AS_RUNTIME(CUDA_HOST_NODE_PARAMS, cudaHostNodeParams)
  AS_RUNTIME(CUDA_MEM_ALLOC_NODE_PARAMS, cudaMemAllocNodeParams)
  AS_RUNTIME(CUDA_EXT_SEM_SIGNAL_NODE_PARAMS, cudaExternalSemaphoreSignalNodeParams)
  AS_RUNTIME(CUDA_EXT_SEM_WAIT_NODE_PARAMS, cudaExternalSemaphoreWaitNodeParams)
  AS_RUNTIME(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, cudaExternalSemaphoreHandleDesc)
  AS_RUNTIME(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, cudaExternalSemaphoreSignalParams)
  AS_RUNTIME(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, cudaExternalSemaphoreWaitParams)
#undef AS_RUNTIME

  void fill(CUDA_KERNEL_NODE_PARAMS& value, const Parameter& p) { fill_driver_kernel(value, p); }
  void fill(CUDA_MEMSET_NODE_PARAMS& value, const Parameter&) { fill_driver_set(value); }
  void fill(CUDA_MEMCPY3D& value, const Parameter& p) { fill_driver_box(value, p); }
  void fill(CUDA_MEMCPY3D_PEER& value, const Parameter& p) {
    fill_driver_box(value, p);
    value.srcContext = Handles<CUcontext>::pick(random_);
    value.dstContext = Handles<CUcontext>::pick(random_);
  }
  void fill(CUDA_MEMCPY2D& value, const Parameter& p) { fill_driver_plane(value, p); }
  void fill(CUlaunchConfig& value, const Parameter& p) {
    fill_shape(value, p);
    value.hStream = Handles<CUstream>::pick(random_);
  }
  void fill(CUDA_GRAPH_INSTANTIATE_PARAMS& value, const Parameter&) {
    value.flags = random_.right() ? 0 : random_.below(16);
    value.hUploadStream = Handles<CUstream>::pick(random_);
  }
  void fill(CUgraphNodeParams& value, const Parameter& p) {
    value.type = static_cast<CUgraphNodeType>(random_.below(15));
    switch (value.type) {
      case CU_GRAPH_NODE_TYPE_KERNEL:
        return fill_driver_kernel(value.kernel, p);
      case CU_GRAPH_NODE_TYPE_MEMCPY:
        return fill_driver_box(value.memcpy.copyParams, p);
      case CU_GRAPH_NODE_TYPE_MEMSET:
        return fill_driver_set(value.memset);
      case CU_GRAPH_NODE_TYPE_HOST:
        value.host.fn = function(static_cast<CUhostFn>(nullptr));
        return;
      case CU_GRAPH_NODE_TYPE_GRAPH:
        value.graph.graph = Handles<CUgraph>::pick(random_);
        return;
      case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        value.eventWait.event = Handles<CUevent>::pick(random_);
        return;
      case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        value.eventRecord.event = Handles<CUevent>::pick(random_);
        return;
      case CU_GRAPH_NODE_TYPE_MEM_FREE:
        value.free.dptr = reinterpret_cast<CUdeviceptr>(memories_.graph_memory());
        return;
      default:
        return;
    }
  }

  // ---- functions ----------------------------------------------------------------------------------------------------

  using Structures::function;
  static CUstreamCallback function(CUstreamCallback) {
    return [](CUstream, CUresult, void*) {};
  }
  static CUlogsCallback function(CUlogsCallback) {
    return [](void*, CUlogLevel, char*, size_t) {};
  }
  static CUasyncCallback function(CUasyncCallback) {
    return [](CUasyncNotificationInfo*, void*, CUasyncCallbackHandle) {};
  }
  static CUoccupancyB2DSize function(CUoccupancyB2DSize) {
    return [](int threads) { return static_cast<size_t>(threads); };
  }

 private:
  void* memory_for(const Parameter& p) {
    if (p.called("MemFreeNode")) return memories_.graph_memory();
    if (random_.right() && !p.called("Free")) return memories_.right(p.called("Prefetch") || p.called("Advise"));
    if (p.called("Graph")) return memories_.lasting();
    return p.called("Memcpy") ? memories_.any() : memories_.any_or_invented();
  }

  template <class T>
  void fill_shape(T& value, const Parameter& p) {
    dim3 grid, block;
    fill(grid, {p.call, "gridDim"});
    fill(block, {p.call, "blockDim"});
    value.gridDimX = grid.x, value.gridDimY = grid.y, value.gridDimZ = grid.z;
    value.blockDimX = block.x, value.blockDimY = block.y, value.blockDimZ = block.z;
    value.sharedMemBytes = random_.right() ? 0 : random_.pick<unsigned>({0, 0, 100, 49153});
  }
  template <class T>
  void fill_driver_kernel(T& value, const Parameter& p) {
    fill_shape(value, p);
    value.func = Handles<CUfunction>::pick(random_);
    if (random_.one_in(4)) value.kern = Handles<CUkernel>::pick(random_);
    if (random_.one_in(4)) value.ctx = Handles<CUcontext>::pick(random_);
    value.kernelParams = kernel_arguments();
  }
  template <class T>
  void fill_driver_set(T& value) {
    cudaMemsetParams made{};
    fill_set(made);
    value.dst = reinterpret_cast<CUdeviceptr>(made.dst);
    value.pitch = made.pitch;
    value.value = made.value;
    value.elementSize = made.elementSize;
    value.width = made.width;
    value.height = made.height;
  }
  // Both addresses of a side are the same memory, whichever its type chooses.
  template <class T>
  void fill_driver_plane(T& value, const Parameter& p) {
    void *const from = lasting_for(p), *const to = lasting_for(p);
    value.srcHost = from, value.dstHost = to;
    value.srcDevice = reinterpret_cast<CUdeviceptr>(from), value.dstDevice = reinterpret_cast<CUdeviceptr>(to);
    value.srcMemoryType = static_cast<CUmemorytype>(random_.right() ? 4 : random_.below(6));
    value.dstMemoryType = static_cast<CUmemorytype>(random_.right() ? 4 : random_.below(6));
    value.srcPitch = random_.pick<size_t>({0, 64, 255});
    value.dstPitch = random_.pick<size_t>({0, 64, 255});
    value.WidthInBytes = random_.below(40);
    value.Height = random_.below(5);
    value.srcY = random_.below(3), value.dstXInBytes = random_.below(3);
  }
  template <class T>
  void fill_driver_box(T& value, const Parameter& p) {
    fill_driver_plane(value, p);
    value.srcHeight = random_.below(8), value.dstHeight = random_.below(8);
    value.Depth = random_.below(4);
    value.dstZ = random_.below(2);
  }
};

}  // namespace fuzz
