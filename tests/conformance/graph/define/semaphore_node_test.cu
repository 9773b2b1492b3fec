// External semaphore nodes. A GPU only imports semaphores of graphics APIs; where none is available, only the checks
// that need none run.
#include "graph/graph_support.h"

#if __has_include(<reprise/external_semaphore.h>)
#include <reprise/external_semaphore.h>
#endif

namespace {

class GraphSemaphoreNode : public Graphs {};

TEST_F(GraphSemaphoreNode, ArgumentsAreChecked) {
  cudaGraphNode_t node = nullptr;
  cudaExternalSemaphoreSignalNodeParams signal{};
  cudaExternalSemaphoreWaitNodeParams wait{};
  ASK(cudaErrorInvalidValue, cudaGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphAddExternalSemaphoresSignalNode(nullptr, graph, nullptr, 0, &signal));
  ASK(cudaErrorInvalidValue, cudaGraphAddExternalSemaphoresWaitNode(nullptr, graph, nullptr, 0, &wait));
  ASK(cudaErrorInvalidValue, cudaGraphAddExternalSemaphoresSignalNode(&node, nullptr, nullptr, 0, &signal));
  ASK(cudaErrorInvalidValue, cudaGraphAddExternalSemaphoresWaitNode(&node, nullptr, nullptr, 0, &wait));
  const auto plain = graph.empty();
  ASK(cudaErrorInvalidValue, cudaGraphExternalSemaphoresSignalNodeGetParams(plain, &signal));
  ASK(cudaErrorInvalidValue, cudaGraphExternalSemaphoresWaitNodeGetParams(plain, &wait));
  ASK(cudaErrorInvalidValue, cudaGraphExternalSemaphoresSignalNodeSetParams(plain, &signal));
  ASK(cudaErrorInvalidValue, cudaGraphExternalSemaphoresWaitNodeSetParams(plain, &wait));
  ASK(cudaErrorInvalidValue, cudaGraphExternalSemaphoresSignalNodeGetParams(nullptr, &signal));
  ASK(cudaErrorInvalidValue, cudaGraphExternalSemaphoresWaitNodeGetParams(nullptr, &wait));
}

TEST_F(GraphSemaphoreNode, OfNoSemaphores) {
  cudaGraphNode_t node = nullptr;
  cudaExternalSemaphoreSignalNodeParams signal{};
  ASK_CASE("signal none: add", cudaSuccess,
           cudaGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signal));
  if (node) {
    std::memset(&signal, 0xee, sizeof signal);
    ASK_CASE("signal none: get", cudaSuccess, cudaGraphExternalSemaphoresSignalNodeGetParams(node, &signal));
    ASK_FACT("signal none: count", 0, signal.numExtSems);
  }
  node = nullptr;
  cudaExternalSemaphoreWaitNodeParams wait{};
  ASK_CASE("wait none: add", cudaSuccess, cudaGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, &wait));
  cudaGraphExec_t exec = nullptr;
  ASK_FACT("nodes", 2, nodes_of(graph).size());
  ASK_CASE("instantiate", cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  if (exec) {
    ASK_CASE("launch", cudaSuccess, cudaGraphLaunch(exec, nullptr));
    ASK_CASE("synchronize", cudaSuccess, cudaDeviceSynchronize());
  }
}

TEST_F(GraphSemaphoreNode, NeedsItsArrays) {
  CRASHES_ON_NVIDIA("a semaphore node without arrays");
  cudaGraphNode_t node = nullptr;
  cudaExternalSemaphoreSignalNodeParams signal{};
  cudaExternalSemaphoreWaitNodeParams wait{};
  signal.numExtSems = wait.numExtSems = 1;
  ASK(cudaErrorInvalidValue, cudaGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signal));
  ASK(cudaErrorInvalidValue, cudaGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, &wait));
  EXPECT_TRUE(nodes_of(graph).empty());
}

#ifdef REPRISE_EXTERNAL_SEMAPHORE_H
TEST_F(GraphSemaphoreNode, SignalsAndWaits) {
  cudaExternalSemaphoreHandleDesc description{};
  description.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
  MUST(repriseCreateSemaphoreFd(&description.handle.fd, repriseSemaphoreTimeline, 0));
  cudaExternalSemaphore_t semaphore = nullptr;
  MUST(cudaImportExternalSemaphore(&semaphore, &description));
  cudaExternalSemaphoreSignalParams value{};
  value.params.fence.value = 5;
  cudaExternalSemaphoreWaitParams awaited{};
  awaited.params.fence.value = 5;
  cudaExternalSemaphoreSignalNodeParams signal{&semaphore, &value, 1};
  cudaExternalSemaphoreWaitNodeParams wait{&semaphore, &awaited, 1};
  Graph waiting;
  std::atomic<int> calls{0};
  cudaGraphNode_t signal_node = nullptr, wait_node = nullptr;
  MUST(cudaGraphAddExternalSemaphoresSignalNode(&signal_node, graph, nullptr, 0, &signal));
  MUST(cudaGraphAddExternalSemaphoresWaitNode(&wait_node, waiting, nullptr, 0, &wait));
  waiting.host(count_call, &calls, {wait_node});
  value.params.fence.value = 99;
  cudaExternalSemaphoreSignalNodeParams told{};
  MUST(cudaGraphExternalSemaphoresSignalNodeGetParams(signal_node, &told));
  ASSERT_EQ(1u, told.numExtSems);
  EXPECT_EQ(semaphore, told.extSemArray[0]);
  EXPECT_EQ(5u, told.paramsArray[0].params.fence.value);
  Exec signalling(graph), waiter(waiting);
  Stream one(cudaStreamNonBlocking), two(cudaStreamNonBlocking);
  MUST(cudaGraphLaunch(waiter, one));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(one));
  MUST(cudaGraphLaunch(signalling, two));
  MUST(cudaStreamSynchronize(one));
  EXPECT_EQ(1, calls);
  MUST(cudaDestroyExternalSemaphore(semaphore));
}
#endif

}  // namespace
