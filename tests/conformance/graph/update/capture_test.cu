// Updating executable graphs from captured graphs, and bodies of conditional nodes filled by capture.
#include "graph/conditional/conditional_support.h"

namespace {

__device__ int variable[4];

class GraphUpdateCapture : public Graphs {
 protected:
  DeviceArray<int> cell{8};
  int* at = cell.get();
  Stream stream{cudaStreamNonBlocking}, side{cudaStreamNonBlocking};
  Event fork{cudaEventDisableTiming}, join{cudaEventDisableTiming};

  std::string cells(size_t count) {
    auto all = cell.read();
    all.resize(count);
    return text_of(all);
  }

  // A fork and a join, with a set and a copy.
  cudaGraph_t captured(int base) {
    cudaGraph_t made = nullptr;
    EXPECT_EQ(cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    store<<<1, 1, 0, stream>>>(at, base);
    EXPECT_EQ(cudaSuccess, cudaEventRecord(fork, stream));
    EXPECT_EQ(cudaSuccess, cudaStreamWaitEvent(side, fork, 0));
    store<<<1, 1, 0, side>>>(at + 1, base + 1);
    EXPECT_EQ(cudaSuccess, cudaMemsetAsync(at + 2, base, 4, stream));
    EXPECT_EQ(cudaSuccess, cudaEventRecord(join, side));
    EXPECT_EQ(cudaSuccess, cudaStreamWaitEvent(stream, join, 0));
    EXPECT_EQ(cudaSuccess, cudaMemcpyAsync(at + 3, at + 1, 4, cudaMemcpyDeviceToDevice, stream));
    EXPECT_EQ(cudaSuccess, cudaStreamEndCapture(stream, &made));
    return made;
  }
};

TEST_F(GraphUpdateCapture, AFreshCaptureOfTheSameCodePairsUp) {
  Graph first(captured(1)), second(captured(2));
  Exec exec(first);
  launch(exec);
  EXPECT_EQ("1 2 16843009 2", cells(4));
  ASK_FACT("a fresh capture", std::string("Success"), update(exec, second));
  launch(exec);
  EXPECT_EQ("2 3 33686018 3", cells(4));
}

TEST_F(GraphUpdateCapture, AnotherCaptureDoesNot) {
  Graph first(captured(1));
  Exec exec(first);
  cudaGraph_t made = nullptr;
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  store<<<1, 1, 0, stream>>>(at, 5);
  MUST(cudaStreamEndCapture(stream, &made));
  Graph other(made);
  ASK_FACT("another capture", refused("TopologyChanged"), update(exec, other));
  launch(exec);
  EXPECT_EQ("1 2 16843009 2", cells(4));
}

// One node captured and the same one built: each updates the executable graph made from the other.
class GraphUpdateCapturedNode : public GraphUpdateCapture {
 protected:
  template <class Capture, class Build>
  void check(const char* name, const std::string& expected, Capture capture, Build build) {
    cudaGraph_t made = nullptr;
    EXPECT_EQ(cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    EXPECT_EQ(cudaSuccess, capture());
    EXPECT_EQ(cudaSuccess, cudaStreamEndCapture(stream, &made));
    Graph captured_one(made), built;
    EXPECT_EQ(cudaSuccess, build(static_cast<cudaGraph_t>(built)));
    Exec of_captured(captured_one), of_built(built);
    ASK_FACT(std::string(name) + ", captured, then built", expected, update(of_captured, built));
    ASK_FACT(std::string(name) + ", built, then captured", expected, update(of_built, captured_one));
  }

  cudaMemcpy3DParms box(size_t xsize, size_t ysize) {
    cudaMemcpy3DParms params{};
    params.srcPtr = make_cudaPitchedPtr(at + 4, 8, xsize, ysize);
    params.dstPtr = make_cudaPitchedPtr(at, 8, xsize, ysize);
    params.extent = make_cudaExtent(4, 2, 1);
    params.kind = cudaMemcpyDeviceToDevice;
    return params;
  }

  const std::string ok = "Success";
  PinnedArray<int> pinned{8};
  int* host = pinned.get();
  cudaGraphNode_t node = nullptr;
};

TEST_F(GraphUpdateCapturedNode, CopiesPairWithBuiltOnes) {
  auto copy = [&](const char* name, int* to, const int* from, cudaMemcpyKind kind) {
    check(
        name, ok, [&] { return cudaMemcpyAsync(to, from, 8, kind, stream); },
        [&](cudaGraph_t g) { return cudaGraphAddMemcpyNode1D(&node, g, nullptr, 0, to, from, 8, kind); });
  };
  copy("host to device", at, host, cudaMemcpyHostToDevice);
  copy("device to host", host, at, cudaMemcpyDeviceToHost);
  copy("device to device", at, at + 4, cudaMemcpyDeviceToDevice);
  copy("host to host", host, host + 4, cudaMemcpyHostToHost);
  copy("default", at, host, cudaMemcpyDefault);
  check(
      "to a symbol", ok, [&] { return cudaMemcpyToSymbolAsync(variable, host, 8, 4, cudaMemcpyHostToDevice, stream); },
      [&](cudaGraph_t g) {
        return cudaGraphAddMemcpyNodeToSymbol(&node, g, nullptr, 0, variable, host, 8, 4, cudaMemcpyHostToDevice);
      });
  check(
      "from a symbol", ok,
      [&] { return cudaMemcpyFromSymbolAsync(at, variable, 8, 4, cudaMemcpyDeviceToDevice, stream); },
      [&](cudaGraph_t g) {
        return cudaGraphAddMemcpyNodeFromSymbol(&node, g, nullptr, 0, at, variable, 8, 4, cudaMemcpyDeviceToDevice);
      });
}

TEST_F(GraphUpdateCapturedNode, BoxesPairWithBuiltOnesButForTwoRows) {
  // A copy of several rows must stay the same, and a captured one is stored in another form.
  auto two_rows = [&] { return cudaMemcpy2DAsync(at, 8, at + 4, 8, 4, 2, cudaMemcpyDeviceToDevice, stream); };
  for (auto [xsize, ysize] : {std::pair{4, 2}, {8, 2}, {0, 2}, {4, 3}}) {
    const std::string name = "two rows, xsize " + std::to_string(xsize) + ", ysize " + std::to_string(ysize);
    const auto params = box(static_cast<size_t>(xsize), static_cast<size_t>(ysize));
    check(name.c_str(), refused("ParametersChanged", "0"), two_rows,
          [&](cudaGraph_t g) { return cudaGraphAddMemcpyNode(&node, g, nullptr, 0, &params); });
  }
  auto one_row = [&](cudaGraph_t g) {
    return cudaGraphAddMemcpyNode1D(&node, g, nullptr, 0, at, at + 4, 4, cudaMemcpyDeviceToDevice);
  };
  auto row_params = box(4, 2);
  row_params.extent.height = 1;
  check(
      "one row of two", ok, [&] { return cudaMemcpy2DAsync(at, 8, at + 4, 8, 4, 1, cudaMemcpyDeviceToDevice, stream); },
      one_row);
  check("one row of a box", ok, [&] { return cudaMemcpy3DAsync(&row_params, stream); }, one_row);
  const auto box_params = box(4, 2);
  check(
      "a box", ok, [&] { return cudaMemcpy3DAsync(&box_params, stream); },
      [&](cudaGraph_t g) { return cudaGraphAddMemcpyNode(&node, g, nullptr, 0, &box_params); });
}

TEST_F(GraphUpdateCapturedNode, SetsPairWithBuiltOnes) {
  const auto set_row = memset_params(at, 5, 1, 4);
  check(
      "a set of one row of two", ok, [&] { return cudaMemset2DAsync(at, 8, 5, 4, 1, stream); },
      [&](cudaGraph_t g) { return cudaGraphAddMemsetNode(&node, g, nullptr, 0, &set_row); });
  const auto row = memset_params(at, 5, 1, 8), rows = memset_params(at, 5, 1, 4, 2, 8);
  check(
      "a set", ok, [&] { return cudaMemsetAsync(at, 5, 8, stream); },
      [&](cudaGraph_t g) { return cudaGraphAddMemsetNode(&node, g, nullptr, 0, &row); });
  check(
      "a set of two rows", ok, [&] { return cudaMemset2DAsync(at, 8, 5, 4, 2, stream); },
      [&](cudaGraph_t g) { return cudaGraphAddMemsetNode(&node, g, nullptr, 0, &rows); });
}

TEST_F(GraphUpdateCapturedNode, KernelsHostFunctionsAndEventsPairWithBuiltOnes) {
  std::atomic<int> calls{0};
  Event event;
  KernelParams kernel(store, at, 1);
  check(
      "a kernel", ok, [&] { return store<<<1, 1, 0, stream>>>(at, 1), cudaGetLastError(); },
      [&](cudaGraph_t g) { return cudaGraphAddKernelNode(&node, g, nullptr, 0, &kernel.params); });
  cudaHostNodeParams host_params{};
  host_params.fn = count_call;
  host_params.userData = &calls;
  check(
      "a host function", ok, [&] { return cudaLaunchHostFunc(stream, count_call, &calls); },
      [&](cudaGraph_t g) { return cudaGraphAddHostNode(&node, g, nullptr, 0, &host_params); });
  check(
      "a record", ok, [&] { return cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal); },
      [&](cudaGraph_t g) { return cudaGraphAddEventRecordNode(&node, g, nullptr, 0, event); });
  check(
      "a wait", ok, [&] { return cudaStreamWaitEvent(stream, event, cudaEventWaitExternal); },
      [&](cudaGraph_t g) { return cudaGraphAddEventWaitNode(&node, g, nullptr, 0, event); });
}

// The parameters read from a copy of two rows can be set on its node, but not on its executable graph.
TEST_F(GraphUpdateCapture, ParametersOfACapturedNodeCanBeSetAgain) {
  for (auto kind : {cudaMemcpyDeviceToDevice, cudaMemcpyDefault}) {
    auto captured_rows = [&] {
      cudaGraph_t made = nullptr;
      EXPECT_EQ(cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
      EXPECT_EQ(cudaSuccess, cudaMemcpy2DAsync(at, 8, at + 4, 8, 4, 2, kind, stream));
      EXPECT_EQ(cudaSuccess, cudaStreamEndCapture(stream, &made));
      return made;
    };
    Graph two_rows(captured_rows()), again(captured_rows()), built, with_height;
    const auto node = nodes_of(two_rows).at(0);
    Exec exec(two_rows);
    ASK_FACT("captured again", std::string("Success"), update(exec, again));
    cudaMemcpy3DParms told{};
    MUST(cudaGraphMemcpyNodeGetParams(node, &told));
    ASK_FACT("kind", static_cast<int>(kind), static_cast<int>(told.kind));
    cudaGraphNode_t more = nullptr;
    ASK_CASE("to the executable graph", cudaErrorInvalidValue, cudaGraphExecMemcpyNodeSetParams(exec, node, &told));
    ASK_CASE("to the graph", cudaSuccess, cudaGraphMemcpyNodeSetParams(node, &told));
    ASK_CASE("to another graph", cudaSuccess, cudaGraphAddMemcpyNode(&more, built, nullptr, 0, &told));
    ASK_FACT("update", refused("ParametersChanged", "0"), update(exec, built));
    ASK_FACT("update from the graph", refused("ParametersChanged", "0"), update(exec, two_rows));
    Exec of_built(built);
    ASK_FACT("from it, given back", std::string("Success"), update(of_built, two_rows));
    told.srcPtr.ysize = told.dstPtr.ysize = 2;
    ASK_CASE("with a height of two", cudaErrorInvalidValue, cudaGraphExecMemcpyNodeSetParams(exec, node, &told));
    MUST(cudaGraphAddMemcpyNode(&more, with_height, nullptr, 0, &told));
    ASK_FACT("a height for none", refused("ParametersChanged", "0"), update(of_built, with_height));
    told.srcPtr.ysize = told.dstPtr.ysize = 1;
    ASK_CASE("with a height of one", cudaErrorInvalidValue, cudaGraphExecMemcpyNodeSetParams(exec, node, &told));
    told.srcPtr.ysize = told.dstPtr.ysize = 0;
    told.extent.depth = 2;
    ASK_CASE("two slices without a height", cudaErrorInvalidPitchValue, cudaGraphMemcpyNodeSetParams(node, &told));
    launch(of_built);
  }
}

// A captured kernel has its stream's priority.
TEST_F(GraphUpdateCapture, ACaptureOfAStreamOfAnotherPriority) {
  int least = 0, greatest = 0;
  MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  auto captured_with = [&](int priority) {
    cudaStream_t of_priority = nullptr;
    cudaGraph_t made = nullptr;
    EXPECT_EQ(cudaSuccess, cudaStreamCreateWithPriority(&of_priority, cudaStreamNonBlocking, priority));
    EXPECT_EQ(cudaSuccess, cudaStreamBeginCapture(of_priority, cudaStreamCaptureModeThreadLocal));
    store<<<1, 1, 0, of_priority>>>(at, 1);
    EXPECT_EQ(cudaSuccess, cudaStreamEndCapture(of_priority, &made));
    EXPECT_EQ(cudaSuccess, cudaStreamDestroy(of_priority));
    return made;
  };
  Graph low(captured_with(least)), high(captured_with(greatest)), again(captured_with(greatest)), built;
  cudaLaunchAttributeValue priority{};
  priority.priority = greatest;
  MUST(cudaGraphKernelNodeSetAttribute(built.store(at, 2), cudaLaunchAttributePriority, &priority));
  Exec plain(low), ordered(high, cudaGraphInstantiateFlagUseNodePriority);
  ASK_FACT("which does not count", std::string("Success"), update(plain, high));
  ASK_FACT("the same, which counts", std::string("Success"), update(ordered, again));
  ASK_FACT("another, which counts", refused("AttributesChanged", "0"), update(ordered, low));
  ASK_FACT("the same by hand", std::string("Success"), update(ordered, built));
  launch(ordered);
  EXPECT_EQ("2", cells(1));
}

TEST_F(GraphUpdateCapture, ChangesWhileTheThreadCaptures) {
  for (auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
    Graph one, two;
    const auto kernel = one.store(at, 1), set = one.set(at + 1, 1, 4, {kernel}), copy = one.copy(at + 2, at, 4, {set});
    two.copy(at + 2, at, 4, {two.set(at + 1, 2, 4, {two.store(at, 2)})});
    Exec exec(one);
    MUST(cudaStreamBeginCapture(stream, mode));
    KernelParams three(store, at, 3);
    const auto set_params = memset_params(at + 1, 3, 1, 4);
    ASK(cudaSuccess, cudaGraphExecKernelNodeSetParams(exec, kernel, &three.params));
    ASK(cudaSuccess, cudaGraphExecMemsetNodeSetParams(exec, set, &set_params));
    ASK(cudaSuccess, cudaGraphExecMemcpyNodeSetParams1D(exec, copy, at + 2, at + 1, 4, cudaMemcpyDefault));
    ASK(cudaSuccess, cudaGraphNodeSetEnabled(exec, copy, 0));
    ASK_FACT("the whole", std::string("Success"), update(exec, two));
    cudaGraph_t made = nullptr;
    ASK_CASE("the capture goes on", cudaSuccess, cudaStreamEndCapture(stream, &made));
    if (made) MUST(cudaGraphDestroy(made));
    launch(exec);
    ASK_FACT("cells", std::string("2 33686018 0"), cells(3));
  }
}

TEST_F(GraphUpdateCapture, ABodyFilledByCapture) {
  const auto condition = condition_of(graph, 1, cudaGraphCondAssignDefault);
  const auto start = graph.store(at, 6);
  Conditional loop(graph, condition, cudaGraphCondTypeWhile, 1, {start});
  MUST(cudaStreamBeginCaptureToGraph(stream, loop.bodies[0], nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
  add_one<<<1, 1, 0, stream>>>(at + 1);
  count_down<<<1, 1, 0, stream>>>(condition, at);
  cudaGraph_t body = nullptr;
  MUST(cudaStreamEndCapture(stream, &body));
  EXPECT_EQ(loop.bodies[0], body);
  run(graph);
  EXPECT_EQ("0 6", cells(2));
}

TEST_F(GraphUpdateCapture, AHostFunctionCapturedIntoABody) {
  std::atomic<int> calls{0};
  Conditional choice(graph, condition_of(graph, 1, 1), cudaGraphCondTypeIf);
  MUST(cudaStreamBeginCaptureToGraph(stream, choice.bodies[0], nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
  ASK_CASE("captured", cudaSuccess, cudaLaunchHostFunc(stream, count_call, &calls));
  cudaGraph_t body = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(stream, &body);
  ASK_CASE("ended", cudaSuccess, ended);
  (void)cudaGetLastError();
  ASK_FACT("instantiated", std::string("cudaErrorInvalidValue result 3 node 0"),
           instantiated(graph, nodes_of(choice.bodies[0])));
}

}  // namespace
