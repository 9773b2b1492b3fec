// Copies and memsets through the API, in addition to the tests of the layers.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

// Device memory, freed at the end of the test.
class Device {
 public:
  explicit Device(size_t bytes) { EXPECT_EQ(cudaMalloc(&memory_, bytes), cudaSuccess); }
  ~Device() { EXPECT_EQ(cudaFree(memory_), cudaSuccess); }
  char* get() const { return static_cast<char*>(memory_); }

 private:
  void* memory_ = nullptr;
};

class Pinned {
 public:
  explicit Pinned(size_t bytes) { EXPECT_EQ(cudaMallocHost(&memory_, bytes), cudaSuccess); }
  ~Pinned() { EXPECT_EQ(cudaFreeHost(memory_), cudaSuccess); }
  char* get() const { return static_cast<char*>(memory_); }

 private:
  void* memory_ = nullptr;
};

class NewStream {
 public:
  NewStream() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess); }
  ~NewStream() { EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess); }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// Blocks a stream until opened.
class Gate {
 public:
  explicit Gate(cudaStream_t stream) {
    EXPECT_EQ(
        cudaLaunchHostFunc(stream, [](void* gate) { static_cast<Gate*>(gate)->open_.wait(false); }, this), cudaSuccess);
  }
  void open() {
    open_ = true;
    open_.notify_all();
  }

 private:
  std::atomic<bool> open_{false};
};

std::string last_log() {
  static cudaLogIterator position = 0;
  char buffer[8192];
  size_t size = sizeof buffer;
  EXPECT_EQ(cudaLogsDumpToMemory(&position, buffer, &size, 0), cudaSuccess);
  return buffer;
}

class Copies : public testing::Test {
 protected:
  Copies() { last_log(); }
  ~Copies() override { static_cast<void>(cudaGetLastError()); }
};

TEST_F(Copies, GoThereAndBackInEveryDimension) {
  Device device(4096);
  std::vector<char> in(1000), out(1000);
  std::iota(in.begin(), in.end(), 1);
  ASSERT_EQ(cudaMemcpy(device.get(), in.data(), 1000, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(out.data(), 50, device.get(), 100, 50, 10, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int row = 0; row < 10; ++row) {
    EXPECT_EQ(std::memcmp(&out[row * 50], &in[row * 100], 50), 0);
  }
  std::fill(out.begin(), out.end(), 0);
  cudaMemcpy3DParms box{};
  box.srcPtr = {device.get(), 10, 10, 10};
  box.dstPtr = {out.data(), 10, 10, 10};
  box.srcPos = {1, 2, 3};
  box.extent = {4, 5, 6};
  box.kind = cudaMemcpyDefault;
  ASSERT_EQ(cudaMemcpy3D(&box), cudaSuccess);
  EXPECT_EQ(out[0], in[321]);
  EXPECT_EQ(out[543], in[864]);
  EXPECT_EQ(out[4], 0);
}

TEST_F(Copies, OfPageableMemoryTakeASmallSourceAlong) {
  Device device(1000);
  NewStream stream;
  Gate gate(stream);
  std::vector<char> source(1000, 1);
  ASSERT_EQ(cudaMemcpyAsync(device.get(), source.data(), 1000, cudaMemcpyHostToDevice, stream), cudaSuccess);
  std::fill(source.begin(), source.end(), 2);
  gate.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(source.data(), device.get(), 1000, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(source, std::vector<char>(1000, 1));
}

TEST_F(Copies, OfPinnedMemoryReadItInTheStreamsOrder) {
  Device device(1000);
  Pinned source(1000);
  NewStream stream;
  Gate gate(stream);
  std::memset(source.get(), 1, 1000);
  ASSERT_EQ(cudaMemcpyAsync(device.get(), source.get(), 1000, cudaMemcpyHostToDevice, stream), cudaSuccess);
  std::memset(source.get(), 2, 1000);
  gate.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  char seen = 0;
  ASSERT_EQ(cudaMemcpy(&seen, device.get(), 1, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(seen, 2);
}

TEST_F(Copies, IntoPageableMemoryAreDoneWhenTheCallReturns) {
  Device device(200000);
  NewStream stream;
  ASSERT_EQ(cudaMemsetAsync(device.get(), 7, 200000, stream), cudaSuccess);
  std::vector<char> seen(200000);
  ASSERT_EQ(cudaMemcpyAsync(seen.data(), device.get(), 200000, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(seen, std::vector<char>(200000, 7));
}

TEST_F(Copies, InsideTheDeviceDoNotHoldTheCaller) {
  Device a(1000), b(1000);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  Gate gate(stream);  // a blocking stream: the legacy stream waits for it
  EXPECT_EQ(cudaMemcpy(a.get(), b.get(), 1000, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemset(a.get(), 0, 1000), cudaSuccess);
  gate.open();
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(Copies, WrongOnesSayWhy) {
  Device device(100);
  char host[1000] = {};
  EXPECT_EQ(cudaMemcpy(host, device.get(), 100, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_NE(last_log().find("cudaMemcpy: the destination"), std::string::npos);
  EXPECT_EQ(cudaMemcpy(device.get() + 50, host, 51, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_NE(last_log().find("takes 51 bytes; 50 are left of the 100"), std::string::npos);
  EXPECT_EQ(cudaMemcpy(device.get(), host, 1, static_cast<cudaMemcpyKind>(9)), cudaErrorInvalidMemcpyDirection);
  EXPECT_NE(last_log().find("9 is not a cudaMemcpyKind"), std::string::npos);
  EXPECT_EQ(cudaMemcpy2D(device.get(), 4, host, 8, 8, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  EXPECT_NE(last_log().find("the destination's pitch 4 is less than the width 8"), std::string::npos);
  void* freed = nullptr;
  ASSERT_EQ(cudaMalloc(&freed, 100), cudaSuccess);
  ASSERT_EQ(cudaFree(freed), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(freed, host, 1, cudaMemcpyDefault), cudaErrorInvalidValue);
  EXPECT_NE(last_log().find("freed already"), std::string::npos);
  EXPECT_EQ(cudaFree(freed), cudaErrorInvalidValue);
  EXPECT_NE(last_log().find("cudaFree: "), std::string::npos);
}

TEST_F(Copies, OfHugeShapesAreRefusedWithoutOverflow) {
  Device device(1000);
  char host[1000] = {};
  EXPECT_EQ(cudaMemcpy(device.get(), host, SIZE_MAX, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2D(device.get(), 1000, host, 1000, 10, SIZE_MAX, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  cudaMemcpy3DParms box{};
  box.srcPtr = {host, 1000, 1000, SIZE_MAX / 2};
  box.dstPtr = {device.get(), 1000, 1000, SIZE_MAX / 2};
  box.dstPos = {0, 0, SIZE_MAX / 3};
  box.extent = {1, 1, 1};
  box.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3D(&box), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset2D(device.get(), 1000, 0, 10, SIZE_MAX), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset3D({device.get(), 1000, 1000, SIZE_MAX / 2}, 0, {1, 1, 2}), cudaErrorInvalidValue);
}

TEST_F(Copies, InABatchAreAllCheckedFirst) {
  Device device(100);
  Pinned from(100);
  std::memset(from.get(), 9, 100);
  NewStream stream;
  void* to[] = {device.get(), device.get() + 99};
  const void* sources[] = {from.get(), from.get()};
  size_t sizes[] = {10, 2};
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  size_t index = 0;
  ASSERT_EQ(cudaMemset(device.get(), 0, 100), cudaSuccess);
  EXPECT_EQ(cudaMemcpyBatchAsync(to, sources, sizes, 2, &attributes, &index, 1, stream), cudaErrorInvalidValue);
  sizes[1] = 1;
  EXPECT_EQ(cudaMemcpyBatchAsync(to, sources, sizes, 2, &attributes, &index, 1, nullptr), cudaErrorInvalidValue);
  char seen = 1;
  ASSERT_EQ(cudaMemcpy(&seen, device.get(), 1, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(seen, 0);
  Gate gate(stream);
  EXPECT_EQ(cudaMemcpyBatchAsync(to, sources, sizes, 2, &attributes, &index, 1, stream), cudaSuccess);
  std::memset(from.get(), 1, 100);
  gate.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(&seen, device.get(), 1, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(seen, 9);
}

TEST_F(Copies, FromManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      Device device(5000);
      std::vector<char> in(5000, static_cast<char>(t)), out(5000);
      for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(cudaMemcpy(device.get(), in.data(), 5000, cudaMemcpyHostToDevice), cudaSuccess);
        ASSERT_EQ(cudaMemcpy(out.data(), device.get(), 5000, cudaMemcpyDeviceToHost), cudaSuccess);
        ASSERT_EQ(in, out);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
