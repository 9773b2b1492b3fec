// Runtime services of device code: printf, malloc, assert, trap.
#undef NDEBUG  // assertions are among what is tested
#include <cassert>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>

#include "device_array.h"

namespace {

class CapturedOutput {
 public:
  CapturedOutput() { testing::internal::CaptureStdout(); }
  // Waits for the device, which flushes printed text.
  std::string text() {
    EXPECT_CUDA(cudaDeviceSynchronize());
    std::fflush(stdout);
    return testing::internal::GetCapturedStdout();
  }
};

__global__ void print_everything(const char* word, int* returned) {
  const float real = 2.5f;
  const signed char small = -3;
  const unsigned long long wide = 1ull << 40;
  returned[0] = printf("[%d|%5d|%-5d|%05d|%+d]\n", 42, 42, 42, 42, 42);
  returned[1] = printf("[%u|%x|%X|%o|%#x]\n", 4000000000u, 48879, 48879, 8, 255);
  returned[2] = printf("[%lld|%llu|%ld|%hd]\n", -5000000000ll, wide, 7l, static_cast<short>(-2));
  returned[3] = printf("[%f|%.2f|%8.3f|%e|%g]\n", real, 3.14159, -1.0, 12345.678, 0.0001);
  returned[4] = printf("[%c|%s|%10s|%-4s|%.2s|%%]\n", 'z', word, "right", "l", "cut");
  returned[5] = printf("[%d]\n", small);
  returned[6] = printf("no arguments\n");
}

TEST(DeviceServices, PrintfOfEveryFormat) {
  char* word = nullptr;
  ASSERT_CUDA(cudaMallocManaged(&word, 8));
  snprintf(word, 8, "hello");
  DeviceArray<int> returned(7);
  CapturedOutput output;
  print_everything<<<1, 1>>>(word, returned);
  EXPECT_EQ(output.text(),
            "[42|   42|42   |00042|+42]\n"
            "[4000000000|beef|BEEF|10|0xff]\n"
            "[-5000000000|1099511627776|7|-2]\n"
            "[2.500000|3.14|  -1.000|1.234568e+04|0.0001]\n"
            "[z|hello|     right|l   |cu|%]\n"
            "[-3]\n"
            "no arguments\n");
  // CUDA's printf counts arguments, not characters.
  EXPECT_EQ(returned.host(), (std::vector<int>{5, 5, 4, 5, 5, 1, 0}));
  EXPECT_CUDA(cudaFree(word));
}

__global__ void print_from_each() {
  printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
  if (threadIdx.x == 3) printf("block %d again\n", blockIdx.x);
}

TEST(DeviceServices, EveryThreadPrintsItsLinesWholeAndInOrder) {
  CapturedOutput output;
  print_from_each<<<3, 40>>>();
  std::istringstream lines(output.text());
  std::multiset<std::string> seen;
  for (std::string line; std::getline(lines, line);) seen.insert(line);
  EXPECT_EQ(seen.size(), 3u * 40 + 3);
  for (int b = 0; b < 3; ++b) {
    EXPECT_EQ(seen.count("block " + std::to_string(b) + " again"), 1u);
    for (int t = 0; t < 40; ++t)
      EXPECT_EQ(seen.count("block " + std::to_string(b) + " thread " + std::to_string(t)), 1u);
  }
}

TEST(DeviceServices, PrintedTextIsOutAfterAStreamIsSynchronised) {
  cudaStream_t stream;
  ASSERT_CUDA(cudaStreamCreate(&stream));
  testing::internal::CaptureStdout();
  print_from_each<<<1, 1, 0, stream>>>();
  EXPECT_CUDA(cudaStreamSynchronize(stream));
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "block 0 thread 0\n");
  EXPECT_CUDA(cudaStreamDestroy(stream));
}

__global__ void build_lists(int** heads, int length) {
  int* list = nullptr;
  for (int i = 0; i < length; ++i) {
    int* node = static_cast<int*>(malloc(4 * sizeof(int)));
    node[0] = static_cast<int>(threadIdx.x) * 1000 + i;
    memcpy(node + 2, &list, sizeof list);
    list = node;
  }
  heads[blockIdx.x * blockDim.x + threadIdx.x] = list;
}
__global__ void take_lists_apart(int** heads, int* sums) {
  int sum = 0;
  int* list = heads[blockIdx.x * blockDim.x + threadIdx.x];
  while (list != nullptr) {
    sum += list[0];
    int* next;
    memcpy(&next, list + 2, sizeof next);
    free(list);
    list = next;
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

TEST(DeviceServices, MemoryAllocatedInOneKernelIsUsedAndFreedInAnother) {
  DeviceArray<int*> heads(64);
  DeviceArray<int> sums(64);
  build_lists<<<2, 32>>>(heads, 10);
  take_lists_apart<<<2, 32>>>(heads, sums);
  const auto host = sums.host();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(host[i], i % 32 * 10000 + 45);
}

__global__ void allocate_too_much(int* out) {
  void* huge = malloc(1ull << 40);
  out[0] = huge == nullptr;
  int* array = new int[100];
  for (int i = 0; i < 100; ++i) array[i] = i;
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += array[i];
  delete[] array;
  out[1] = sum;
  free(nullptr);
  char block[16];
  memset(block, 7, sizeof block);
  out[2] = block[3] + block[15];
}

TEST(DeviceServices, AllocationThatCannotBeGivesANullPointer) {
  DeviceArray<int> out(3);
  allocate_too_much<<<1, 1>>>(out);
  EXPECT_EQ(out.host(), (std::vector<int>{1, 4950, 14}));
}

__global__ void fill_heap(void** blocks, int count, size_t bytes, int* got) {
  int held = 0;
  for (int i = 0; i < count; ++i) held += (blocks[i] = malloc(bytes)) != nullptr;
  for (int i = 0; i < count; ++i) free(blocks[i]);
  *got = held;
}

TEST(DeviceServices, TheHeapHasTheRequestedSize) {
  size_t limit = 0;
  ASSERT_CUDA(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  const int pieces = 4 * static_cast<int>(limit >> 20);
  DeviceArray<void*> blocks(pieces);
  DeviceArray<int> got(1);
  fill_heap<<<1, 1>>>(blocks, pieces, 1 << 20, got);
  const int held = got.host()[0];
  EXPECT_LT(held, pieces);
  EXPECT_GE(held, pieces / 8);
  fill_heap<<<1, 1>>>(blocks, pieces, 1 << 20, got);
  EXPECT_EQ(got.host()[0], held);  // all of it was given back
}

// A trap makes the device unusable for the process, so these run in processes of their own.

__global__ void assert_something(int limit) { assert(static_cast<int>(threadIdx.x) < limit); }
__global__ void trap_if(int thread) {
  if (static_cast<int>(threadIdx.x) == thread) __trap();
}

[[noreturn]] void exit_with(cudaError_t error) {
  std::fprintf(stderr, "%s\n", cudaGetErrorName(error));
  std::_Exit(error == cudaSuccess ? 0 : 1);
}
[[noreturn]] void assert_and_exit(int limit) {
  assert_something<<<1, 32>>>(limit);
  const cudaError_t first = cudaDeviceSynchronize();
  void* memory;
  if (first != cudaSuccess && cudaMalloc(&memory, 16) != first) exit_with(cudaErrorUnknown);
  exit_with(first);
}
[[noreturn]] void trap_and_exit(int thread) {
  trap_if<<<1, 32>>>(thread);
  exit_with(cudaDeviceSynchronize());
}

class DeviceServicesDeathTest : public testing::Test {
 protected:
  void SetUp() override { testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
};

TEST_F(DeviceServicesDeathTest, AFailedAssertionIsAStickyErrorThatSaysWhere) {
  EXPECT_EXIT(assert_and_exit(31), testing::ExitedWithCode(1),
              "block: .0,0,0., thread: .31,0,0. Assertion .*limit. failed(.|\n)*cudaErrorAssert");
}
TEST_F(DeviceServicesDeathTest, AnAssertionThatHoldsDoesNothing) {
  EXPECT_EXIT(assert_and_exit(32), testing::ExitedWithCode(0), "cudaSuccess");
}
TEST_F(DeviceServicesDeathTest, ATrapEndsTheKernel) {
  EXPECT_EXIT(trap_and_exit(5), testing::ExitedWithCode(1), "cudaError(LaunchFailure|IllegalInstruction)");
  EXPECT_EXIT(trap_and_exit(99), testing::ExitedWithCode(0), "cudaSuccess");
}

}  // namespace
