// Device memory: allocation, and every wrong way to allocate or free.
#include "support.h"

using Malloc = Runtime;

TEST_F(Malloc, GivesAlignedMemoryThatAKernelCanUse) {
  int* pointer = nullptr;
  ASK(cudaSuccess, cudaMalloc(&pointer, 100 * sizeof(int)));
  ASK_VALUE(0u, reinterpret_cast<size_t>(pointer) % 256);
  store<<<1, 1>>>(pointer + 99, 5);
  int value = 0;
  MUST(cudaMemcpy(&value, pointer + 99, sizeof(int), cudaMemcpyDeviceToHost));
  ASK_VALUE(5, value);
  ASK(cudaSuccess, cudaFree(pointer));
}

TEST_F(Malloc, EveryAllocationIsAlignedTo512) {
  std::vector<void*> pointers;
  size_t together = 0;
  for (size_t size : {1, 3, 17, 100, 511, 513, 5000}) {
    void* pointer = nullptr;
    MUST(cudaMalloc(&pointer, size));
    together |= reinterpret_cast<size_t>(pointer);
    pointers.push_back(pointer);
  }
  ASK_VALUE(0u, together % 512);
  for (void* pointer : pointers) MUST(cudaFree(pointer));
}

TEST_F(Malloc, OfNothingIsANullPointerAndSuccess) {
  void* pointer = reinterpret_cast<void*>(8);
  ASK(cudaSuccess, cudaMalloc(&pointer, 0));
  ASK_VALUE(true, pointer == nullptr);
  ASK(cudaSuccess, cudaFree(pointer));
}

TEST_F(Malloc, NeedsAnOutput) {
  ASK(cudaErrorInvalidValue, cudaMalloc(static_cast<void**>(nullptr), 16));
  ASK(cudaErrorInvalidValue, cudaMalloc(static_cast<void**>(nullptr), 0));
}

TEST_F(Malloc, OfTooMuchIsOutOfMemory) {
  void* pointer = reinterpret_cast<void*>(8);
  ASK(cudaErrorMemoryAllocation, cudaMalloc(&pointer, size_t{1} << 46));
  ASK(cudaErrorMemoryAllocation, cudaMalloc(&pointer, ~size_t{0}));
  ASK(cudaErrorMemoryAllocation, cudaMalloc(&pointer, ~size_t{0} - 4096));
  ASK(cudaErrorMemoryAllocation, cudaGetLastError());
  ASK(cudaSuccess, cudaMalloc(&pointer, 16));
  ASK(cudaSuccess, cudaFree(pointer));
}

TEST_F(Malloc, GivesNullWhenItFails) {
  void* pointer = reinterpret_cast<void*>(8);
  ASK(cudaErrorMemoryAllocation, cudaMalloc(&pointer, size_t{1} << 46));
  ASK_VALUE(true, pointer == nullptr);
}

using Free = Runtime;

TEST_F(Free, OfNullIsFine) { ASK(cudaSuccess, cudaFree(nullptr)); }

TEST_F(Free, TwiceIsInvalid) {
  void* pointer = nullptr;
  MUST(cudaMalloc(&pointer, 64));
  ASK(cudaSuccess, cudaFree(pointer));
  ASK(cudaErrorInvalidValue, cudaFree(pointer));
}

TEST_F(Free, OfTheInsideIsInvalid) {
  char* pointer = nullptr;
  MUST(cudaMalloc(&pointer, 4096));
  ASK(cudaErrorInvalidValue, cudaFree(pointer + 1));
  ASK(cudaErrorInvalidValue, cudaFree(pointer + 256));
  ASK(cudaErrorInvalidValue, cudaFree(pointer + 512));
  ASK(cudaErrorInvalidValue, cudaFree(pointer + 4096));
  ASK(cudaSuccess, cudaFree(pointer));
}

TEST_F(Free, OfHostMemoryIsInvalid) {
  int local = 0;
  std::vector<int> heap(100);
  PinnedArray<int> pinned(16);
  ASK(cudaErrorInvalidValue, cudaFree(&local));
  ASK(cudaErrorInvalidValue, cudaFree(heap.data()));
  ASK(cudaErrorInvalidValue, cudaFree(pinned.get()));
  ASK(cudaErrorInvalidValue, cudaFree(reinterpret_cast<void*>(1)));
  ASK(cudaErrorInvalidValue, cudaFree(reinterpret_cast<void*>(~size_t{0})));
}

__device__ int a_variable[4];

TEST_F(Free, OfADeviceVariableIsInvalid) {
  void* address = nullptr;
  MUST(cudaGetSymbolAddress(&address, a_variable));
  ASK(cudaErrorInvalidValue, cudaFree(address));
}

TEST_F(Free, FromAnotherThreadWorks) {
  void* pointer = nullptr;
  MUST(cudaMalloc(&pointer, 64));
  cudaError_t error = cudaErrorUnknown;
  std::thread([&] { error = cudaFree(pointer); }).join();
  ASK_VALUE(cudaSuccess, error);
}

TEST_F(Free, WaitsForTheWorkThatUsesTheMemory) {
  int* pointer = nullptr;
  PinnedArray<int> done(1);
  MUST(cudaMalloc(&pointer, 64));
  Stream stream(cudaStreamNonBlocking);
  store<<<1, 1, 0, stream>>>(pointer, 1);
  store<<<1, 1, 0, stream>>>(done.get(), 1);
  MUST(cudaFree(pointer));
  ASK_VALUE(1, *static_cast<volatile int*>(done.get()));
}

using MallocPitch = Runtime;

TEST_F(MallocPitch, RoundsRowsUp) {
  for (size_t width : {1, 100, 512, 513, 5000}) {
    void* pointer = nullptr;
    size_t pitch = 0;
    EXPECT_EQ(cudaSuccess, cudaMallocPitch(&pointer, &pitch, width, 10));
    ASK_VALUE((width + 511) / 512 * 512, pitch);
    MUST(cudaFree(pointer));
  }
}

TEST_F(MallocPitch, OfNothing) {
  void* pointer = reinterpret_cast<void*>(8);
  size_t pitch = 77;
  ASK(cudaSuccess, cudaMallocPitch(&pointer, &pitch, 0, 10));
  ASK_VALUE(true, pointer == nullptr);
  ASK_VALUE(0u, pitch);
  pointer = reinterpret_cast<void*>(8);
  pitch = 77;
  ASK(cudaSuccess, cudaMallocPitch(&pointer, &pitch, 10, 0));
  ASK_VALUE(true, pointer == nullptr);
  ASK_VALUE(0u, pitch);
}

TEST_F(MallocPitch, WrongArguments) {
  void* pointer = nullptr;
  size_t pitch = 0;
  ASK(cudaErrorInvalidValue, cudaMallocPitch(static_cast<void**>(nullptr), &pitch, 10, 10));
  ASK(cudaErrorInvalidValue, cudaMallocPitch(&pointer, nullptr, 10, 10));
  ASK(cudaErrorMemoryAllocation, cudaMallocPitch(&pointer, &pitch, size_t{1} << 30, size_t{1} << 20));
  ASK(cudaErrorMemoryAllocation, cudaMallocPitch(&pointer, &pitch, 512, ~size_t{0} / 2));
}

using Malloc3D = Runtime;

TEST_F(Malloc3D, DescribesWhatItGives) {
  cudaPitchedPtr box{};
  ASK(cudaSuccess, cudaMalloc3D(&box, make_cudaExtent(100, 7, 3)));
  ASK_VALUE(512u, box.pitch);
  ASK_VALUE(100u, box.xsize);
  ASK_VALUE(7u, box.ysize);
  ASK(cudaSuccess, cudaMemset3D(box, 1, make_cudaExtent(100, 7, 3)));
  ASK(cudaSuccess, cudaFree(box.ptr));
}

TEST_F(Malloc3D, WrongArguments) {
  cudaPitchedPtr box{};
  ASK(cudaErrorInvalidValue, cudaMalloc3D(nullptr, make_cudaExtent(1, 1, 1)));
  ASK(cudaErrorMemoryAllocation, cudaMalloc3D(&box, make_cudaExtent(1 << 20, 1 << 20, 1 << 10)));
}

// A row may exceed cudaDevAttrMaxPitch.
TEST_F(MallocPitch, OfRowsOfManyGigabytes) {
  void* pointer = nullptr;
  size_t pitch = 0;
  const cudaError_t error = cudaMallocPitch(&pointer, &pitch, size_t{1} << 32, 1);
  if (error == cudaErrorMemoryAllocation) GTEST_SKIP() << "needs 4 GiB of memory";
  ASK(cudaSuccess, error);
  ASK_VALUE(size_t{1} << 32, pitch);
  ASK(cudaSuccess, cudaFree(pointer));
}

TEST_F(Malloc3D, OfNothing) {
  for (cudaExtent extent : {make_cudaExtent(0, 4, 4), make_cudaExtent(4, 0, 4), make_cudaExtent(4, 4, 0)}) {
    cudaPitchedPtr box{reinterpret_cast<void*>(8), 77, 77, 77};
    ASK(cudaSuccess, cudaMalloc3D(&box, extent));
    ASK_VALUE(true, box.ptr == nullptr);
    ASK_VALUE(0u, box.pitch);
    ASK_VALUE(extent.width, box.xsize);
    ASK_VALUE(extent.height, box.ysize);
  }
}

using MemGetInfo = Runtime;

// Other processes allocate and free memory too: one round without interference is enough.
TEST_F(MemGetInfo, FollowsALargeAllocation) {
  const size_t size = size_t{64} << 20;
  EXPECT_TRUE(eventually([&] {
    size_t before = 0, during = 0, after = 0, total = 0;
    void* pointer = nullptr;
    EXPECT_EQ(cudaSuccess, cudaMemGetInfo(&before, &total));
    EXPECT_EQ(cudaSuccess, cudaMalloc(&pointer, size));
    EXPECT_EQ(cudaSuccess, cudaMemset(pointer, 1, size));
    EXPECT_EQ(cudaSuccess, cudaMemGetInfo(&during, &total));
    EXPECT_EQ(cudaSuccess, cudaFree(pointer));
    EXPECT_EQ(cudaSuccess, cudaMemGetInfo(&after, &total));
    return before <= total && during + size <= before && during + size <= after;
  }));
}

TEST_F(MemGetInfo, OutputsAreOptional) {
  size_t available = 0, total = 0;
  ASK(cudaSuccess, cudaMemGetInfo(nullptr, &total));
  ASK(cudaSuccess, cudaMemGetInfo(&available, nullptr));
  ASK(cudaSuccess, cudaMemGetInfo(nullptr, nullptr));
  EXPECT_GT(available, 0u);
  EXPECT_GE(total, available);
}
