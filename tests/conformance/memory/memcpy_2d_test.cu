// Two-dimensional copies: rows, pitches and their errors.
#include "support.h"

using Memcpy2D = Runtime;

TEST_F(Memcpy2D, CopiesEachRowAndNothingBetween) {
  DeviceArray<unsigned char> device(8 * 4);
  unsigned char in[3 * 5];
  for (int i = 0; i < 15; ++i) in[i] = static_cast<unsigned char>(i + 1);
  ASK(cudaSuccess, cudaMemcpy2D(device.get(), 8, in, 5, 3, 3, cudaMemcpyHostToDevice));
  const auto seen = device.read();
  ASK_VALUE(1, int{seen[0]});
  ASK_VALUE(3, int{seen[2]});
  ASK_VALUE(0, int{seen[3]});
  ASK_VALUE(6, int{seen[8]});
  ASK_VALUE(11, int{seen[16]});
  ASK_VALUE(0, int{seen[24]});
}

TEST_F(Memcpy2D, WorksInEveryDirection) {
  DeviceArray<unsigned char> a(64), b(64);
  PinnedArray<unsigned char> pinned(64);
  std::vector<unsigned char> heap(64, 3), back(64);
  ASK(cudaSuccess, cudaMemcpy2D(a.get(), 8, heap.data(), 8, 4, 8, cudaMemcpyDefault));
  ASK(cudaSuccess, cudaMemcpy2D(b.get(), 8, a.get(), 8, 4, 8, cudaMemcpyDeviceToDevice));
  ASK(cudaSuccess, cudaMemcpy2D(pinned.get(), 8, b.get(), 8, 4, 8, cudaMemcpyDeviceToHost));
  ASK(cudaSuccess, cudaMemcpy2D(back.data(), 8, pinned.get(), 8, 4, 8, cudaMemcpyHostToHost));
  ASK_VALUE(3, int{back[59]});
  ASK_VALUE(0, int{back[60]});
}

TEST_F(Memcpy2D, OfNothing) {
  DeviceArray<char> device(64);
  char host[64] = {};
  ASK(cudaSuccess, cudaMemcpy2D(device.get(), 8, host, 8, 0, 4, cudaMemcpyHostToDevice));
  ASK(cudaSuccess, cudaMemcpy2D(device.get(), 8, host, 8, 4, 0, cudaMemcpyHostToDevice));
  ASK(cudaSuccess, cudaMemcpy2D(nullptr, 8, nullptr, 8, 0, 4, cudaMemcpyHostToDevice));
  ASK(cudaSuccess, cudaMemcpy2D(device.get(), 0, host, 0, 0, 0, cudaMemcpyHostToDevice));
  ASK(cudaSuccess, cudaMemcpy2D(device.get(), 4, host, 4, 8, 0, cudaMemcpyHostToDevice));
}

TEST_F(Memcpy2D, PitchesBelowTheWidthAreInvalid) {
  DeviceArray<char> device(64);
  char host[64] = {};
  ASK(cudaErrorInvalidPitchValue, cudaMemcpy2D(device.get(), 7, host, 8, 8, 4, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidPitchValue, cudaMemcpy2D(device.get(), 8, host, 7, 8, 4, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidPitchValue, cudaMemcpy2D(device.get(), 0, host, 0, 8, 4, cudaMemcpyHostToDevice));
  // The pitch of a single row is unused, but must be at least the width.
  ASK(cudaErrorInvalidValue, cudaMemcpy2D(device.get(), 7, host, 8, 8, 1, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidPitchValue, cudaMemcpy2DAsync(device.get(), 7, host, 8, 8, 4, cudaMemcpyHostToDevice, nullptr));
  ASK(cudaErrorInvalidPitchValue, cudaMemcpy2D(device.get(), 7, host, 8, 8, 4, cudaMemcpyDefault));
}

TEST_F(Memcpy2D, HugePitches) {
  DeviceArray<char> device(64);
  char host[64] = {};
  const size_t largest = 2147483647;
  ASK(cudaErrorInvalidValue, cudaMemcpy2D(device.get(), largest, host, 8, 8, 4, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidValue, cudaMemcpy2D(device.get(), largest + 1, host, 8, 8, 4, cudaMemcpyHostToDevice));
  ASK(cudaSuccess, cudaMemcpy2D(device.get(), largest, host, 8, 8, 1, cudaMemcpyHostToDevice));
  ASK(cudaSuccess, cudaMemcpy2D(device.get(), largest + 1, host, 8, 8, 1, cudaMemcpyHostToDevice));
}

TEST_F(Memcpy2D, WrongPointersSizesAndKinds) {
  DeviceArray<char> device(size_t{2} << 20);
  std::vector<char> host(size_t{4} << 20);
  ASK(cudaErrorInvalidValue, cudaMemcpy2D(nullptr, 8, host.data(), 8, 8, 4, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidValue, cudaMemcpy2D(device.get(), 8, nullptr, 8, 8, 4, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidMemcpyDirection,
      cudaMemcpy2D(device.get(), 8, host.data(), 8, 8, 4, static_cast<cudaMemcpyKind>(8)));
  ASK(cudaErrorInvalidValue, cudaMemcpy2D(device.get(), 8, host.data(), 8, 8, 4, cudaMemcpyDeviceToHost));
  ASK(cudaErrorInvalidValue, cudaMemcpy2D(device.get(), 8, host.data(), 8, 8, 4, cudaMemcpyDeviceToDevice));
  ASK(cudaErrorInvalidValue, cudaMemcpy2D(device.get(), 4096, host.data(), 4096, 4096, 513, cudaMemcpyHostToDevice));
  ASK(cudaSuccess, cudaMemcpy2D(device.get(), 4096, host.data(), 4096, 4096, 512, cudaMemcpyHostToDevice));
  // The last row may be shorter than the pitch.
  ASK(cudaSuccess, cudaMemcpy2D(device.get() + 4000, 4096, host.data(), 4096, 96, 512, cudaMemcpyHostToDevice));
}

TEST_F(Memcpy2D, AsyncIsOrderedInItsStream) {
  DeviceArray<int> device(4);
  PinnedArray<int> seen(4);
  Stream stream;
  store<<<1, 1, 0, stream>>>(device.get() + 2, 6);
  ASK(cudaSuccess, cudaMemcpy2DAsync(seen.get(), 8, device.get(), 8, 4, 2, cudaMemcpyDeviceToHost, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(6, seen[2]);
}

TEST_F(Memcpy2D, HostToHostReachesDeviceMemoryToo) {
  DeviceArray<char> device(64);
  char host[64] = {1, 2, 3};
  ASK(cudaSuccess, cudaMemcpy2D(device.get(), 8, host, 8, 8, 4, cudaMemcpyHostToHost));
  ASK_VALUE(3, int{device.read()[2]});
}
