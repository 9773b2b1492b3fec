// Bodies of conditional nodes filled by capture, and memory nodes in bodies.
#include "graph/conditional/conditional_support.h"

namespace {

class GraphConditionalMemory : public Graphs {};

TEST_F(GraphConditionalMemory, ABodyDoesNotAllocate) {
  Conditional choice(graph, condition_of(graph), cudaGraphCondTypeIf);
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 64;
  cudaGraphNode_t node = nullptr;
  ASK_CASE("added", cudaSuccess, cudaGraphAddMemAllocNode(&node, choice.bodies[0], nullptr, 0, &params));
  ASK_FACT("instantiated", std::string("cudaErrorInvalidValue result 3 node 0"), instantiated(graph, {node}));
}

TEST_F(GraphConditionalMemory, ABodyUsesWhatTheGraphAroundItAllocates) {
  DeviceArray<int> cell(1);
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 64;
  cudaGraphNode_t alloc = nullptr, free = nullptr;
  MUST(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params));
  int* memory = static_cast<int*>(params.dptr);
  Conditional choice(graph, condition_of(graph, 1, 1), cudaGraphCondTypeIf, 1, {alloc});
  {
    Body body(choice.bodies[0]);
    body->copy(cell.get(), memory, 4, {body->store(memory, 7)});
  }
  const cudaError_t freed = cudaGraphAddMemFreeNode(&free, graph, &choice.node, 1, memory);
  ASK_CASE("freed after the node", cudaSuccess, freed);
  const std::string made = instantiated(graph, nodes_of(graph));
  ASK_FACT("instantiated", std::string("Success"), made);
  if (made != "Success") return;
  run(graph);
  ASK_FACT("cell", 7, cell.read()[0]);
}

class GraphConditionalCapture : public Graphs {
 protected:
  DeviceArray<int> cell{8};
  int* at = cell.get();
  Stream one{cudaStreamNonBlocking}, two{cudaStreamNonBlocking};
  const cudaError_t ok = cudaSuccess;

  std::string cells(size_t count) {
    auto all = cell.read();
    all.resize(count);
    return text_of(all);
  }
  template <class Work>
  cudaError_t capture(cudaGraph_t body, Work&& work) {
    begin(cudaStreamBeginCaptureToGraph(one, body, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
    work();
    return cudaStreamEndCapture(one, nullptr);
  }
  static void begin(cudaError_t begun) { EXPECT_EQ(cudaSuccess, begun); }
};

TEST_F(GraphConditionalCapture, ALoopWithForksOfStreams) {
  const auto condition = condition_of(graph, 1, 1);
  const auto start = graph.store(at, 20);
  Conditional loop(graph, condition, cudaGraphCondTypeWhile, 1, {start});
  Event forked, joined;
  ASK_CASE("captured", ok, capture(loop.bodies[0], [&] {
             EXPECT_EQ(ok, cudaEventRecord(forked, one));
             EXPECT_EQ(ok, cudaStreamWaitEvent(two, forked));
             add_one<<<1, 1, 0, one>>>(at + 1);
             add_one<<<1, 1, 0, two>>>(at + 2);
             EXPECT_EQ(ok, cudaMemcpyAsync(at + 3, at + 2, 4, cudaMemcpyDeviceToDevice, two));
             EXPECT_EQ(ok, cudaEventRecord(joined, two));
             EXPECT_EQ(ok, cudaStreamWaitEvent(one, joined));
             EXPECT_EQ(ok, cudaMemsetAsync(at + 4, 1, 4, one));
             count_down<<<1, 1, 0, one>>>(condition, at);
           }));
  ASK_FACT("nodes", size_t{5}, nodes_of(loop.bodies[0]).size());
  run(graph);
  EXPECT_EQ("0 20 20 20 16843009", cells(5));
}

// As libraries do that convert a program to a graph: the stream continues after the node that was added to its
// capture.
TEST_F(GraphConditionalCapture, ANodeInTheMidstOfACapture) {
  MUST(cudaStreamBeginCapture(one, cudaStreamCaptureModeThreadLocal));
  store<<<1, 1, 0, one>>>(at, 6);
  cudaStreamCaptureStatus status{};
  cudaGraph_t captured = nullptr;
  const cudaGraphNode_t* before = nullptr;
  const cudaGraphEdgeData* edges = nullptr;
  size_t count = 0;
  MUST(cudaStreamGetCaptureInfo(one, &status, nullptr, &captured, &before, &edges, &count));
  Condition condition = 0;
  ASK_CASE("a handle", ok, cudaGraphConditionalHandleCreate(&condition, captured, 1, cudaGraphCondAssignDefault));
  auto params = conditional_params(condition, cudaGraphCondTypeWhile);
  cudaGraphNode_t node = nullptr;
  ASK_CASE("a node", ok, cudaGraphAddNode(&node, captured, before, edges, count, &params));
  ASK_CASE("the stream behind it", ok,
           cudaStreamUpdateCaptureDependencies(one, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
  const cudaGraph_t body = params.conditional.phGraph_out[0];
  ASK_CASE("its body begun in another stream", ok,
           cudaStreamBeginCaptureToGraph(two, body, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
  add_one<<<1, 1, 0, two>>>(at + 1);
  // A nested one, captured in the same way.
  MUST(cudaStreamGetCaptureInfo(two, &status, nullptr, &captured, &before, &edges, &count));
  ASK_FACT("the other captures into the body", true, captured == body);
  Condition inner = 0;
  MUST(cudaGraphConditionalHandleCreate(&inner, body, 0, 0));
  auto inner_params = conditional_params(inner, cudaGraphCondTypeIf, 2);
  cudaGraphNode_t inner_node = nullptr;
  set_condition_from<<<1, 1, 0, two>>>(inner, at + 2);
  MUST(cudaStreamGetCaptureInfo(two, &status, nullptr, &captured, &before, &edges, &count));
  MUST(cudaGraphAddNode(&inner_node, body, before, edges, count, &inner_params));
  MUST(cudaStreamUpdateCaptureDependencies(two, &inner_node, nullptr, 1, cudaStreamSetCaptureDependencies));
  Body(inner_params.conditional.phGraph_out[0])->store(at + 2, 0);
  Body(inner_params.conditional.phGraph_out[1])->store(at + 2, 1);
  count_down<<<1, 1, 0, two>>>(condition, at);
  ASK_CASE("its body ended", ok, cudaStreamEndCapture(two, nullptr));
  add_one<<<1, 1, 0, one>>>(at + 3);
  MUST(cudaStreamEndCapture(one, &captured));
  Graph owner(captured);
  ASK_FACT("nodes", size_t{3}, nodes_of(captured).size());
  Exec exec(captured);
  for (int i = 0; i < 2; ++i) MUST(cudaGraphLaunch(exec, one));
  MUST(cudaStreamSynchronize(one));
  EXPECT_EQ("0 12 0 2", cells(4));
}

// Nodes that a capture adds to a body and that instantiation then refuses.
TEST_F(GraphConditionalCapture, NodesThatABodyCannotHold) {
  std::atomic<int> calls{0};
  PinnedArray<int> pinned(4);
  std::vector<int> pageable(4);
  Event event;
  auto check = [&](const char* name, const std::string& expected, auto work) {
    Graph here;
    Conditional choice(here, condition_of(here), cudaGraphCondTypeIf);
    ASK_CASE(std::string(name) + ": captured", ok, capture(choice.bodies[0], work));
    (void)cudaGetLastError();
    Nodes among{choice.node};
    for (auto node : nodes_of(choice.bodies[0])) among.push_back(node);
    ASK_FACT(std::string(name) + ": instantiated", expected, instantiated(here, among));
  };
  check("a host function", "cudaErrorInvalidValue result 3 node 1",
        [&] { EXPECT_EQ(ok, cudaLaunchHostFunc(one, count_call, &calls)); });
  check("a copy of pageable memory", "cudaErrorInvalidValue result 4 node 1",
        [&] { EXPECT_EQ(ok, cudaMemcpyAsync(at, pageable.data(), 4, cudaMemcpyHostToDevice, one)); });
  check("a copy of pinned memory", "Success",
        [&] { EXPECT_EQ(ok, cudaMemcpyAsync(at, pinned.get(), 4, cudaMemcpyHostToDevice, one)); });
  check("a copy of rows", "Success",
        [&] { EXPECT_EQ(ok, cudaMemcpy2DAsync(at, 8, pinned.get(), 8, 4, 2, cudaMemcpyDefault, one)); });
  check("a set of rows", "Success", [&] { EXPECT_EQ(ok, cudaMemset2DAsync(at, 8, 1, 4, 2, one)); });
  check("an event outside", "cudaErrorInvalidValue result 3 node 1",
        [&] { EXPECT_EQ(ok, cudaEventRecordWithFlags(event, one, cudaEventRecordExternal)); });
  check("an allocation", "cudaErrorInvalidValue result 3 node 1", [&] {
    void* memory = nullptr;
    EXPECT_EQ(ok, cudaMallocAsync(&memory, 64, one));
  });
}

TEST_F(GraphConditionalCapture, WhileABodyIsCaptured) {
  Conditional choice(graph, condition_of(graph, 1, 1), cudaGraphCondTypeIf);
  MUST(cudaStreamBeginCaptureToGraph(one, choice.bodies[0], nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
  store<<<1, 1, 0, one>>>(at, 1);
  cudaGraphExec_t exec = nullptr;
  TELL_ERROR("the graph instantiated", cudaGraphInstantiate(&exec, graph, 0));
  if (exec) (void)cudaGraphExecDestroy(exec);
  (void)cudaGetLastError();
  MUST(cudaStreamEndCapture(one, nullptr));
  run(graph);
  EXPECT_EQ("1", cells(1));
}

// Every thread of a grid sets the same value.
__global__ void set_in_every_thread(Condition condition, unsigned value) { cudaGraphSetConditional(condition, value); }

TEST_F(GraphConditionalCapture, SetByManyThreads) {
  const auto condition = condition_of(graph, 0, 1);
  MUST(cudaStreamBeginCaptureToGraph(one, graph, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
  set_in_every_thread<<<64, 256, 0, one>>>(condition, 1);
  MUST(cudaStreamEndCapture(one, nullptr));
  Conditional choice(graph, condition, cudaGraphCondTypeIf, 2, nodes_of(graph));
  Body(choice.bodies[0])->kernel({}, add_one, at);
  Body(choice.bodies[1])->kernel({}, add_one, at + 1);
  run(graph);
  EXPECT_EQ("1 0", cells(2));
}

TEST_F(GraphConditionalCapture, FlagsOfInstantiation) {
  Conditional choice(graph, condition_of(graph, 1, 1), cudaGraphCondTypeIf);
  Body(choice.bodies[0])->store(at, 1);
  for (unsigned long long flags : {1ull, 2ull, 8ull, 9ull}) {
    ASK_FACT("flags " + std::to_string(flags), std::string("Success"), instantiated(graph, {choice.node}, flags));
  }
}

TEST_F(GraphConditionalCapture, UpdatedFromItself) {
  Conditional choice(graph, condition_of(graph, 1, 1), cudaGraphCondTypeIf);
  const auto node = Body(choice.bodies[0])->store(at, 1);
  Exec exec(graph);
  KernelParams two_params(store, at, 2);
  MUST(cudaGraphKernelNodeSetParams(node, &two_params.params));
  ASK_FACT("updated", std::string("Success"), update(exec, graph, {choice.node, node}));
  launch(exec);
  EXPECT_EQ("2", cells(1));
}

TEST_F(GraphConditionalCapture, HandlesWithoutANodeInOtherGraphs) {
  (void)condition_of(graph);
  graph.empty();
  cudaGraph_t clone = nullptr;
  ASK_CASE("a clone", cudaErrorNotSupported, cudaGraphClone(&clone, graph));
  if (clone) MUST(cudaGraphDestroy(clone));
  Graph outer;
  cudaGraphNode_t child = nullptr;
  ASK_CASE("as a child", cudaErrorNotSupported, cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  auto params = moved(graph);
  ASK_CASE("moved into another", cudaErrorNotSupported, cudaGraphAddNode(&child, outer, nullptr, nullptr, 0, &params));
  if (child) (void)graph.release();
}

class HazardGraphConditionalCapture : public GraphConditionalCapture {};

TEST_F(HazardGraphConditionalCapture, DestroyedWhileABodyIsCaptured) {
  CRASHES_ON_NVIDIA("the end of a capture into a body that is gone");
  Conditional choice(graph, condition_of(graph, 1, 1), cudaGraphCondTypeIf);
  MUST(cudaStreamBeginCaptureToGraph(one, choice.bodies[0], nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
  store<<<1, 1, 0, one>>>(at, 1);
  ASK_CASE("the node", cudaErrorIllegalState, cudaGraphDestroyNode(choice.node));
  (void)cudaGetLastError();
  ASK_CASE("the end after that", ok, cudaStreamEndCapture(one, nullptr));
}

TEST_F(HazardGraphConditionalCapture, TheGraphDestroyedWhileABodyIsCaptured) {
  CRASHES_ON_NVIDIA("the end of a capture into a body that is gone");
  Graph other;
  Conditional choice(other, condition_of(other, 1, 1), cudaGraphCondTypeIf);
  MUST(cudaStreamBeginCaptureToGraph(one, choice.bodies[0], nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
  store<<<1, 1, 0, one>>>(at, 1);
  const cudaError_t destroyed = cudaGraphDestroy(other);
  if (destroyed == cudaSuccess) (void)other.release();
  ASK_CASE("the graph", cudaErrorIllegalState, destroyed);
  (void)cudaGetLastError();
  ASK_CASE("the end after that", ok, cudaStreamEndCapture(one, nullptr));
}

TEST_F(HazardGraphConditionalCapture, MovedOrReplacedWhileItIsCaptured) {
  Graph inner, other;
  MUST(cudaStreamBeginCaptureToGraph(one, inner, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
  auto params = moved(inner.release());
  cudaGraphNode_t node = nullptr;
  ASK_CASE("moved", ok, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  MUST(cudaStreamEndCapture(one, nullptr));

  MUST(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, other));
  cudaGraph_t inside = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(node, &inside));
  MUST(cudaStreamBeginCaptureToGraph(one, inside, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
  params.graph.graph = other;
  params.graph.ownership = cudaGraphChildGraphOwnershipClone;
  ASK_CASE("replaced", ok, cudaGraphNodeSetParams(node, &params));
  MUST(cudaStreamEndCapture(one, nullptr));
}

TEST_F(GraphConditionalCapture, EarlyEdgesInsideABody) {
  Conditional choice(graph, condition_of(graph, 1, 1), cudaGraphCondTypeIf);
  Body body(choice.bodies[0]);
  const auto first = body->store(at, 1);
  KernelParams second(store, at + 1, 2);
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = second.params.func;
  params.kernel.gridDim = second.params.gridDim;
  params.kernel.blockDim = second.params.blockDim;
  params.kernel.kernelParams = second.params.kernelParams;
  cudaGraphNode_t node = nullptr;
  ASK_CASE("added", ok, cudaGraphAddNode(&node, body, &first, &programmatic, 1, &params));
  const std::string made = instantiated(graph, {choice.node, first, node});
  ASK_FACT("instantiated", std::string("Success"), made);
  if (made != "Success") return;
  run(graph);
  EXPECT_EQ("1 2", cells(2));
}

}  // namespace
