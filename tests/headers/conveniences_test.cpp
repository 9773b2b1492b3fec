// Which arguments the C++ overloads pass on to the calls. This file defines the calls, so nothing runs.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

// Arguments of the last call.
struct Played {
  std::vector<std::string> arguments;
  cudaMemLocation location;
  unsigned flags;
  cudaHostFn_t destroy;
} played;

// The device and the kernel that the occupancy calls see.
struct {
  int threads_per_multiprocessor = 2048, warp = 32, threads_per_block = 1024, multiprocessors = 3;
  int kernel_threads_per_block = 1024, registers_per_thread = 32, blocks_per_multiprocessor = 32;
  size_t shared_per_multiprocessor = 65536;
} device;

int occupancy_calls = 0;

int active_blocks(int block_size, size_t shared) {
  int blocks = device.blocks_per_multiprocessor;
  blocks = std::min(blocks, device.threads_per_multiprocessor / block_size);
  blocks = std::min(blocks, 65536 / (device.registers_per_thread * block_size));
  if (shared) blocks = std::min<int>(blocks, device.shared_per_multiprocessor / shared);
  return blocks;
}

}  // namespace

extern "C" {

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void* func, void** args) {
  auto parameters = reinterpret_cast<const char*>(func);
  played.arguments.clear();
  // The "kernel" is a string that says how to read its arguments.
  for (size_t i = 0; parameters[i]; ++i) switch (parameters[i]) {
      case 'i':
        played.arguments.push_back(std::to_string(*static_cast<int*>(args[i])));
        break;
      case 'f':
        played.arguments.push_back(std::to_string(*static_cast<float*>(args[i])));
        break;
      case 'l':
        played.arguments.push_back(std::to_string(*static_cast<long long*>(args[i])));
        break;
      case 's':
        played.arguments.push_back(*static_cast<const char**>(args[i]));
        break;
    }
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation location, unsigned flags, cudaStream_t) {
  played.location = location;
  played.flags = flags;
  return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation location) {
  played.location = location;
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void**, size_t, unsigned flags) {
  played.flags = flags;
  return cudaSuccess;
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t*, void*, cudaHostFn_t destroy, unsigned, unsigned flags) {
  played.destroy = destroy;
  played.flags = flags;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t*, cudaGraph_t, cudaGraphInstantiateParams* params) {
  params->errNode_out = reinterpret_cast<cudaGraphNode_t>(0x77);
  return cudaErrorInvalidValue;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo* info) {
  info->result = cudaGraphExecUpdateErrorTopologyChanged;
  info->errorNode = reinterpret_cast<cudaGraphNode_t>(0x78);
  return cudaErrorGraphExecUpdateFailure;
}

cudaError_t cudaGetDevice(int* current) {
  *current = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = device.threads_per_multiprocessor;
      break;
    case cudaDevAttrWarpSize:
      *value = device.warp;
      break;
    case cudaDevAttrMaxThreadsPerBlock:
      *value = device.threads_per_block;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = device.multiprocessors;
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  attributes->maxThreadsPerBlock = device.kernel_threads_per_block;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int block_size,
                                                                   size_t shared, unsigned) {
  ++occupancy_calls;
  *blocks = active_blocks(block_size, shared);
  return cudaSuccess;
}

}  // extern "C"

namespace {

template <class... Parameters>
auto kernel_of(const char* reads) {
  return reinterpret_cast<void (*)(Parameters...)>(const_cast<char*>(reads));
}

using Arguments = std::vector<std::string>;

TEST(TypedLaunch, ConvertsArgumentsToTheKernelsParameters) {
  cudaLaunchConfig_t config = {};
  short three = 3;
  ASSERT_EQ(cudaLaunchKernelEx(&config, kernel_of<int, float, long long, const char*>("ifls"), 2.9, 1, three, "text"),
            cudaSuccess);
  EXPECT_EQ(played.arguments, (Arguments{"2", "1.000000", "3", "text"}));
}

TEST(TypedLaunch, TakesAKernelWithoutParameters) {
  cudaLaunchConfig_t config = {};
  ASSERT_EQ(cudaLaunchKernelEx(&config, kernel_of<>("")), cudaSuccess);
  EXPECT_TRUE(played.arguments.empty());
}

TEST(TypedLaunch, HandsArgumentsOfAKernelHandleOnAsTheyAre) {
  cudaLaunchConfig_t config = {};
  const long long wide = 1ll << 40;
  auto handle = reinterpret_cast<cudaKernel_t>(const_cast<char*>("li"));
  ASSERT_EQ(cudaLaunchKernelEx(&config, handle, wide, 7), cudaSuccess);
  EXPECT_EQ(played.arguments, (Arguments{"1099511627776", "7"}));
}

TEST(EarlierForms, ADeviceNumberIsThatDevicesMemory) {
  ASSERT_EQ(cudaMemPrefetchAsync(&played, 1, 3), cudaSuccess);
  EXPECT_EQ(played.location.type, cudaMemLocationTypeDevice);
  EXPECT_EQ(played.location.id, 3);
  EXPECT_EQ(played.flags, 0u);
}

TEST(EarlierForms, TheCpusDeviceNumberIsHostMemory) {
  ASSERT_EQ(cudaMemAdvise(&played, 1, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId), cudaSuccess);
  EXPECT_EQ(played.location.type, cudaMemLocationTypeHost);
}

TEST(EarlierForms, AFailedInstantiationNamesItsNode) {
  cudaGraphNode_t node = nullptr;
  char text[] = "unchanged";
  EXPECT_EQ(cudaGraphInstantiate(nullptr, nullptr, &node, text, sizeof(text)), cudaErrorInvalidValue);
  EXPECT_EQ(node, reinterpret_cast<cudaGraphNode_t>(0x77));
  EXPECT_STREQ(text, "");
  EXPECT_EQ(cudaGraphInstantiate(nullptr, nullptr, nullptr, nullptr, 0), cudaErrorInvalidValue);
}

TEST(EarlierForms, AnUpdateTellsItsResultAndNode) {
  cudaGraphNode_t node = nullptr;
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  EXPECT_EQ(cudaGraphExecUpdate(nullptr, nullptr, &node, &result), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(node, reinterpret_cast<cudaGraphNode_t>(0x78));
  EXPECT_EQ(result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(cudaGraphExecUpdate(nullptr, nullptr, nullptr, nullptr), cudaErrorGraphExecUpdateFailure);
}

TEST(HostMemory, FlagsReachTheAllocation) {
  int* pointer;
  ASSERT_EQ(cudaMallocHost(&pointer, 4, cudaHostAllocMapped), cudaSuccess);
  EXPECT_EQ(played.flags, unsigned{cudaHostAllocMapped});
  ASSERT_EQ(cudaMallocHost(&pointer, 4), cudaSuccess);
  EXPECT_EQ(played.flags, unsigned{cudaHostAllocDefault});
}

struct Counted {
  ~Counted() { ++destroyed; }
  static int destroyed;
};
int Counted::destroyed = 0;

TEST(UserObject, DeletesWhatItWraps) {
  cudaUserObject_t object;
  auto wrapped = new Counted;
  ASSERT_EQ(cudaUserObjectCreate(&object, wrapped, 1, cudaUserObjectNoDestructorSync), cudaSuccess);
  EXPECT_EQ(played.flags, unsigned{cudaUserObjectNoDestructorSync});
  played.destroy(wrapped);
  EXPECT_EQ(Counted::destroyed, 1);
}

class BlockSize : public testing::Test {
 protected:
  void TearDown() override { device = {}; }
  int grid = -1, block = -1;
  void (*kernel)() = kernel_of<>("");
};

TEST_F(BlockSize, IsTheLargestOfThoseThatFillTheDevice) {
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 2 * 3);
}

TEST_F(BlockSize, SearchStopsOnceTheDeviceIsFull) {
  occupancy_calls = 0;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel), cudaSuccess);
  EXPECT_EQ(occupancy_calls, 1);
}

TEST_F(BlockSize, WeighsThreadsNotBlocks) {
  // One block of 1024 threads fits, but several smaller ones are more threads.
  device.threads_per_multiprocessor = 2047;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel), cudaSuccess);
  int best = 0, best_threads = 0;
  for (int size = 1024; size > 0; size -= 32)
    if (active_blocks(size, 0) * size > best_threads) {
      best = size;
      best_threads = active_blocks(size, 0) * size;
    }
  EXPECT_EQ(block, best);
  EXPECT_EQ(grid, active_blocks(best, 0) * 3);
}

TEST_F(BlockSize, RespectsTheCallersLimitThatIsNoWholeWarp) {
  device.blocks_per_multiprocessor = 1;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 100), cudaSuccess);
  EXPECT_EQ(block, 100);
}

TEST_F(BlockSize, RespectsTheKernelsLimit) {
  device.kernel_threads_per_block = 256;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, kernel), cudaSuccess);
  EXPECT_EQ(block, 256);
}

TEST_F(BlockSize, AsksHowMuchSharedMemoryEachSizeNeeds) {
  // 96 bytes a thread: 65536 bytes hold 682 threads.
  auto shared_of = [](int size) { return size_t(size) * 96; };
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel, shared_of), cudaSuccess);
  EXPECT_EQ(active_blocks(block, shared_of(block)) * block, 672);
  EXPECT_EQ(block, 672);
}

TEST_F(BlockSize, RefusesNullArguments) {
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(nullptr, &block, kernel), cudaErrorInvalidValue);
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, nullptr, kernel), cudaErrorInvalidValue);
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, static_cast<void (*)()>(nullptr)), cudaErrorInvalidValue);
}

}  // namespace
