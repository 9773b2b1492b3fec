#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/last_error.h"
#include "hand_made_kernels.h"
#include "stream/device_streams.h"

namespace {

using namespace reprise_runtime;
using test::for_each_thread;
using test::parameter;

// __global__ void add(int* cells, int value): every thread adds to its own cell.
void add_thunk(const void* params, const reprise_launch* launch) {
  int* cells = parameter<int*>(params, 0);
  int value = parameter<int>(params, 8);
  uint64_t width = uint64_t{launch->block[0]} * launch->block[1] * launch->block[2];
  for_each_thread(launch, [&](uint64_t block, uint64_t thread) { cells[block * width + thread] += value; });
}

// __global__ void wait(int* flag): until the host sets it.
void wait_thunk(const void* params, const reprise_launch*) {
  auto* flag = parameter<std::atomic<int>*>(params, 0);
  while (flag->load(std::memory_order_acquire) == 0) std::this_thread::yield();
}

// __global__ void trap().
void trap_thunk(const void*, const reprise_launch*) { __reprise_trap(); }

// __global__ void wild(): writes to address 8.
void wild_thunk(const void*, const reprise_launch*) { *reinterpret_cast<volatile int*>(8) = 1; }

// __global__ void shared(int* out): each block fills its dynamic shared memory and scratch and sums them.
void shared_thunk(const void* params, const reprise_launch* launch) {
  int* out = parameter<int*>(params, 0);
  for (uint64_t block = launch->block_begin; block < launch->block_end; ++block) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(launch->shared) % 128, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(launch->scratch) % 64, 0u);
    std::memset(launch->shared, static_cast<int>(block % 100), 256 + launch->dynamic_shared);
    std::memset(launch->scratch, 1, 64 + 16 * 32);
    int sum = 0;
    for (uint32_t i = 0; i < 256 + launch->dynamic_shared; ++i) sum += launch->shared[i];
    out[block] = sum;
  }
}

// __global__ void phases(int* cells): grid-wide barriers between rounds, each block reads its neighbour.
void phases_thunk(const void* params, const reprise_launch* launch) {
  auto* cells = parameter<std::atomic<int>*>(params, 0);
  int rounds = parameter<int>(params, 8);
  uint64_t me = launch->block_begin, blocks = launch->grid[0];
  ASSERT_EQ(launch->block_end, me + 1);
  for (int round = 1; round <= rounds; ++round) {
    EXPECT_EQ(cells[(me + 1) % blocks].load(std::memory_order_relaxed), round - 1);
    __reprise_grid_sync(launch);
    cells[me].store(round, std::memory_order_relaxed);
    __reprise_grid_sync(launch);
  }
}

// The same with fibers as threads: the first thread acts for its block.
void fiber_thread(const void* params, const reprise_launch* launch, const uint32_t* block, const uint32_t* thread) {
  auto* cells = parameter<std::atomic<int>*>(params, 0);
  int rounds = parameter<int>(params, 8);
  uint32_t blocks = launch->grid[0];
  for (int round = 1; round <= rounds; ++round) {
    __reprise_fiber_barrier(0, 0);
    if (thread[0] == 0) __reprise_grid_sync(launch);
    __reprise_fiber_barrier(0, 0);
    EXPECT_EQ(cells[(block[0] + 1) % blocks].load(std::memory_order_relaxed), round - 1);
    __reprise_fiber_barrier(0, 0);
    if (thread[0] == 0) __reprise_grid_sync(launch);
    __reprise_fiber_barrier(0, 0);
    if (thread[0] == 7) cells[block[0]].store(round, std::memory_order_relaxed);
  }
}
void fibers_thunk(const void* params, const reprise_launch* launch) {
  __reprise_run_fibers(params, launch, fiber_thread);
}

constexpr reprise_param pointer_and_int[] = {{0, 8}, {8, 4}};
constexpr reprise_kernel kernels[] = {
    {"add", add_thunk, pointer_and_int, 2, 12, 0, 0, 0, 0, 0, 0, 0, 90, {}},
    {"wait", wait_thunk, pointer_and_int, 1, 8, 0, 0, 0, 0, 0, reprise_kernel_spins, 0, 90, {}},
    {"trap", trap_thunk, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, {}},
    {"wild", wild_thunk, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, {}},
    {"shared", shared_thunk, pointer_and_int, 1, 8, 256, 64, 16, 128, 0, 0, 0, 90, {}},
    {"phases", phases_thunk, pointer_and_int, 2, 12, 0, 0, 0, 0, 0, reprise_kernel_grid_sync, 0, 90, {}},
    {"fibers", fibers_thunk, pointer_and_int, 2, 12, 0, 0, 0, 0, 0, reprise_kernel_grid_sync, 0, 90, {}},
};
char stubs[7];
const void* const stub_addresses[] = {&stubs[0], &stubs[1], &stubs[2], &stubs[3], &stubs[4], &stubs[5], &stubs[6]};
const void *const add = &stubs[0], *const wait_kernel = &stubs[1], *const trap = &stubs[2], *const wild = &stubs[3],
                  *const shared = &stubs[4], *const phases = &stubs[5], *const fibers = &stubs[6];
test::Registered registered("launch_test", kernels, 7, stub_addresses);

struct Launch : testing::Test {
  void TearDown() override {
    reprise_runtime::clear_sticky_error(0);
    reprise_runtime::take_last_error();
  }
};

cudaError_t launch_add(int* cells, int value, dim3 grid, dim3 block, cudaStream_t stream = nullptr) {
  void* arguments[] = {&cells, &value};
  return cudaLaunchKernel(add, grid, block, arguments, 0, stream);
}

TEST_F(Launch, EveryThreadRunsOnce) {
  for (unsigned blocks : {1u, 2u, 7u, 1000u, 50'000u}) {
    std::vector<int> cells(blocks * 32, 0);
    ASSERT_EQ(launch_add(cells.data(), 3, dim3(blocks), dim3(32)), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    for (int cell : cells) ASSERT_EQ(cell, 3);
  }
}

TEST_F(Launch, ArgumentsAreCopiedWhenTheCallReturns) {
  std::vector<int> cells(1, 0);
  for (int i = 0; i < 100; ++i) {
    int value = i;
    ASSERT_EQ(launch_add(cells.data(), value, dim3(1), dim3(1)), cudaSuccess);
    value = -1;
  }
  cudaStreamSynchronize(nullptr);
  EXPECT_EQ(cells[0], 99 * 100 / 2);
}

TEST_F(Launch, ByConfigurationAndStubAsTheCompilerMakesIt) {
  int cell = 0, value = 5;
  int* pointer = &cell;
  ASSERT_EQ(__cudaPushCallConfiguration(dim3(1), dim3(1), 0, nullptr), 0u);
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
  ASSERT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream), cudaSuccess);
  void* arguments[] = {&pointer, &value};
  ASSERT_EQ(cudaLaunchKernel(add, grid, block, arguments, shared_bytes, stream), cudaSuccess);
  cudaStreamSynchronize(nullptr);
  EXPECT_EQ(cell, 5);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream), cudaErrorMissingConfiguration);
}

TEST_F(Launch, WrongShapesAreRefused) {
  int cell = 0;
  EXPECT_EQ(launch_add(&cell, 1, dim3(0), dim3(1)), cudaErrorInvalidValue);
  EXPECT_EQ(launch_add(&cell, 1, dim3(1), dim3(0)), cudaErrorInvalidValue);
  EXPECT_EQ(launch_add(&cell, 1, dim3(1, 0), dim3(1)), cudaErrorInvalidValue);
  EXPECT_EQ(launch_add(&cell, 1, dim3(1), dim3(1025)), cudaErrorInvalidValue);
  EXPECT_EQ(launch_add(&cell, 1, dim3(1), dim3(64, 32)), cudaErrorInvalidValue);
  EXPECT_EQ(launch_add(&cell, 1, dim3(1), dim3(1, 1, 65)), cudaErrorInvalidValue);
  EXPECT_EQ(launch_add(&cell, 1, dim3(1, 65536), dim3(1)), cudaErrorInvalidValue);
  EXPECT_EQ(launch_add(&cell, 1, dim3(1, 1, 65536), dim3(1)), cudaErrorInvalidValue);
  EXPECT_EQ(launch_add(&cell, 1, dim3(0x80000000u), dim3(1)), cudaErrorInvalidValue);
  cudaStreamSynchronize(nullptr);
  EXPECT_EQ(cell, 0);
}

TEST_F(Launch, AnUnknownFunctionIsRefused) {
  int something = 0;
  EXPECT_EQ(cudaLaunchKernel(&something, dim3(1), dim3(1), nullptr, 0, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaLaunchKernel(nullptr, dim3(1), dim3(1), nullptr, 0, nullptr), cudaErrorInvalidDeviceFunction);
}

TEST_F(Launch, SharedMemoryNeedsRoomAndOptIn) {
  std::vector<int> sums(64);
  int* out = sums.data();
  void* arguments[] = {&out};
  EXPECT_EQ(cudaLaunchKernel(shared, dim3(64), dim3(32), arguments, 1024, nullptr), cudaSuccess);
  cudaStreamSynchronize(nullptr);
  for (int block = 0; block < 64; ++block) EXPECT_EQ(sums[block], block * 1280);
  EXPECT_EQ(cudaLaunchKernel(shared, dim3(1), dim3(32), arguments, 48 * 1024, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(shared, dim3(1), dim3(32), arguments, 100 * 1024, nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(shared, dim3(1), dim3(32), arguments, 100 * 1024 + 1, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernel(shared, dim3(1), dim3(256), arguments, 0, nullptr), cudaErrorInvalidValue);
  cudaStreamSynchronize(nullptr);
}

TEST_F(Launch, AKernelThatWaitsForTheHostStopsNoOtherStream) {
  std::atomic<int> flag{0};
  std::atomic<int>* pointer = &flag;
  void* arguments[] = {&pointer};
  cudaStream_t first, second;
  ASSERT_EQ(cudaStreamCreate(&first), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&second), cudaSuccess);
  ASSERT_EQ(cudaLaunchKernel(wait_kernel, dim3(1), dim3(1), arguments, 0, first), cudaSuccess);
  int cell = 0;
  ASSERT_EQ(launch_add(&cell, 1, dim3(1), dim3(1), second), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(cell, 1);
  EXPECT_EQ(cudaStreamQuery(first), cudaErrorNotReady);
  flag = 1;
  EXPECT_EQ(cudaStreamSynchronize(first), cudaSuccess);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

TEST_F(Launch, ATrapIsAStickyErrorAndStopsTheWorkBehindIt) {
  int cell = 0;
  ASSERT_EQ(cudaLaunchKernel(trap, dim3(100), dim3(32), nullptr, 0, nullptr), cudaSuccess);
  launch_add(&cell, 1, dim3(1), dim3(1));
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaErrorLaunchFailure);
  EXPECT_EQ(cell, 0);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaErrorLaunchFailure);
  cudaStream_t stream;
  EXPECT_EQ(cudaStreamCreate(&stream), cudaErrorLaunchFailure);
}

TEST_F(Launch, AWildPointerIsAnIllegalAddress) {
  ASSERT_EQ(cudaLaunchKernel(wild, dim3(1), dim3(1), nullptr, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaErrorIllegalAddress);
}

TEST_F(Launch, BlocksOfACooperativeLaunchMeetAtGridBarriers) {
  for (unsigned blocks : {1u, 2u, 5u, 16u}) {
    std::vector<std::atomic<int>> cells(blocks);
    auto* pointer = cells.data();
    int rounds = 50;
    void* arguments[] = {&pointer, &rounds};
    ASSERT_EQ(cudaLaunchCooperativeKernel(phases, dim3(blocks), dim3(32), arguments, 0, nullptr), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    for (auto& cell : cells) EXPECT_EQ(cell, 50);
  }
}

TEST_F(Launch, BlocksWhoseThreadsAreFibersMeetAtGridBarriersToo) {
  for (unsigned blocks : {1u, 2u, 7u}) {
    std::vector<std::atomic<int>> cells(blocks);
    auto* pointer = cells.data();
    int rounds = 20;
    void* arguments[] = {&pointer, &rounds};
    ASSERT_EQ(cudaLaunchCooperativeKernel(fibers, dim3(blocks), dim3(32), arguments, 0, nullptr), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    for (auto& cell : cells) EXPECT_EQ(cell, 20);
  }
}

TEST_F(Launch, ACooperativeLaunchMustFit) {
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, phases, 1024, 0), cudaSuccess);
  EXPECT_EQ(blocks, 2);
  unsigned most = static_cast<unsigned>(blocks * core_count());
  void* pointer = nullptr;
  int rounds = 0;
  void* arguments[] = {&pointer, &rounds};
  EXPECT_EQ(cudaLaunchCooperativeKernel(phases, dim3(most + 1), dim3(1024), arguments, 0, nullptr),
            cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaLaunchCooperativeKernel(phases, dim3(most), dim3(1024), arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
}

TEST_F(Launch, AGridBarrierInAPlainLaunchIsATrap) {
  std::atomic<int> cells[2] = {};
  auto* pointer = cells;
  int rounds = 1;
  void* arguments[] = {&pointer, &rounds};
  ASSERT_EQ(cudaLaunchKernel(phases, dim3(1), dim3(1), arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaErrorLaunchFailure);
}

TEST_F(Launch, FunctionsAreKnownByHandleToo) {
  cudaFunction_t function;
  cudaKernel_t kernel;
  ASSERT_EQ(cudaGetFuncBySymbol(&function, add), cudaSuccess);
  ASSERT_EQ(cudaGetKernel(&kernel, add), cudaSuccess);
  int cell = 0, value = 2;
  int* pointer = &cell;
  void* arguments[] = {&pointer, &value};
  EXPECT_EQ(cudaLaunchKernel(kernel, dim3(1), dim3(1), arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(function, dim3(1), dim3(1), arguments, 0, nullptr), cudaSuccess);
  cudaStreamSynchronize(nullptr);
  EXPECT_EQ(cell, 4);
  const char* name = nullptr;
  EXPECT_EQ(cudaFuncGetName(&name, add), cudaSuccess);
  EXPECT_STREQ(name, "add");
  size_t offset = 0, size = 0;
  EXPECT_EQ(cudaFuncGetParamInfo(add, 1, &offset, &size), cudaSuccess);
  EXPECT_EQ(offset, 8u);
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(cudaFuncGetParamInfo(add, 2, &offset, &size), cudaErrorInvalidValue);
}

}  // namespace
