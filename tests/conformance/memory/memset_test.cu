// Setting memory, in one, two and three dimensions.
#include "support.h"

using Memset = Runtime;

TEST_F(Memset, FillsBytes) {
  DeviceArray<unsigned char> device(100);
  ASK(cudaSuccess, cudaMemset(device.get() + 1, 0x1ab, 98));
  const auto seen = device.read();
  ASK_VALUE(0, int{seen[0]});
  ASK_VALUE(0xab, int{seen[1]});
  ASK_VALUE(0xab, int{seen[98]});
  ASK_VALUE(0, int{seen[99]});
}

TEST_F(Memset, WorksOnPinnedAndManagedMemory) {
  PinnedArray<unsigned char> pinned(64);
  ASK(cudaSuccess, cudaMemset(pinned.get(), 3, 64));
  ASK(cudaSuccess, cudaDeviceSynchronize());
  ASK_VALUE(3, int{pinned[63]});
  unsigned char* managed = nullptr;
  MUST(cudaMallocManaged(&managed, 64));
  ASK(cudaSuccess, cudaMemset(managed, 4, 64));
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(4, int{managed[63]});
  MUST(cudaFree(managed));
}

TEST_F(Memset, WrongArguments) {
  DeviceArray<char> device(size_t{2} << 20);
  const size_t size = size_t{2} << 20;
  std::vector<char> heap(4096);
  char local = 0;
  ASK(cudaErrorInvalidValue, cudaMemset(nullptr, 0, 1));
  ASK(cudaSuccess, cudaMemset(nullptr, 0, 0));
  ASK(cudaSuccess, cudaMemset(device.get(), 0, 0));
  ASK(cudaErrorInvalidValue, cudaMemset(device.get(), 0, size + 1));
  ASK(cudaErrorInvalidValue, cudaMemset(device.get() + 1, 0, size));
  ASK(cudaErrorInvalidValue, cudaMemset(device.get(), 0, size_t{1} << 40));
  ASK(cudaErrorInvalidValue, cudaMemset(heap.data(), 0, 4096));
  ASK(cudaErrorInvalidValue, cudaMemset(&local, 0, 1));
  ASK(cudaErrorInvalidValue, cudaMemsetAsync(nullptr, 0, 1, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemsetAsync(heap.data(), 0, 4096, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemset(reinterpret_cast<void*>(64), 0, 4));
}

using HazardMemset = Runtime;

TEST_F(HazardMemset, OfMoreThanTheAddressSpaceIsInvalid) {
  UNDEFINED_ON_NVIDIA("the end of the range overflows, and the device faults");
  DeviceArray<char> device(4096);
  ASK(cudaErrorInvalidValue, cudaMemset(device.get(), 0, ~size_t{0}));
}

TEST_F(Memset, OfFreedMemoryIsInvalid) {
  void* pointer = nullptr;
  MUST(cudaMalloc(&pointer, size_t{64} << 20));
  MUST(cudaFree(pointer));
  ASK(cudaErrorInvalidValue, cudaMemset(pointer, 0, 16));
}

TEST_F(Memset, PastALittleAllocation) {
  DeviceArray<char> little(100);
  ASK(cudaErrorInvalidValue, cudaMemset(little.get(), 0, 101));
  ASK(cudaErrorInvalidValue, cudaMemset(little.get(), 0, 512));
}

TEST_F(Memset, AsyncIsOrderedInItsStream) {
  DeviceArray<int> device(1);
  PinnedArray<int> seen(1);
  Stream stream;
  store<<<1, 1, 0, stream>>>(device.get(), 1);
  ASK(cudaSuccess, cudaMemsetAsync(device.get(), 0, 4, stream));
  add_one<<<1, 1, 0, stream>>>(device.get());
  MUST(cudaMemcpyAsync(seen.get(), device.get(), 4, cudaMemcpyDeviceToHost, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(1, seen[0]);
}

using Memset2D = Runtime;

TEST_F(Memset2D, FillsRowsAndNothingBetween) {
  DeviceArray<unsigned char> device(32);
  ASK(cudaSuccess, cudaMemset2D(device.get(), 8, 5, 3, 2));
  const auto seen = device.read();
  ASK_VALUE(5, int{seen[2]});
  ASK_VALUE(0, int{seen[3]});
  ASK_VALUE(5, int{seen[8]});
  ASK_VALUE(0, int{seen[16]});
}

TEST_F(Memset2D, WrongArguments) {
  DeviceArray<char> device(size_t{2} << 20);
  std::vector<char> heap(4096);
  ASK(cudaErrorInvalidValue, cudaMemset2D(nullptr, 8, 0, 8, 1));
  ASK(cudaErrorInvalidValue, cudaMemset2D(device.get(), 4, 0, 8, 2));
  ASK(cudaErrorInvalidValue, cudaMemset2D(device.get(), 0, 0, 8, 2));
  ASK(cudaSuccess, cudaMemset2D(device.get(), 4, 0, 8, 1));
  ASK(cudaSuccess, cudaMemset2D(device.get(), 8, 0, 0, 2));
  ASK(cudaSuccess, cudaMemset2D(device.get(), 8, 0, 8, 0));
  ASK(cudaSuccess, cudaMemset2D(nullptr, 8, 0, 0, 0));
  ASK(cudaErrorInvalidValue, cudaMemset2D(device.get(), 4096, 0, 4096, 513));
  ASK(cudaSuccess, cudaMemset2D(device.get() + 4000, 4096, 0, 96, 512));
  ASK(cudaErrorInvalidValue, cudaMemset2D(heap.data(), 8, 0, 8, 2));
  ASK(cudaErrorInvalidValue, cudaMemset2DAsync(device.get(), 4, 0, 8, 2, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemset2D(device.get(), size_t{1} << 31, 0, 8, 2));
}

TEST_F(Memset2D, AsyncFills) {
  DeviceArray<unsigned char> device(32);
  Stream stream;
  ASK(cudaSuccess, cudaMemset2DAsync(device.get(), 8, 6, 3, 2, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(6, int{device.read()[10]});
}

using Memset3D = Runtime;

TEST_F(Memset3D, FillsABox) {
  DeviceArray<unsigned char> device(8 * 4 * 3);
  ASK(cudaSuccess, cudaMemset3D(make_cudaPitchedPtr(device.get(), 8, 8, 4), 7, make_cudaExtent(2, 2, 2)));
  const auto seen = device.read();
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 8; ++x)
        EXPECT_EQ(x < 2 && y < 2 && z < 2 ? 7 : 0, seen[(z * 4 + y) * 8 + x]) << x << " " << y << " " << z;
}

TEST_F(Memset3D, WrongArguments) {
  DeviceArray<unsigned char> device(size_t{2} << 20);
  const auto box = make_cudaPitchedPtr(device.get(), 1024, 1024, 1024);
  ASK(cudaErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(nullptr, 8, 8, 4), 7, make_cudaExtent(2, 2, 2)));
  ASK(cudaSuccess, cudaMemset3D(box, 7, make_cudaExtent(0, 2, 2)));
  ASK(cudaSuccess, cudaMemset3D(box, 7, make_cudaExtent(2, 0, 2)));
  ASK(cudaSuccess, cudaMemset3D(box, 7, make_cudaExtent(2, 2, 0)));
  ASK(cudaErrorInvalidValue, cudaMemset3D(box, 7, make_cudaExtent(1024, 1024, 3)));
  ASK(cudaErrorInvalidValue, cudaMemset3D(box, 7, make_cudaExtent(1025, 2, 2)));
  ASK(cudaErrorInvalidValue, cudaMemset3D(box, 7, make_cudaExtent(1024, 1025, 2)));
  ASK(cudaErrorInvalidValue, cudaMemset3D(box, 7, make_cudaExtent(1024, 1025, 1)));
  ASK(cudaSuccess, cudaMemset3D(make_cudaPitchedPtr(device.get(), 1024, 1, 1024), 7, make_cudaExtent(8, 2, 2)));
  ASK(cudaSuccess, cudaMemset3DAsync(box, 7, make_cudaExtent(8, 2, 2), nullptr));
  ASK(cudaErrorInvalidValue,
      cudaMemset3DAsync(make_cudaPitchedPtr(nullptr, 8, 8, 4), 7, make_cudaExtent(2, 2, 2), nullptr));
}
