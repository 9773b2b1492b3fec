// Host nodes and empty nodes.
#include "graph/graph_support.h"

namespace {

class GraphHostNode : public Graphs {
 protected:
  std::atomic<int> calls{0}, other_calls{0};
};

TEST_F(GraphHostNode, RunsOncePerLaunch) {
  graph.host(count_call, &calls);
  Exec exec(graph);
  EXPECT_EQ(0, calls);
  for (int i = 0; i < 10; ++i) MUST(cudaGraphLaunch(exec, nullptr));
  MUST(cudaDeviceSynchronize());
  EXPECT_EQ(10, calls);
}

TEST_F(GraphHostNode, SeesWhatCameBeforeAndIsSeenByWhatComesAfter) {
  struct Cells {
    PinnedArray<int> pinned{2};
    static void CUDART_CB pass_on(void* data) {
      auto& cells = *static_cast<Cells*>(data);
      cells.pinned[1] = cells.pinned[0] + 1;
    }
  } cells;
  DeviceArray<int> seen(1);
  const auto first = graph.store(cells.pinned.get(), 41);
  const auto middle = graph.host(Cells::pass_on, &cells, {first});
  graph.copy(seen.get(), cells.pinned.get() + 1, 4, {middle});
  run(graph);
  EXPECT_EQ(42, seen.read()[0]);
}

TEST_F(GraphHostNode, TellsAndChangesItsParameters) {
  const auto node = graph.host(count_call, &calls);
  cudaHostNodeParams told{};
  MUST(cudaGraphHostNodeGetParams(node, &told));
  EXPECT_EQ(reinterpret_cast<void*>(count_call), reinterpret_cast<void*>(told.fn));
  EXPECT_EQ(&calls, told.userData);
  told.userData = &other_calls;
  MUST(cudaGraphHostNodeSetParams(node, &told));
  run(graph);
  EXPECT_EQ(0, calls);
  EXPECT_EQ(1, other_calls);
}

TEST_F(GraphHostNode, NeedsAFunction) {
  cudaHostNodeParams none{nullptr, &calls}, no_data{count_call, nullptr};
  cudaGraphNode_t node = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphAddHostNode(&node, graph, nullptr, 0, &none));
  ASK(cudaErrorInvalidValue, cudaGraphAddHostNode(&node, graph, nullptr, 0, nullptr));
  EXPECT_TRUE(nodes_of(graph).empty());
  ASK(cudaSuccess, cudaGraphAddHostNode(&node, graph, nullptr, 0, &no_data));
  ASK(cudaErrorInvalidValue, cudaGraphHostNodeSetParams(node, &none));
  ASK(cudaErrorInvalidValue, cudaGraphHostNodeSetParams(node, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphHostNodeGetParams(node, nullptr));
  const auto other = graph.empty();
  ASK(cudaErrorInvalidValue, cudaGraphHostNodeGetParams(other, &none));
  ASK(cudaErrorInvalidValue, cudaGraphHostNodeSetParams(other, &no_data));
  ASK(cudaErrorInvalidValue, cudaGraphHostNodeGetParams(nullptr, &none));
  ASK(cudaErrorInvalidValue, cudaGraphHostNodeSetParams(nullptr, &no_data));
}

void CUDART_CB call_cuda(void* data) {
  int count = 0;
  *static_cast<std::atomic<int>*>(data) = static_cast<int>(cudaGetDeviceCount(&count)) + 1;
  (void)cudaGetLastError();
}

void CUDART_CB call_malloc(void* data) {
  void* memory = nullptr;
  *static_cast<std::atomic<int>*>(data) = static_cast<int>(cudaMalloc(&memory, 16)) + 1;
  (void)cudaGetLastError();
}

TEST_F(GraphHostNode, CudaCallsInsideAreNotPermitted) {
  graph.host(call_cuda, &calls);
  graph.host(call_malloc, &other_calls);
  run(graph);
  ASK_FACT("cudaGetDeviceCount inside", std::string("cudaSuccess (0)"), named(static_cast<cudaError_t>(calls - 1)));
  ASK_FACT("cudaMalloc inside", std::string("cudaErrorNotPermitted (800)"),
           named(static_cast<cudaError_t>(other_calls - 1)));
}

TEST_F(GraphHostNode, AGraphOfEmptyNodesRuns) {
  const auto a = graph.empty(), b = graph.empty({a});
  graph.empty({a, b});
  run(graph);
}

TEST_F(GraphHostNode, FanOutAndFanInKeepTheOrder) {
  Journal journal(66);
  const auto first = graph.host(Journal::write, journal.entry(0));
  Nodes middle;
  for (int i = 1; i <= 64; ++i) middle.push_back(graph.host(Journal::write, journal.entry(i), {first}));
  graph.host(Journal::write, journal.entry(65), middle);
  Exec exec(graph);
  for (int launch = 0; launch < 3; ++launch) MUST(cudaGraphLaunch(exec, nullptr));
  MUST(cudaDeviceSynchronize());
  const auto order = journal.read();
  ASSERT_EQ(3u * 66, order.size());
  for (int launch = 0; launch < 3; ++launch) {
    EXPECT_EQ(0, order[launch * 66]);
    EXPECT_EQ(65, order[launch * 66 + 65]);
    EXPECT_EQ(66u, std::set<int>(order.begin() + launch * 66, order.begin() + launch * 66 + 66).size());
  }
}

void CUDART_CB throw_something(void*) { throw 1; }

class HazardGraphHostNode : public Graphs {};

TEST_F(HazardGraphHostNode, AFunctionThatThrows) {
  UNDEFINED_ON_NVIDIA("the process is terminated");
  std::atomic<int> calls{0};
  graph.host(count_call, &calls, {graph.host(throw_something, nullptr)});
  Exec exec(graph);
  Stream stream, other;
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(other));
  ASK(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
  ASK_CASE("the same stream once more", cudaSuccess, cudaStreamSynchronize(stream));
  ASK_FACT("calls of the function after it", 1, calls.load());
}

}  // namespace
