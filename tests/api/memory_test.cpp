// Allocation, host memory, pointer attributes and advice through the API.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <thread>
#include <vector>

namespace {

class Memory : public testing::Test {
 protected:
  ~Memory() override { static_cast<void>(cudaGetLastError()); }
};

cudaMemoryType type_of(const void* pointer) {
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
  return attributes.type;
}

TEST_F(Memory, FreeMemoryFallsWithAllocationsAndRecovers) {
  size_t before = 0, during = 0, after = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, size_t{64} << 20), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
  ASSERT_EQ(cudaFree(memory), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before - during, size_t{64} << 20);
  EXPECT_EQ(after, before);
  EXPECT_LE(before, total);
}

TEST_F(Memory, AskingForTooMuchLosesNothing) {
  size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  void* memory = nullptr;
  for (size_t bytes : {total + 1, size_t{1} << 50, SIZE_MAX, SIZE_MAX - 4096}) {
    EXPECT_EQ(cudaMalloc(&memory, bytes), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaMallocHost(&memory, bytes), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal), cudaErrorMemoryAllocation);
  }
  EXPECT_EQ(memory, nullptr);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(after, before);
}

TEST_F(Memory, EachKindIsFreedByItsOwnCall) {
  void *device = nullptr, *pinned = nullptr, *managed = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  ASSERT_EQ(cudaHostAlloc(&pinned, 100, cudaHostAllocPortable), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 100, cudaMemAttachHost), cudaSuccess);
  EXPECT_EQ(type_of(device), cudaMemoryTypeDevice);
  EXPECT_EQ(type_of(pinned), cudaMemoryTypeHost);
  EXPECT_EQ(type_of(managed), cudaMemoryTypeManaged);
  EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(managed), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(static_cast<char*>(device) + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(type_of(device), cudaMemoryTypeUnregistered);
}

TEST_F(Memory, FreeWaitsForWorkThatMayUseIt) {
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 100), cudaSuccess);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  std::atomic<bool> done{false};
  auto slow = [](void* flag) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    *static_cast<std::atomic<bool>*>(flag) = true;
  };
  ASSERT_EQ(cudaLaunchHostFunc(stream, slow, &done), cudaSuccess);
  ASSERT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_TRUE(done);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(Memory, PitchedRowsStartOnMultiplesOf512) {
  void* memory = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&memory, &pitch, 513, 10), cudaSuccess);
  EXPECT_EQ(pitch, 1024u);
  EXPECT_EQ(cudaMemset2D(memory, pitch, 1, 513, 10), cudaSuccess);
  EXPECT_EQ(cudaMemset2D(memory, pitch, 1, 513, 11), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  cudaPitchedPtr box{};
  ASSERT_EQ(cudaMalloc3D(&box, {100, 7, 3}), cudaSuccess);
  EXPECT_EQ(box.pitch, 512u);
  EXPECT_EQ(cudaMemset3D(box, 1, {100, 7, 3}), cudaSuccess);
  EXPECT_EQ(cudaMemset3D(box, 1, {100, 7, 4}), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(box.ptr), cudaSuccess);
}

TEST_F(Memory, RegisteredMemoryIsKnownUntilItIsUnregistered) {
  std::vector<char> heap(10000);
  char* start = heap.data() + 10;
  EXPECT_EQ(cudaHostRegister(start, 5000, cudaHostRegisterPortable), cudaSuccess);
  EXPECT_EQ(type_of(start), cudaMemoryTypeHost);
  EXPECT_EQ(type_of(start + 4999), cudaMemoryTypeHost);
  EXPECT_EQ(type_of(start - 1), cudaMemoryTypeUnregistered);
  EXPECT_EQ(type_of(start + 5000), cudaMemoryTypeUnregistered);
  unsigned flags = 0;
  EXPECT_EQ(cudaHostGetFlags(&flags, start + 1), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaHostRegisterPortable | cudaHostRegisterMapped});
  void* device = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&device, start + 1, 0), cudaSuccess);
  EXPECT_EQ(device, start + 1);
  EXPECT_EQ(cudaHostRegister(start + 100, 10, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostRegister(start - 5, 10, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostUnregister(start + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(start, 1, 5000), cudaSuccess);
  EXPECT_EQ(heap[5009], 1);
  EXPECT_EQ(cudaMemset(start, 1, 5001), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(start), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(start), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaMemset(start, 1, 1), cudaErrorInvalidValue);
}

TEST_F(Memory, OnlyMappedMemoryIsRegistered) {
  auto* pages = static_cast<char*>(mmap(nullptr, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_EQ(munmap(pages + 4096, 4096), 0);
  EXPECT_EQ(cudaHostRegister(pages, 3 * 4096, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(pages, 4096, 0), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(pages), cudaSuccess);
  munmap(pages, 4096);
  munmap(pages + 8192, 4096);
}

TEST_F(Memory, AdviceIsKeptPageByPageAndForgottenWithTheMemory) {
  constexpr size_t page = 4096;
  char* memory = nullptr;
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&memory), 4 * page, cudaMemAttachGlobal), cudaSuccess);
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
  auto ask = [&](cudaMemRangeAttribute which, size_t first, size_t bytes) {
    int answer = -77;
    EXPECT_EQ(cudaMemRangeGetAttribute(&answer, 4, which, memory + first, bytes), cudaSuccess);
    return answer;
  };
  ASSERT_EQ(cudaMemAdvise(memory + page + 5, 10, cudaMemAdviseSetReadMostly, device), cudaSuccess);
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, page, page), 1);
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, page, page + 1), 0);
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, 0, page), 0);
  ASSERT_EQ(cudaMemAdvise(memory, 4 * page, cudaMemAdviseSetPreferredLocation, host), cudaSuccess);
  EXPECT_EQ(ask(cudaMemRangeAttributePreferredLocation, 0, 4 * page), cudaCpuDeviceId);
  EXPECT_EQ(ask(cudaMemRangeAttributePreferredLocationType, 0, 4 * page), cudaMemLocationTypeHost);
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, page, page), 1);
  ASSERT_EQ(cudaMemAdvise(memory, page, cudaMemAdviseSetPreferredLocation, device), cudaSuccess);
  EXPECT_EQ(ask(cudaMemRangeAttributePreferredLocation, 0, page), 0);
  EXPECT_EQ(ask(cudaMemRangeAttributePreferredLocation, 0, 2 * page), cudaInvalidDeviceId);
  ASSERT_EQ(cudaMemAdvise(memory, 4 * page, cudaMemAdviseSetAccessedBy, device), cudaSuccess);
  ASSERT_EQ(cudaMemAdvise(memory, 4 * page, cudaMemAdviseSetAccessedBy, host), cudaSuccess);
  int who[3] = {};
  ASSERT_EQ(cudaMemRangeGetAttribute(who, sizeof who, cudaMemRangeAttributeAccessedBy, memory, 4 * page), cudaSuccess);
  EXPECT_EQ(who[0], 0);
  EXPECT_EQ(who[1], cudaCpuDeviceId);
  EXPECT_EQ(who[2], cudaInvalidDeviceId);
  ASSERT_EQ(cudaMemPrefetchAsync(memory, 4 * page, device, 0, nullptr), cudaSuccess);
  EXPECT_EQ(ask(cudaMemRangeAttributeLastPrefetchLocation, 0, 4 * page), 0);
  ASSERT_EQ(cudaFree(memory), cudaSuccess);

  char* again = nullptr;
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&again), 4 * page, cudaMemAttachGlobal), cudaSuccess);
  ASSERT_EQ(again, memory);
  EXPECT_EQ(ask(cudaMemRangeAttributePreferredLocation, page, page), cudaInvalidDeviceId);
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, page, page), 0);
  EXPECT_EQ(cudaFree(again), cudaSuccess);
}

TEST_F(Memory, ADeviceResetFreesItAll) {
  void *device = nullptr, *pinned = nullptr, *managed = nullptr;
  std::vector<char> heap(5000);
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, size_t{5} << 20), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 100, cudaMemAttachGlobal), cudaSuccess);
  ASSERT_EQ(cudaHostRegister(heap.data(), 5000, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  for (void* memory : {device, pinned, managed, static_cast<void*>(heap.data())}) {
    EXPECT_EQ(type_of(memory), cudaMemoryTypeUnregistered);
  }
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

// Programs then use the memory in a stream that does not wait for the legacy stream.
TEST(SetsWithoutAsync, AreDoneOnReturnIfNothingIsBeforeThem) {
  constexpr size_t bytes = 8 << 20;
  char* device = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&device), 2 * bytes), cudaSuccess);
  for (char value = 1; value <= 50; ++value) {
    ASSERT_EQ(cudaMemset(device, value, bytes), cudaSuccess);
    ASSERT_EQ(device[bytes - 1], value);
    ASSERT_EQ(cudaMemcpy(device + bytes, device, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
    ASSERT_EQ(device[2 * bytes - 1], value);
  }
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

}  // namespace
