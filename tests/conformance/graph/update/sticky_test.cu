// Updating executable graphs after a fault in a kernel. Each test runs in a process of its own.
#include "graph/update/update_support.h"

namespace {

__global__ void trap() { __trap(); }

using StickyGraphUpdate = testing::Test;

TEST_F(StickyGraphUpdate, AfterAFault) {
  int* cell = nullptr;
  MUST(cudaMalloc(&cell, 64));
  cudaGraph_t graph = nullptr;
  MUST(cudaGraphCreate(&graph, 0));
  KernelParams kernel(store, cell, 1);
  cudaGraphNode_t node = nullptr, set = nullptr;
  MUST(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel.params));
  const auto params = memset_params(cell, 1, 1, 4);
  MUST(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &params));
  cudaGraphExec_t exec = nullptr;
  MUST(cudaGraphInstantiate(&exec, graph, 0));
  trap<<<1, 1>>>();
  (void)cudaDeviceSynchronize();
  ASK(cudaErrorLaunchFailure, cudaGraphExecKernelNodeSetParams(exec, node, &kernel.params));
  ASK(cudaErrorLaunchFailure, cudaGraphExecMemsetNodeSetParams(exec, set, &params));
  unsigned enabled = 0;
  ASK(cudaSuccess, cudaGraphNodeGetEnabled(exec, node, &enabled));
  ASK(cudaSuccess, cudaGraphNodeSetEnabled(exec, node, 0));
  cudaGraphExecUpdateResultInfo info{};
  ASK(cudaSuccess, cudaGraphExecUpdate(exec, graph, &info));
  cudaGraphConditionalHandle condition = 0;
  ASK(cudaErrorLaunchFailure, cudaGraphConditionalHandleCreate(&condition, graph, 0, 0));
}

}  // namespace
