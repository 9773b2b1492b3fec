// Graphs and capture through the driver API, alone and mixed with the runtime's calls.
#include "driver_support.h"

namespace {

__global__ void increment(int* value) { *value += 1; }

}  // namespace

class DriverGraph : public Runtime {
 protected:
  void SetUp() override {
    Runtime::SetUp();
    MUST(cudaMalloc(&value_, sizeof *value_));
    MUST(cudaMemset(value_, 0, sizeof *value_));
    cudaFunction_t function;
    MUST(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(increment)));
    kernel_.func = function;
    kernel_.gridDimX = kernel_.gridDimY = kernel_.gridDimZ = 1;
    kernel_.blockDimX = kernel_.blockDimY = kernel_.blockDimZ = 1;
    kernel_.kernelParams = arguments_;
    MUST_DRIVER(cuCtxGetCurrent(&context_));
    MUST_DRIVER(cuGraphCreate(&graph_, 0));
  }
  void TearDown() override {
    cudaGraphDestroy(graph_);
    cudaFree(value_);
    Runtime::TearDown();
  }

  int* value_ = nullptr;
  void* arguments_[1] = {&value_};
  CUDA_KERNEL_NODE_PARAMS kernel_{};
  CUcontext context_ = nullptr;
  CUgraph graph_ = nullptr;
  CUgraphNode node_ = nullptr;
};

TEST_F(DriverGraph, TakesNoFlags) {
  CUgraph other;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphCreate(&other, 1));
}

TEST_F(DriverGraph, AKernelNodeTellsWhatItWasGiven) {
  ASK_DRIVER(CUDA_SUCCESS, cuGraphAddKernelNode(&node_, graph_, nullptr, 0, &kernel_));
  CUDA_KERNEL_NODE_PARAMS told{};
  ASK_DRIVER(CUDA_SUCCESS, cuGraphKernelNodeGetParams(node_, &told));
  ASK_VALUE(true, told.func == kernel_.func);
  ASK_VALUE(true, told.kern != nullptr);
  ASK_VALUE(true, told.ctx != nullptr);
  cudaKernelNodeParams runtime{};
  ASK(cudaSuccess, cudaGraphKernelNodeGetParams(node_, &runtime));
  ASK_VALUE(true, runtime.func == reinterpret_cast<void*>(increment));
}

TEST_F(DriverGraph, NodesOfAnyTypeByOneCall) {
  CUgraphNodeParams parameters;
  std::memset(&parameters, 0, sizeof parameters);
  parameters.type = CU_GRAPH_NODE_TYPE_KERNEL;
  parameters.kernel.func = kernel_.func;
  parameters.kernel.gridDimX = parameters.kernel.gridDimY = parameters.kernel.gridDimZ = 1;
  parameters.kernel.blockDimX = parameters.kernel.blockDimY = parameters.kernel.blockDimZ = 1;
  parameters.kernel.kernelParams = arguments_;
  ASK_DRIVER(CUDA_SUCCESS, cuGraphAddNode(&node_, graph_, nullptr, nullptr, 0, &parameters));
  parameters.kernel.gridDimX = 0;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&node_, graph_, nullptr, nullptr, 0, &parameters));
  std::memset(&parameters, 0, sizeof parameters);
  parameters.type = CU_GRAPH_NODE_TYPE_EMPTY;
  ASK_DRIVER(CUDA_SUCCESS, cuGraphAddNode(&node_, graph_, nullptr, nullptr, 0, &parameters));
  parameters.reserved1[0] = 1;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&node_, graph_, nullptr, nullptr, 0, &parameters));
}

TEST_F(DriverGraph, CopiesAndFillsNeedNoContext) {
  int host = 0;
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = reinterpret_cast<CUdeviceptr>(value_);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = &host;
  copy.WidthInBytes = sizeof host;
  copy.Height = copy.Depth = 1;
  CUDA_MEMSET_NODE_PARAMS fill{};
  fill.dst = reinterpret_cast<CUdeviceptr>(value_);
  fill.elementSize = 4;
  fill.width = fill.height = 1;
  fill.value = 4;
  CUgraphNode filled, copied;
  ASK_DRIVER(CUDA_SUCCESS, cuGraphAddMemsetNode(&filled, graph_, nullptr, 0, &fill, context_));
  ASK_DRIVER(CUDA_SUCCESS, cuGraphAddMemcpyNode(&copied, graph_, &filled, 1, &copy, context_));
  ASK_DRIVER(CUDA_SUCCESS, cuGraphAddMemcpyNode(&node_, graph_, &copied, 1, &copy, nullptr));
  copy.srcMemoryType = static_cast<CUmemorytype>(9);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemcpyNode(&node_, graph_, nullptr, 0, &copy, context_));
  CUgraphExec exec;
  MUST_DRIVER(cuGraphInstantiate(&exec, graph_, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuGraphLaunch(exec, nullptr));
  ASK_DRIVER(CUDA_SUCCESS, cuCtxSynchronize());
  ASK_VALUE(4, host);
  CUgraphExecUpdateResultInfo info{};
  ASK_DRIVER(CUDA_SUCCESS, cuGraphExecUpdate(exec, graph_, &info));
  ASK_VALUE(CU_GRAPH_EXEC_UPDATE_SUCCESS, info.result);
  MUST_DRIVER(cuGraphExecDestroy(exec));
}

TEST_F(DriverGraph, BothCallsMixInOneCapture) {
  CUstream stream;
  MUST_DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  MUST_DRIVER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  ASK_DRIVER(CUDA_SUCCESS, cuMemsetD32Async(reinterpret_cast<CUdeviceptr>(value_), 5, 1, stream));
  increment<<<1, 1, 0, stream>>>(value_);
  ASK(cudaSuccess, cudaGetLastError());
  ASK(cudaSuccess, cudaMemcpyAsync(value_, value_, 4, cudaMemcpyDefault, stream));
  CUstreamCaptureStatus status;
  cuuint64_t id;
  CUgraph graph;
  const CUgraphNode* dependencies;
  size_t count = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, nullptr, &count));
  ASK_VALUE(CU_STREAM_CAPTURE_STATUS_ACTIVE, status);
  ASK_VALUE(1, count);
  ASK_DRIVER(CUDA_SUCCESS, cuStreamEndCapture(stream, &graph));
  CUgraphExec exec;
  MUST_DRIVER(cuGraphInstantiate(&exec, graph, 0));
  ASK(cudaSuccess, cudaGraphLaunch(exec, stream));
  ASK_DRIVER(CUDA_SUCCESS, cuStreamSynchronize(stream));
  int value = 0;
  MUST(cudaMemcpy(&value, value_, sizeof value, cudaMemcpyDefault));
  ASK_VALUE(6, value);
}

TEST_F(DriverGraph, AllocatingInACaptureInvalidatesIt) {
  CUstream stream;
  MUST_DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  MUST_DRIVER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUdeviceptr memory;
  CUgraph graph = nullptr;
  ASK_DRIVER(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc(&memory, 4));
  ASK_DRIVER(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
}

TEST_F(DriverGraph, NodesGiveTheirParametersAsTheyWere) {
  CUDA_MEMCPY3D copy{}, told{};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = copy.dstDevice = reinterpret_cast<CUdeviceptr>(value_);
  copy.WidthInBytes = 4;
  copy.Height = copy.Depth = 1;
  MUST_DRIVER(cuGraphAddMemcpyNode(&node_, graph_, nullptr, 0, &copy, context_));
  MUST_DRIVER(cuGraphMemcpyNodeGetParams(node_, &told));
  ASK_VALUE(CU_MEMORYTYPE_UNIFIED, told.srcMemoryType);
  ASK_VALUE(0, told.srcPitch);
  ASK_VALUE(0, told.srcHeight);
  CUDA_MEMSET_NODE_PARAMS fill{};
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphMemsetNodeGetParams(node_, &fill));
  fill.dst = reinterpret_cast<CUdeviceptr>(value_);
  fill.width = fill.height = 1;
  fill.elementSize = 3;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemsetNode(&node_, graph_, nullptr, 0, &fill, context_));
}

TEST_F(DriverGraph, AConditionalHandleNeedsAContext) {
  CUgraphConditionalHandle handle;
  ASK_DRIVER(CUDA_SUCCESS, cuGraphConditionalHandleCreate(&handle, graph_, context_, 0, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuGraphConditionalHandleCreate(&handle, graph_, nullptr, 0, 0));
}

TEST_F(DriverGraph, WrongHandles) {
  CUgraphExec exec;
  CUgraphNodeType type;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphNodeGetType(nullptr, &type));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(nullptr));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphExecDestroy(nullptr));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&exec, nullptr, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(nullptr, graph_, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&exec, graph_, 1 << 20));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(nullptr, nullptr));
  kernel_.func = nullptr;
  ASK_DRIVER(CUDA_ERROR_INVALID_HANDLE, cuGraphAddKernelNode(&node_, graph_, nullptr, 0, &kernel_));
  cudaKernel_t kernel;
  MUST(cudaGetKernel(&kernel, reinterpret_cast<const void*>(increment)));
  kernel_.kern = reinterpret_cast<CUkernel>(kernel);
  ASK_DRIVER(CUDA_SUCCESS, cuGraphAddKernelNode(&node_, graph_, nullptr, 0, &kernel_));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode(&node_, graph_, nullptr, 0, nullptr));
  MUST_DRIVER(cuGraphInstantiate(&exec, graph_, 0));
  CUgraph empty;
  CUgraphExecUpdateResultInfo info{};
  MUST_DRIVER(cuGraphCreate(&empty, 0));
  ASK_DRIVER(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, empty, &info));
  ASK_VALUE(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, info.result);
  MUST_DRIVER(cuGraphDestroy(empty));
  MUST_DRIVER(cuGraphExecDestroy(exec));
}
