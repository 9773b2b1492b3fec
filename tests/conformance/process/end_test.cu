// Process exit, fork, and environment variables.
#include <fstream>
#include <sstream>

#include "process/child_process.h"

using ProcessEnd = Runtime;
// The second process. It leaves the device as it is.
using EndChild = testing::Test;

TEST_F(ProcessEnd, WithWorkInFlight) { ASK_VALUE(0, ChildProcess("EndChild.DISABLED_LeavesWork").status()); }

TEST_F(EndChild, DISABLED_LeavesWork) {
  int* cells = nullptr;
  MUST(cudaMalloc(&cells, sizeof(int)));
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int i = 0; i < 2000; ++i) add_one<<<1, 1, 0, i % 2 ? stream : nullptr>>>(cells);
  ASK(cudaSuccess, cudaGetLastError());
}

TEST_F(ProcessEnd, WhileAKernelRuns) { ASK_VALUE(0, ChildProcess("EndChild.DISABLED_LeavesARunningKernel").status()); }

__global__ void run_for(long long clocks) {
  const long long start = clock64();
  while (clock64() - start < clocks) {
  }
}

TEST_F(EndChild, DISABLED_LeavesARunningKernel) {
  run_for<<<1, 1>>>(500000000);
  MUST(cudaGetLastError());
}

TEST_F(ProcessEnd, WhileAHostFunctionRuns) {
  ASK_VALUE(0, ChildProcess("EndChild.DISABLED_LeavesARunningHostFunction").status());
}

TEST_F(EndChild, DISABLED_LeavesARunningHostFunction) {
  static std::atomic<bool> started{false};
  MUST(cudaLaunchHostFunc(
      nullptr,
      [](void*) {
        started = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
      },
      nullptr));
  EXPECT_TRUE(eventually([] { return started.load(); }));
}

// Static objects call CUDA in their destructors.
struct GlobalOwner {
  int* memory = nullptr;
  cudaStream_t stream = nullptr;
  ~GlobalOwner() {
    if (memory == nullptr) return;
    (void)cudaStreamSynchronize(stream);
    (void)cudaStreamDestroy(stream);
    (void)cudaFree(memory);
  }
};
static GlobalOwner global_owner;

TEST_F(ProcessEnd, WithCallsInDestructors) {
  ASK_VALUE(0, ChildProcess("EndChild.DISABLED_FreesInADestructor").status());
}

TEST_F(EndChild, DISABLED_FreesInADestructor) {
  MUST(cudaMalloc(&global_owner.memory, 64));
  MUST(cudaStreamCreate(&global_owner.stream));
  store<<<1, 1, 0, global_owner.stream>>>(global_owner.memory, 1);
}

TEST_F(ProcessEnd, OfAThreadWithWorkInItsStream) {
  PinnedArray<int> done(1);
  Gate gate;
  std::thread([&] {
    gate.close(cudaStreamPerThread);
    store<<<1, 1, 0, cudaStreamPerThread>>>(done.get(), 1);
  }).join();
  ASK_VALUE(0, *static_cast<volatile int*>(done.get()));
  gate.open();
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(1, *static_cast<volatile int*>(done.get()));
}

using Fork = Runtime;

// Runs `call` in a forked process and returns its error by the exit status.
template <typename Call>
static int forked(Call call) {
  const pid_t child = fork();
  if (child == 0) _exit(static_cast<int>(call()));
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(Fork, OfAProcessThatUsesTheDevice) {
  DeviceArray<int> cell(1);
  store<<<1, 1>>>(cell.get(), 3);
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(cudaErrorInitializationError, forked([] {
              void* pointer;
              return cudaMalloc(&pointer, 16);
            }));
  ASK_VALUE(cudaErrorInitializationError, forked([] { return cudaDeviceSynchronize(); }));
  ASK_VALUE(cudaSuccess, forked([] {
              int count;
              return cudaGetDeviceCount(&count);
            }));
  // The parent's state is unchanged.
  ASK_VALUE(3, cell.read()[0]);
}

TEST_F(Fork, OfAProcessThatHasNotUsedTheDevice) { ASK_VALUE(0, ChildProcess("EndChild.DISABLED_ForksFirst").status()); }

TEST_F(EndChild, DISABLED_ForksFirst) {
  const auto use = [] {
    DeviceArray<int> cell(1);
    store<<<1, 1>>>(cell.get(), 5);
    return cell.read()[0] == 5 ? 0 : 1;
  };
  ASK_VALUE(0, forked(use));
  ASK_VALUE(0, use());
}

using Environment = Runtime;

static std::string content(const char* path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_F(Environment, TheLogGoesToAFile) {
  char path[] = "/tmp/conformance-log-XXXXXX";
  const int file = mkstemp(path);
  ASSERT_GE(file, 0);
  close(file);
  ASK_VALUE(0, ChildProcess("EndChild.DISABLED_MakesAnError", {std::string("CUDA_LOG_FILE=") + path}).status());
  const std::string text = content(path);
  EXPECT_NE(std::string::npos, text.find("][CUDA][E] ")) << text;
  unlink(path);
}

TEST_F(EndChild, DISABLED_MakesAnError) { ASK(cudaErrorInvalidValue, cudaMemset(nullptr, 0, 16)); }
