// Changing executable graphs by graphs that were captured, and bodies of conditional nodes filled by capture.
#include "graph_conditional_support.h"

namespace {

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
  ASK_FACT("instantiated", std::string("cudaErrorInvalidValue result 3 node 0"), instantiated(graph, nodes_of(choice.bodies[0])));
}

}  // namespace
