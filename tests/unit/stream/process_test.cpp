// The runtime and the process: exit with work in flight, fork, events shared with a child.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <thread>

#include "exec/lane.h"
#include "stream/device_streams.h"

namespace {

using namespace reprise_runtime;

std::atomic<bool> for_ever{false};

// Ends the process with a status when it is destroyed: static destruction has come this far after the workers
// stopped.
struct DestroyedLate {
  std::vector<int> data = std::vector<int>(1000, 7);
  ~DestroyedLate() { data.clear(); }
};

void submit(cudaStream_t handle, std::function<void()> task) {
  (*stream::find(handle))->submit_task([task](exec::Lane&) { task(); });
}

TEST(ProcessDeathTest, ExitWithAKernelThatNeverEndsIsClean) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        submit(stream, [] {
          while (!for_ever) std::this_thread::yield();
        });
        while (cudaStreamQuery(stream) != cudaErrorNotReady) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::exit(3);
      },
      testing::ExitedWithCode(3), "");
}

TEST(ProcessDeathTest, ExitWithAFullQueueRunsNothingAfterStaticDestruction) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        static DestroyedLate late;  // Made before the runtime starts, so destroyed after it has stopped.
        cudaStream_t streams[4];
        for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
        for (int i = 0; i < 100'000; ++i) {
          submit(streams[i % 4], [] {
            if (late.data.empty() || late.data[999] != 7) _exit(9);
          });
        }
        std::exit(4);
      },
      testing::ExitedWithCode(4), "");
}

TEST(Process, AChildOfForkIsRefusedAndCanLeave) {
  submit(nullptr, [] {});
  ASSERT_EQ(stream::synchronize_device(0), cudaSuccess);
  pid_t child = fork();
  if (child == 0) {
    cudaStream_t stream;
    bool refused = cudaStreamCreate(&stream) == cudaErrorInitializationError &&
                   cudaDeviceSynchronize() == cudaErrorInitializationError &&
                   cudaStreamSynchronize(nullptr) == cudaErrorInitializationError;
    std::exit(refused ? 0 : 1);  // With atexit handlers: they must not wait for workers that are not there.
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess) << "the parent goes on";
}

// The child of an event test: opens the handle that its parent put into the environment.
int child_main(const char* hex) {
  cudaIpcEventHandle_t handle;
  for (size_t i = 0; i < sizeof handle.reserved; ++i) {
    unsigned byte;
    if (std::sscanf(hex + 2 * i, "%2x", &byte) != 1) return 10;
    handle.reserved[i] = static_cast<char>(byte);
  }
  cudaEvent_t event;
  if (cudaIpcOpenEventHandle(&event, handle) != cudaSuccess) return 11;
  if (cudaEventQuery(event) != cudaErrorNotReady) return 12;
  cudaStream_t stream;
  if (cudaStreamCreate(&stream) != cudaSuccess) return 13;
  if (cudaStreamWaitEvent(stream, event, 0) != cudaSuccess) return 14;
  if (cudaStreamQuery(stream) != cudaErrorNotReady) return 15;
  std::printf("waiting\n");
  std::fflush(stdout);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 16;
  if (cudaEventQuery(event) != cudaSuccess) return 17;
  if (cudaEventSynchronize(event) != cudaSuccess) return 18;
  return cudaEventDestroy(event) == cudaSuccess ? 0 : 19;
}

TEST(Process, AnEventIsSharedWithAnotherProcess) {
  cudaEvent_t event;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming), cudaSuccess);
  cudaIpcEventHandle_t handle;
  ASSERT_EQ(cudaIpcGetEventHandle(&handle, event), cudaSuccess);
  std::string hex;
  for (char byte : handle.reserved) {
    char text[3];
    std::snprintf(text, sizeof text, "%02x", static_cast<unsigned char>(byte));
    hex += text;
  }
  std::atomic<bool> open{false};
  submit(nullptr, [&] {
    while (!open) std::this_thread::yield();
  });
  ASSERT_EQ(cudaEventRecord(event, nullptr), cudaSuccess);
  FILE* child = popen(("REPRISE_TEST_EVENT=" + hex + " /proc/" + std::to_string(getpid()) + "/exe").c_str(), "r");
  ASSERT_NE(child, nullptr);
  char line[64] = "";
  EXPECT_NE(std::fgets(line, sizeof line, child), nullptr);
  EXPECT_STREQ(line, "waiting\n");
  open = true;
  int status = pclose(child);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "the child tells where it failed";
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

}  // namespace

int main(int argc, char** argv) {
  if (const char* hex = std::getenv("REPRISE_TEST_EVENT")) return child_main(hex);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
