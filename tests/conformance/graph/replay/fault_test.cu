// Faults inside a launch. Each test runs in a process of its own.
#include "graph/graph_support.h"

namespace {

__global__ void trap() { __trap(); }

class StickyGraph : public testing::Test {
 protected:
  Graph graph;
};

TEST_F(StickyGraph, AKernelThatTrapsFaultsTheDevice) {
  DeviceArray<int> cell(1);
  graph.store(cell.get(), 1, {graph.kernel({}, trap)});
  Exec exec(graph);
  Stream stream(cudaStreamNonBlocking);
  MUST(cudaGraphLaunch(exec, stream));
  ASK(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
  ASK(cudaErrorLaunchFailure, cudaGetLastError());
  ASK(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  ASK(cudaErrorLaunchFailure, cudaGraphLaunch(exec, stream));
  cudaGraph_t made = nullptr;
  ASK_CASE("cudaGraphCreate after", cudaSuccess, cudaGraphCreate(&made, 0));
  cudaGraphExec_t again = nullptr;
  ASK_CASE("cudaGraphInstantiate after", cudaErrorLaunchFailure, cudaGraphInstantiate(&again, graph, 0));
  size_t count = 0;
  ASK_CASE("cudaGraphGetNodes after", cudaSuccess, cudaGraphGetNodes(graph, nullptr, &count));
  ASK_CASE("cudaGraphExecDestroy after", cudaSuccess, cudaGraphExecDestroy(exec.release()));
  ASK_CASE("cudaGraphDestroy after", cudaSuccess, cudaGraphDestroy(graph.release()));
}

TEST_F(StickyGraph, HostNodesAfterATrap) {
  std::atomic<int>* calls = new std::atomic<int>(0);
  graph.host(count_call, calls, {graph.kernel({}, trap)});
  Exec exec(graph);
  MUST(cudaGraphLaunch(exec, nullptr));
  ASK(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  ASK_FACT("host node behind a trap ran", 0, calls->load());
}

}  // namespace
