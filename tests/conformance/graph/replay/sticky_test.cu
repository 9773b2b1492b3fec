// Graph calls after a fault in a kernel. Each test runs in a process of its own.
#include "support.h"

__global__ void trap() { __trap(); }

using StickyGraphCalls = testing::Test;

TEST_F(StickyGraphCalls, TheFaultIsReturnedWhereTheDeviceIsNeeded) {
  Stream stream;
  trap<<<1, 1>>>();
  (void)cudaDeviceSynchronize();
  cudaGraph_t graph = nullptr;
  ASK(cudaSuccess, cudaGraphCreate(&graph, 0));
  ASK(cudaErrorLaunchFailure, cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
}
