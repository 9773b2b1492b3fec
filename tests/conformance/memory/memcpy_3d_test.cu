// Three-dimensional copies between pitched memories.
#include <numeric>

#include "support.h"

static cudaMemcpy3DParms between(void* to, void* from, cudaExtent extent, cudaMemcpyKind kind) {
  cudaMemcpy3DParms parameters{};
  parameters.srcPtr = make_cudaPitchedPtr(from, 8, 8, 4);
  parameters.dstPtr = make_cudaPitchedPtr(to, 8, 8, 4);
  parameters.extent = extent;
  parameters.kind = kind;
  return parameters;
}

// Two buffers of 8 x 4 x 3 bytes: one numbered on the host, one zero on the device.
class Memcpy3DBoxes : public Runtime {
 protected:
  Memcpy3DBoxes() : host(96), device(96) { std::iota(host.begin(), host.end(), 1); }
  std::vector<unsigned char> host;
  DeviceArray<unsigned char> device;
};

TEST_F(Memcpy3DBoxes, ABoxKeepsItsShape) {
  auto parameters = between(device.get(), host.data(), make_cudaExtent(3, 2, 2), cudaMemcpyHostToDevice);
  ASK(cudaSuccess, cudaMemcpy3D(&parameters));
  const auto seen = device.read();
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 8; ++x) {
        const int i = (z * 4 + y) * 8 + x;
        EXPECT_EQ(x < 3 && y < 2 && z < 2 ? i + 1 : 0, seen[i]) << x << " " << y << " " << z;
      }
}

TEST_F(Memcpy3DBoxes, PositionsMoveBothSides) {
  auto parameters = between(device.get(), host.data(), make_cudaExtent(2, 1, 1), cudaMemcpyHostToDevice);
  parameters.srcPos = make_cudaPos(1, 2, 1);
  parameters.dstPos = make_cudaPos(4, 0, 2);
  ASK(cudaSuccess, cudaMemcpy3D(&parameters));
  const auto seen = device.read();
  ASK_VALUE(int{host[(1 * 4 + 2) * 8 + 1]}, int{seen[(2 * 4 + 0) * 8 + 4]});
  ASK_VALUE(0, int{seen[0]});
}

TEST_F(Memcpy3DBoxes, TheSliceIsPitchTimesYsize) {
  auto parameters = between(device.get(), host.data(), make_cudaExtent(8, 2, 2), cudaMemcpyHostToDevice);
  parameters.dstPtr.ysize = 2;
  ASK(cudaSuccess, cudaMemcpy3D(&parameters));
  const auto seen = device.read();
  ASK_VALUE(33, int{seen[16]});
}

TEST_F(Memcpy3DBoxes, XsizeIsNotLookedAt) {
  auto parameters = between(device.get(), host.data(), make_cudaExtent(8, 2, 2), cudaMemcpyHostToDevice);
  parameters.dstPtr.xsize = 1;
  parameters.srcPtr.xsize = 0;
  ASK(cudaSuccess, cudaMemcpy3D(&parameters));
}

TEST_F(Memcpy3DBoxes, OfNothing) {
  for (cudaExtent extent : {make_cudaExtent(0, 1, 1), make_cudaExtent(1, 0, 1), make_cudaExtent(1, 1, 0)}) {
    auto parameters = between(device.get(), host.data(), extent, cudaMemcpyHostToDevice);
    ASK(cudaSuccess, cudaMemcpy3D(&parameters));
    ASK(cudaSuccess, cudaMemcpy3DAsync(&parameters, nullptr));
  }
}

TEST_F(Memcpy3DBoxes, WrongArguments) {
  const cudaExtent box = make_cudaExtent(4, 2, 2);
  ASK(cudaErrorInvalidValue, cudaMemcpy3D(nullptr));
  ASK(cudaErrorInvalidValue, cudaMemcpy3DAsync(nullptr, nullptr));
  auto p = between(nullptr, host.data(), box, cudaMemcpyHostToDevice);
  ASK(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  p = between(device.get(), nullptr, box, cudaMemcpyHostToDevice);
  ASK(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  p = between(device.get(), host.data(), box, static_cast<cudaMemcpyKind>(9));
  ASK(cudaErrorInvalidMemcpyDirection, cudaMemcpy3D(&p));
  p = between(device.get(), host.data(), box, cudaMemcpyDeviceToHost);
  ASK(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  // Rows longer than the pitch and slices higher than ysize are an invalid pitch only if there is a second row or
  // slice.
  p = between(device.get(), host.data(), make_cudaExtent(9, 1, 1), cudaMemcpyHostToDevice);
  ASK(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  p = between(device.get(), host.data(), make_cudaExtent(8, 5, 1), cudaMemcpyHostToDevice);
  ASK(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  p = between(device.get(), host.data(), make_cudaExtent(8, 5, 2), cudaMemcpyHostToDevice);
  ASK(cudaErrorInvalidPitchValue, cudaMemcpy3D(&p));
  p = between(device.get(), host.data(), box, cudaMemcpyHostToDevice);
  p.srcPtr.pitch = 0;
  ASK(cudaErrorInvalidPitchValue, cudaMemcpy3D(&p));
  p = between(device.get(), host.data(), box, cudaMemcpyHostToDevice);
  p.dstPtr.pitch = 3;
  ASK(cudaErrorInvalidPitchValue, cudaMemcpy3D(&p));
  p = between(device.get(), host.data(), box, cudaMemcpyHostToDevice);
  p.dstPtr.ysize = 1;
  ASK(cudaErrorInvalidPitchValue, cudaMemcpy3D(&p));
  p = between(device.get(), host.data(), box, cudaMemcpyHostToDevice);
  p.dstPos.x = 6;
  ASK(cudaErrorInvalidValue, cudaMemcpy3D(&p));
}

TEST_F(Memcpy3DBoxes, PastTheEndOfTheAllocationIsInvalid) {
  DeviceArray<unsigned char> large(size_t{2} << 20);
  std::vector<unsigned char> from(size_t{4} << 20);
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(from.data(), 1024, 1024, 1024);
  p.dstPtr = make_cudaPitchedPtr(large.get(), 1024, 1024, 1024);
  p.kind = cudaMemcpyHostToDevice;
  p.extent = make_cudaExtent(1024, 1024, 2);
  ASK(cudaSuccess, cudaMemcpy3D(&p));
  p.extent = make_cudaExtent(1024, 1024, 3);
  ASK(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  p.extent = make_cudaExtent(1024, 1024, 2);
  p.dstPos.z = 1;
  ASK(cudaErrorInvalidValue, cudaMemcpy3D(&p));
}

TEST_F(Memcpy3DBoxes, NeedsASourceAndADestination) {
  cudaMemcpy3DParms p{};
  p.extent = make_cudaExtent(1, 1, 1);
  p.kind = cudaMemcpyHostToDevice;
  ASK(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  p = between(device.get(), host.data(), make_cudaExtent(4, 2, 2), cudaMemcpyDefault);
  ASK(cudaSuccess, cudaMemcpy3D(&p));
}

TEST_F(Memcpy3DBoxes, AsyncIsOrderedInItsStream) {
  Stream stream;
  PinnedArray<unsigned char> seen(96);
  MUST(cudaMemsetAsync(device.get(), 9, 96, stream));
  auto p = between(seen.get(), device.get(), make_cudaExtent(8, 4, 3), cudaMemcpyDeviceToHost);
  ASK(cudaSuccess, cudaMemcpy3DAsync(&p, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(9, int{seen[95]});
}
