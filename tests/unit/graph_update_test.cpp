// Changes of executable graphs that NVIDIA's runtime cannot be asked about here: semaphores, which need a graphics
// driver there, and the words in the log.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <reprise/external_semaphore.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace {

class Timeline {
 public:
  Timeline() {
    EXPECT_EQ(0, repriseCreateSemaphoreFd(&fd_, repriseSemaphoreTimeline, 0));
    cudaExternalSemaphoreHandleDesc description = {};
    description.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    description.handle.fd = dup(fd_);
    EXPECT_EQ(cudaSuccess, cudaImportExternalSemaphore(&semaphore, &description));
  }
  ~Timeline() {
    EXPECT_EQ(cudaSuccess, cudaDestroyExternalSemaphore(semaphore));
    close(fd_);
  }
  Timeline(const Timeline&) = delete;

  bool reached(unsigned long long value) const { return repriseWaitSemaphoreFd(fd_, value, 0) == 0; }

  cudaExternalSemaphore_t semaphore = nullptr;

 private:
  int fd_ = -1;
};

class GraphUpdateTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph_, 0)); }
  void TearDown() override {
    if (exec_) EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec_));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph_));
  }
  void instantiate() { ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec_, graph_, 0)); }
  void launch() {
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec_, nullptr));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  }

  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

TEST_F(GraphUpdateTest, SemaphoresAndValuesMayChangeButNotHowMany) {
  Timeline first, second;
  cudaExternalSemaphore_t list[] = {first.semaphore, second.semaphore};
  cudaExternalSemaphoreSignalParams signals[2] = {};
  signals[0].params.fence.value = 3;
  cudaExternalSemaphoreSignalNodeParams params = {list, signals, 1};
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddExternalSemaphoresSignalNode(&node, graph_, nullptr, 0, &params));
  instantiate();
  params.extSemArray = list + 1;
  signals[0].params.fence.value = 5;
  EXPECT_EQ(cudaSuccess, cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec_, node, &params));
  launch();
  EXPECT_FALSE(first.reached(1));
  EXPECT_TRUE(second.reached(5));
  params = {list, signals, 2};
  EXPECT_EQ(cudaErrorInvalidValue, cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec_, node, &params));
  launch();
  EXPECT_FALSE(first.reached(1));
}

TEST_F(GraphUpdateTest, AWaitGoesByTheNewValue) {
  Timeline timeline;
  cudaExternalSemaphoreSignalParams signal = {};
  signal.params.fence.value = 2;
  ASSERT_EQ(cudaSuccess, cudaSignalExternalSemaphoresAsync(&timeline.semaphore, &signal, 1, nullptr));
  cudaExternalSemaphoreWaitParams wait = {};
  wait.params.fence.value = 100;  // which never comes
  cudaExternalSemaphoreWaitNodeParams params = {&timeline.semaphore, &wait, 1};
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddExternalSemaphoresWaitNode(&node, graph_, nullptr, 0, &params));
  instantiate();
  wait.params.fence.value = 2;
  EXPECT_EQ(cudaSuccess, cudaGraphExecExternalSemaphoresWaitNodeSetParams(exec_, node, &params));
  launch();
}

TEST_F(GraphUpdateTest, TheLogNamesNodeAndField) {
  char* space = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMallocHost(reinterpret_cast<void**>(&space), 256));
  cudaMemsetParams params = {};
  params.dst = space;
  params.elementSize = 1;
  params.width = 8;
  params.height = 2;
  params.pitch = 16;
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
  instantiate();
  cudaLogIterator position = 0;
  ASSERT_EQ(cudaSuccess, cudaLogsCurrent(&position, 0));
  params.width = 4;
  EXPECT_EQ(cudaErrorInvalidValue, cudaGraphExecMemsetNodeSetParams(exec_, node, &params));
  std::vector<char> text(4096);
  size_t size = text.size();
  ASSERT_EQ(cudaSuccess, cudaLogsDumpToMemory(&position, text.data(), &size, 0));
  const std::string words(text.data(), size);
  char handle[32];
  std::snprintf(handle, sizeof handle, "%p", static_cast<void*>(node));
  EXPECT_NE(std::string::npos, words.find(handle)) << words;
  EXPECT_NE(std::string::npos, words.find("width")) << words;
  EXPECT_EQ(cudaSuccess, cudaFreeHost(space));
}

}  // namespace
