// The driver API as portable libraries use it beside the runtime: a stream's context and device decide where work goes,
// a context is current for the length of a scope, and graphs are built through cuGraphAddNode alone.
#include <vector>

#include "driver_support.h"

namespace {

__global__ void add(int* value, int amount) { *value += amount; }
__global__ void count_down(cudaGraphConditionalHandle handle, int* value) {
  cudaGraphSetConditional(handle, --*value > 0);
}

CUfunction function_of(const void* symbol) {
  cudaFunction_t function = nullptr;
  EXPECT_EQ(cudaGetFuncBySymbol(&function, symbol), cudaSuccess);
  return function;
}

// Makes a context current, and the one before it when the scope ends.
class CurrentContext {
 public:
  explicit CurrentContext(CUcontext context) { EXPECT_EQ(cuCtxPushCurrent(context), CUDA_SUCCESS); }
  ~CurrentContext() {
    CUcontext popped;
    EXPECT_EQ(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  }
};

class LibraryStream {
 public:
  explicit LibraryStream(int device) {
    CUcontext context = nullptr;
    EXPECT_EQ(cuDevicePrimaryCtxRetain(&context, device), CUDA_SUCCESS);
    CurrentContext current(context);
    EXPECT_EQ(cuStreamCreateWithPriority(&stream_, CU_STREAM_NON_BLOCKING, 0), CUDA_SUCCESS);
  }
  ~LibraryStream() {
    CurrentContext current(context());
    EXPECT_EQ(cuStreamDestroy(stream_), CUDA_SUCCESS);
  }
  CUstream get() const { return stream_; }
  CUcontext context() const {
    CUcontext context = nullptr;
    EXPECT_EQ(cuStreamGetCtx(stream_, &context), CUDA_SUCCESS);
    return context;
  }
  CUdevice device() const {
    CurrentContext current(context());
    CUdevice device = -1;
    EXPECT_EQ(cuCtxGetDevice(&device), CUDA_SUCCESS);
    return device;
  }

 private:
  CUstream stream_ = nullptr;
};

class GraphBuilder {
 public:
  GraphBuilder() { EXPECT_EQ(cuGraphCreate(&graph_, 0), CUDA_SUCCESS); }
  ~GraphBuilder() { EXPECT_EQ(cuGraphDestroy(graph_), CUDA_SUCCESS); }
  CUgraph get() const { return graph_; }

  CUgraphNode add(CUgraphNodeParams& parameters, std::vector<CUgraphNode> after = {}) {
    return add_to(graph_, parameters, after);
  }
  static CUgraphNode add_to(CUgraph graph, CUgraphNodeParams& parameters, const std::vector<CUgraphNode>& after = {}) {
    CUgraphNode node = nullptr;
    EXPECT_EQ(cuGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &parameters), CUDA_SUCCESS);
    return node;
  }

 private:
  CUgraph graph_ = nullptr;
};

CUgraphNodeParams parameters_of(CUgraphNodeType type) {
  CUgraphNodeParams parameters{};
  parameters.type = type;
  return parameters;
}

CUgraphNodeParams kernel(const void* symbol, void** arguments) {
  CUgraphNodeParams parameters = parameters_of(CU_GRAPH_NODE_TYPE_KERNEL);
  parameters.kernel.func = function_of(symbol);
  parameters.kernel.gridDimX = parameters.kernel.gridDimY = parameters.kernel.gridDimZ = 1;
  parameters.kernel.blockDimX = parameters.kernel.blockDimY = parameters.kernel.blockDimZ = 1;
  parameters.kernel.kernelParams = arguments;
  return parameters;
}

class DriverInLibraries : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cudaMalloc(&value_, sizeof *value_), cudaSuccess); }
  void TearDown() override { EXPECT_EQ(cudaFree(value_), cudaSuccess); }

  CUgraphNodeParams set_to(unsigned value) {
    CUgraphNodeParams parameters = parameters_of(CU_GRAPH_NODE_TYPE_MEMSET);
    parameters.memset.dst = reinterpret_cast<CUdeviceptr>(value_);
    parameters.memset.elementSize = sizeof *value_;
    parameters.memset.value = value;
    parameters.memset.width = parameters.memset.height = 1;
    return parameters;
  }
  CUgraphNodeParams copy_to(int* host) {
    CUgraphNodeParams parameters = parameters_of(CU_GRAPH_NODE_TYPE_MEMCPY);
    CUDA_MEMCPY3D& copy = parameters.memcpy.copyParams;
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = reinterpret_cast<CUdeviceptr>(value_);
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = host;
    copy.WidthInBytes = sizeof *host;
    copy.Height = copy.Depth = 1;
    return parameters;
  }
  void run(CUgraph graph, const LibraryStream& stream) {
    CUgraphExec exec = nullptr;
    CUDA_GRAPH_INSTANTIATE_PARAMS instantiate{};
    ASSERT_EQ(cuGraphInstantiateWithParams(&exec, graph, &instantiate), CUDA_SUCCESS);
    EXPECT_EQ(instantiate.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
    EXPECT_EQ(cuGraphLaunch(exec, stream.get()), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream.get()), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphExecDestroy(exec), CUDA_SUCCESS);
  }

  int* value_ = nullptr;
};

}  // namespace

TEST_F(DriverInLibraries, AStreamKnowsItsContextAndDevice) {
  LibraryStream stream(0);
  CUcontext primary = nullptr;
  MUST_DRIVER(cuDevicePrimaryCtxRetain(&primary, 0));
  EXPECT_EQ(stream.context(), primary);
  EXPECT_EQ(stream.device(), 0);
  MUST_DRIVER(cuDevicePrimaryCtxRelease(0));
  cudaStream_t made_by_runtime;
  MUST(cudaStreamCreate(&made_by_runtime));
  CUcontext context = nullptr;
  MUST_DRIVER(cuStreamGetCtx(made_by_runtime, &context));
  EXPECT_EQ(context, primary);
  MUST(cudaStreamDestroy(made_by_runtime));
}

TEST_F(DriverInLibraries, AGraphOfManyKindsOfNodes) {
  LibraryStream stream(0);
  GraphBuilder graph;
  int amount = 3, host = 0, calls = 0;
  void* arguments[] = {&value_, &amount};
  CUgraphNodeParams set = set_to(10), once = kernel(reinterpret_cast<const void*>(add), arguments),
                    copy = copy_to(&host), empty = parameters_of(CU_GRAPH_NODE_TYPE_EMPTY),
                    notify = parameters_of(CU_GRAPH_NODE_TYPE_HOST);
  notify.host.fn = [](void* count) { ++*static_cast<int*>(count); };
  notify.host.userData = &calls;
  const CUgraphNode first = graph.add(set);
  const CUgraphNode second = graph.add(once, {first});
  const CUgraphNode join = graph.add(empty, {second});
  const CUgraphNode copied = graph.add(copy, {join});
  graph.add(notify, {copied});
  size_t nodes = 0, edges = 0;
  MUST_DRIVER(cuGraphGetNodes(graph.get(), nullptr, &nodes));
  MUST_DRIVER(cuGraphGetEdges(graph.get(), nullptr, nullptr, nullptr, &edges));
  EXPECT_EQ(nodes, 5u);
  EXPECT_EQ(edges, 4u);
  run(graph.get(), stream);
  EXPECT_EQ(host, 13);
  EXPECT_EQ(calls, 1);
}

TEST_F(DriverInLibraries, AChildGraphAndEvents) {
  LibraryStream stream(0);
  CUevent event;
  MUST_DRIVER(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  GraphBuilder child, graph;
  int amount = 5, host = 0;
  void* arguments[] = {&value_, &amount};
  CUgraphNodeParams set = set_to(1), once = kernel(reinterpret_cast<const void*>(add), arguments);
  child.add(once, {child.add(set)});
  CUgraphNodeParams inner = parameters_of(CU_GRAPH_NODE_TYPE_GRAPH), copy = copy_to(&host),
                    record = parameters_of(CU_GRAPH_NODE_TYPE_EVENT_RECORD);
  inner.graph.graph = child.get();
  inner.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE;
  record.eventRecord.event = event;
  graph.add(record, {graph.add(copy, {graph.add(inner)})});
  run(graph.get(), stream);
  EXPECT_EQ(host, 6);
  ASK_DRIVER(CUDA_SUCCESS, cuEventQuery(event));
  MUST_DRIVER(cuEventDestroy(event));
}

TEST_F(DriverInLibraries, ALoopInAGraph) {
  LibraryStream stream(0);
  GraphBuilder graph;
  CUgraphConditionalHandle handle;
  MUST_DRIVER(cuGraphConditionalHandleCreate(&handle, graph.get(), stream.context(), 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
  CUgraphNodeParams set = set_to(4), loop = parameters_of(CU_GRAPH_NODE_TYPE_CONDITIONAL);
  loop.conditional.handle = handle;
  loop.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
  loop.conditional.size = 1;
  loop.conditional.ctx = stream.context();
  graph.add(loop, {graph.add(set)});
  ASSERT_NE(loop.conditional.phGraph_out, nullptr);
  void* arguments[] = {&handle, &value_};
  CUgraphNodeParams body = kernel(reinterpret_cast<const void*>(count_down), arguments);
  GraphBuilder::add_to(loop.conditional.phGraph_out[0], body);
  run(graph.get(), stream);
  int value = -1;
  MUST(cudaMemcpy(&value, value_, sizeof value, cudaMemcpyDefault));
  EXPECT_EQ(value, 0);
}

TEST_F(DriverInLibraries, GraphMemoryIsAllocatedAndFreedByNodes) {
  LibraryStream stream(0);
  GraphBuilder graph;
  CUgraphNodeParams allocate = parameters_of(CU_GRAPH_NODE_TYPE_MEM_ALLOC);
  allocate.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  allocate.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  allocate.alloc.bytesize = sizeof(int);
  const CUgraphNode allocated = graph.add(allocate);
  ASSERT_NE(allocate.alloc.dptr, 0u);
  int amount = 1, host = 0;
  void* arguments[] = {&allocate.alloc.dptr, &amount};
  CUgraphNodeParams set = set_to(7), once = kernel(reinterpret_cast<const void*>(add), arguments),
                    copy = copy_to(&host), release = parameters_of(CU_GRAPH_NODE_TYPE_MEM_FREE);
  set.memset.dst = copy.memcpy.copyParams.srcDevice = release.free.dptr = allocate.alloc.dptr;
  CUgraphNode refused = nullptr;  // without a context, which graph memory does not have
  EXPECT_EQ(cuGraphAddNode(&refused, graph.get(), &allocated, nullptr, 1, &set), CUDA_ERROR_INVALID_VALUE);
  set.memset.ctx = stream.context();
  graph.add(release, {graph.add(copy, {graph.add(once, {graph.add(set, {allocated})})})});
  run(graph.get(), stream);
  EXPECT_EQ(host, 8);
}

TEST_F(DriverInLibraries, ParametersOfAnExecutableGraphChange) {
  LibraryStream stream(0);
  GraphBuilder graph;
  int amount = 1, other = 10;
  void *arguments[] = {&value_, &amount}, *others[] = {&value_, &other};
  CUgraphNodeParams set = set_to(0), once = kernel(reinterpret_cast<const void*>(add), arguments);
  const CUgraphNode filled = graph.add(set);
  const CUgraphNode added = graph.add(once, {filled});
  CUgraphExec exec;
  MUST_DRIVER(cuGraphInstantiate(&exec, graph.get(), 0));
  CUgraphNodeParams changed = kernel(reinterpret_cast<const void*>(add), others), start = set_to(32);
  ASK_DRIVER(CUDA_SUCCESS, cuGraphExecNodeSetParams(exec, added, &changed));
  ASK_DRIVER(CUDA_SUCCESS, cuGraphExecNodeSetParams(exec, filled, &start));
  MUST_DRIVER(cuGraphLaunch(exec, stream.get()));
  MUST_DRIVER(cuStreamSynchronize(stream.get()));
  int value = 0;
  MUST(cudaMemcpy(&value, value_, sizeof value, cudaMemcpyDefault));
  EXPECT_EQ(value, 42);
  MUST_DRIVER(cuGraphExecDestroy(exec));
}
