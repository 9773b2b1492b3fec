// External semaphore nodes. A GPU imports semaphores from Vulkan and its kin only: where none can be had, what can be
// asked without one is.
#include "graph_support.h"

#include <sys/eventfd.h>

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
  TELL_ERROR("signal none: add", cudaGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signal));
  if (node) {
    std::memset(&signal, 0xee, sizeof signal);
    TELL_ERROR("signal none: get", cudaGraphExternalSemaphoresSignalNodeGetParams(node, &signal));
    TELL("signal none: count", signal.numExtSems);
  }
  node = nullptr;
  cudaExternalSemaphoreWaitNodeParams wait{};
  TELL_ERROR("wait none: add", cudaGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, &wait));
  signal = {};
  signal.numExtSems = 1;
  TELL_ERROR("signal one, null arrays: add", cudaGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signal));
  wait.numExtSems = 1;
  TELL_ERROR("wait one, null arrays: add", cudaGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, &wait));
  cudaGraphExec_t exec = nullptr;
  TELL("nodes", nodes_of(graph).size());
  TELL_ERROR("instantiate", cudaGraphInstantiate(&exec, graph, 0));
  if (exec) {
    TELL_ERROR("launch", cudaGraphLaunch(exec, nullptr));
    TELL_ERROR("synchronize", cudaDeviceSynchronize());
  }
}

TEST_F(GraphSemaphoreNode, SignalsAndWaits) {
  cudaExternalSemaphoreHandleDesc description{};
  description.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
  description.handle.fd = eventfd(0, 0);
  cudaExternalSemaphore_t semaphore = nullptr;
  const auto imported = cudaImportExternalSemaphore(&semaphore, &description);
  TELL_ERROR("an eventfd imported", imported);
  if (imported != cudaSuccess) GTEST_SKIP() << "no semaphore can be made here";
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

}  // namespace
