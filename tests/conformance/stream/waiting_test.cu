// Which copies, memsets and other calls wait for earlier work, and which return while it runs.
#include <functional>

#include "support.h"

enum Way { returns_at_once, waits };

class Waiting : public Runtime {
 protected:
  Waiting() : device(large), other(large), pinned(large), pinned_too(large), heap(large), heap_too(large) {
    EXPECT_EQ(cudaSuccess, cudaMallocManaged(&managed, large));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  }
  ~Waiting() override { (void)cudaFree(managed); }

  // Makes the call while a kernel runs in `stream` until the call returns. If the call waits for the kernel, the
  // kernel is released after a timeout, which is long if the call should not have waited.
  Way way(Way expected, cudaStream_t stream, const std::function<cudaError_t()>& call) {
    std::atomic<bool> returned{false};
    std::atomic<bool> released{false};
    Gate gate;
    gate.close(stream);
    std::thread opener([&] {
      released = !eventually([&] { return returned.load(); }, expected == waits ? 100 : 15'000);
      gate.open();
    });
    EXPECT_EQ(cudaSuccess, call());
    returned = true;
    opener.join();
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
    return released ? waits : returns_at_once;
  }

  static constexpr size_t little = 64, large = size_t{1} << 20;
  DeviceArray<char> device, other;
  PinnedArray<char> pinned, pinned_too;
  std::vector<char> heap, heap_too;
  char* managed = nullptr;
  Stream free{cudaStreamNonBlocking};
  Stream beside{cudaStreamNonBlocking};
};

static const char* const way_names[] = {"returns at once", "waits"};

#define ASK_WAY(expected, stream, ...)                                                 \
  EXPECT_TRUE(answered_value(#__VA_ARGS__, __LINE__, std::string(way_names[expected]), \
                             std::string(way_names[way(expected, stream, [&] { return __VA_ARGS__; })])))

TEST_F(Waiting, OfCopiesWithoutAStream) {
  for (size_t size : {little, large}) {
    ASK_WAY(waits, nullptr, cudaMemcpy(device.get(), heap.data(), size, cudaMemcpyHostToDevice));
    ASK_WAY(waits, nullptr, cudaMemcpy(device.get(), pinned.get(), size, cudaMemcpyHostToDevice));
    ASK_WAY(waits, nullptr, cudaMemcpy(heap.data(), device.get(), size, cudaMemcpyDeviceToHost));
    ASK_WAY(waits, nullptr, cudaMemcpy(pinned.get(), device.get(), size, cudaMemcpyDeviceToHost));
    ASK_WAY(returns_at_once, nullptr, cudaMemcpy(device.get(), other.get(), size, cudaMemcpyDeviceToDevice));
    ASK_WAY(returns_at_once, nullptr, cudaMemcpy(device.get(), other.get(), size, cudaMemcpyDefault));
    ASK_WAY(waits, nullptr, cudaMemcpy(heap.data(), heap_too.data(), size, cudaMemcpyHostToHost));
    ASK_WAY(waits, nullptr, cudaMemcpy(pinned.get(), pinned_too.get(), size, cudaMemcpyHostToHost));
    ASK_WAY(waits, nullptr, cudaMemcpy(managed, device.get(), size, cudaMemcpyDefault));
    ASK_WAY(waits, nullptr, cudaMemcpy(device.get(), managed, size, cudaMemcpyDefault));
  }
}

TEST_F(Waiting, OfCopiesWithoutAStreamBesideANonBlockingStream) {
  ASK_WAY(returns_at_once, free, cudaMemcpy(device.get(), heap.data(), little, cudaMemcpyHostToDevice));
  ASK_WAY(returns_at_once, free, cudaMemcpy(pinned.get(), device.get(), little, cudaMemcpyDeviceToHost));
  ASK_WAY(returns_at_once, free, cudaMemcpy(heap.data(), heap_too.data(), little, cudaMemcpyHostToHost));
}

TEST_F(Waiting, OfCopiesInAStream) {
  for (size_t size : {little, large}) {
    // Pageable sources are staged, not only up to 64 KiB as the documentation says.
    ASK_WAY(returns_at_once, free, cudaMemcpyAsync(device.get(), heap.data(), size, cudaMemcpyHostToDevice, free));
    ASK_WAY(waits, free, cudaMemcpyAsync(heap.data(), device.get(), size, cudaMemcpyDeviceToHost, free));
    ASK_WAY(waits, free, cudaMemcpyAsync(heap.data(), heap_too.data(), size, cudaMemcpyHostToHost, free));
    ASK_WAY(returns_at_once, free, cudaMemcpyAsync(device.get(), pinned.get(), size, cudaMemcpyHostToDevice, free));
    ASK_WAY(returns_at_once, free, cudaMemcpyAsync(pinned.get(), device.get(), size, cudaMemcpyDeviceToHost, free));
    ASK_WAY(returns_at_once, free, cudaMemcpyAsync(device.get(), other.get(), size, cudaMemcpyDeviceToDevice, free));
    ASK_WAY(waits, free, cudaMemcpyAsync(pinned.get(), pinned_too.get(), size, cudaMemcpyHostToHost, free));
    ASK_WAY(returns_at_once, free, cudaMemcpyAsync(managed, device.get(), size, cudaMemcpyDefault, free));
    ASK_WAY(returns_at_once, free, cudaMemcpyAsync(device.get(), managed, size, cudaMemcpyDefault, free));
  }
}

TEST_F(Waiting, OfCopiesOfRows) {
  ASK_WAY(waits, nullptr, cudaMemcpy2D(device.get(), 64, pinned.get(), 64, 32, 4, cudaMemcpyHostToDevice));
  ASK_WAY(returns_at_once, nullptr, cudaMemcpy2D(device.get(), 64, other.get(), 64, 32, 4, cudaMemcpyDeviceToDevice));
  ASK_WAY(returns_at_once, free,
          cudaMemcpy2DAsync(device.get(), 64, pinned.get(), 64, 32, 4, cudaMemcpyHostToDevice, free));
  ASK_WAY(waits, free, cudaMemcpy2DAsync(heap.data(), 64, device.get(), 64, 32, 4, cudaMemcpyDeviceToHost, free));
}

TEST_F(Waiting, OfPeerCopies) {
  ASK_WAY(returns_at_once, nullptr, cudaMemcpyPeer(device.get(), 0, other.get(), 0, little));
  ASK_WAY(returns_at_once, free, cudaMemcpyPeerAsync(device.get(), 0, other.get(), 0, little, free));
}

static __device__ int a_symbol[4];

TEST_F(Waiting, OfCopiesOfSymbols) {
  ASK_WAY(waits, nullptr, cudaMemcpyToSymbol(a_symbol, heap.data(), 16));
  ASK_WAY(waits, nullptr, cudaMemcpyFromSymbol(heap.data(), a_symbol, 16));
  ASK_WAY(returns_at_once, nullptr, cudaMemcpyToSymbol(a_symbol, device.get(), 16, 0, cudaMemcpyDeviceToDevice));
  ASK_WAY(returns_at_once, free, cudaMemcpyToSymbolAsync(a_symbol, pinned.get(), 16, 0, cudaMemcpyHostToDevice, free));
}

TEST_F(Waiting, OfSets) {
  ASK_WAY(returns_at_once, nullptr, cudaMemset(device.get(), 1, large));
  ASK_WAY(returns_at_once, nullptr, cudaMemset2D(device.get(), 64, 1, 32, 4));
  ASK_WAY(waits, nullptr, cudaMemset(pinned.get(), 1, large));
  ASK_WAY(waits, nullptr, cudaMemset(managed, 1, large));
  ASK_WAY(returns_at_once, free, cudaMemsetAsync(device.get(), 1, large, free));
  ASK_WAY(returns_at_once, free, cudaMemsetAsync(pinned.get(), 1, large, free));
  ASK_WAY(returns_at_once, free, cudaMemsetAsync(managed, 1, large, free));
}

TEST_F(Waiting, OfAllocations) {
  void* pointer = nullptr;
  ASK_WAY(returns_at_once, free, cudaMalloc(&pointer, little));
  ASK_WAY(waits, free, cudaFree(pointer));
  ASK_WAY(returns_at_once, free, cudaFree(nullptr));
  ASK_WAY(returns_at_once, free, cudaMallocHost(&pointer, little));
  ASK_WAY(waits, free, cudaFreeHost(pointer));
}

TEST_F(Waiting, OfOtherCalls) {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  size_t size = 0;
  cudaFuncAttributes attributes;
  ASK_WAY(returns_at_once, free, cudaStreamCreate(&stream));
  ASK_WAY(returns_at_once, free, cudaStreamDestroy(stream));
  ASK_WAY(returns_at_once, free, cudaEventCreate(&event));
  ASK_WAY(returns_at_once, free, cudaEventDestroy(event));
  ASK_WAY(returns_at_once, free, cudaMemGetInfo(&size, &size));
  ASK_WAY(returns_at_once, free, cudaFuncGetAttributes(&attributes, store));
  ASK_WAY(returns_at_once, free, cudaStreamSynchronize(beside));
  ASK_WAY(returns_at_once, free, cudaStreamSynchronize(nullptr));
  ASK_WAY(waits, free, cudaDeviceSynchronize());
}
