// Calls that a stream captures, beside the beginning and the end of its captures in another thread.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "base/last_error.h"

namespace {

constexpr int captures = 2000;

// Nodes of other types, so that the memory of a destroyed node is used for one of them.
void capture_something(cudaStream_t stream, void* memory, std::minstd_rand& random) {
  for (unsigned count = random() % 3; count > 0; --count) {
    (void)cudaMemsetAsync(memory, 0, 16, stream);
    if (random() % 2 == 0) (void)cudaLaunchHostFunc(stream, [](void*) {}, nullptr);
  }
  if (random() % 4 == 0) std::this_thread::yield();
}

TEST(CaptureRace, AllocationsBesideBeginAndEndOfCapturesOfTheirStream) {
  cudaStream_t stream = nullptr;
  void* memory = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
  std::atomic<bool> over{false};
  int allocated = 0;
  std::thread allocating([&] {
    std::minstd_rand random(1);
    while (!over) {
      void* address = nullptr;
      const cudaError_t status = cudaMallocAsync(&address, 64 + 64 * (random() % 4), stream);
      EXPECT_EQ(status == cudaSuccess, address != nullptr) << cudaGetErrorName(status);
      if (!address) continue;
      ++allocated;
      // Of a graph that is gone, or eager memory in a capture that has begun since: then it is refused.
      (void)cudaFreeAsync(address, stream);
      if (random() % 8 == 0) std::this_thread::yield();
    }
  });
  std::minstd_rand random(2);
  for (int i = 0; i < captures; ++i) {
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
    capture_something(stream, memory, random);
    cudaGraph_t graph = nullptr;
    if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) {
      EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    }
  }
  over = true;
  allocating.join();
  EXPECT_GT(allocated, 0);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  reprise_runtime::take_last_error();
}

}  // namespace
