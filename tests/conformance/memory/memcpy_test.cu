// One-dimensional copies: every kind, every pairing of memory, every wrong argument.
#include "support.h"

using Memcpy = Runtime;

static const cudaMemcpyKind every_kind[] = {cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                                            cudaMemcpyDeviceToDevice, cudaMemcpyDefault};
static const char* const kind_names[] = {"HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice", "Default"};

TEST_F(Memcpy, GoesThereAndBack) {
  DeviceArray<int> device(3);
  const int in[] = {1, 2, 3};
  int out[3] = {};
  ASK(cudaSuccess, cudaMemcpy(device.get(), in, sizeof(in), cudaMemcpyHostToDevice));
  ASK(cudaSuccess, cudaMemcpy(out, device.get(), sizeof(in), cudaMemcpyDeviceToHost));
  ASK_VALUE(3, out[2]);
}

TEST_F(Memcpy, HostToHostCopies) {
  const int in = 5;
  int out = 0;
  ASK(cudaSuccess, cudaMemcpy(&out, &in, sizeof(in), cudaMemcpyHostToHost));
  ASK_VALUE(5, out);
  const int again = 6;
  ASK(cudaSuccess, cudaMemcpy(&out, &again, sizeof(in), cudaMemcpyDefault));
  ASK_VALUE(6, out);
}

TEST_F(Memcpy, OfNothingLooksAtLittle) {
  DeviceArray<int> device(1);
  ASK(cudaSuccess, cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  ASK(cudaSuccess, cudaMemcpy(device.get(), nullptr, 0, cudaMemcpyDefault));
  ASK(cudaSuccess, cudaMemcpy(device.get(), device.get(), 0, static_cast<cudaMemcpyKind>(9)));
  ASK(cudaSuccess, cudaMemcpyAsync(nullptr, nullptr, 0, cudaMemcpyDeviceToHost, nullptr));
}

TEST_F(Memcpy, NullDevicePointersAreInvalid) {
  DeviceArray<int> device(1);
  int host = 0;
  ASK(cudaErrorInvalidValue, cudaMemcpy(nullptr, &host, 4, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidValue, cudaMemcpy(&host, nullptr, 4, cudaMemcpyDeviceToHost));
  ASK(cudaErrorInvalidValue, cudaMemcpy(nullptr, device.get(), 4, cudaMemcpyDeviceToDevice));
  ASK(cudaErrorInvalidValue, cudaMemcpy(device.get(), nullptr, 4, cudaMemcpyDeviceToDevice));
  ASK(cudaErrorInvalidValue, cudaMemcpyAsync(nullptr, device.get(), 4, cudaMemcpyDeviceToDevice, nullptr));
}

TEST_F(Memcpy, NullHostPointersAreInvalid) {
  DeviceArray<int> device(1);
  ASK(cudaErrorInvalidValue, cudaMemcpy(nullptr, device.get(), 4, cudaMemcpyDeviceToHost));
  ASK(cudaErrorInvalidValue, cudaMemcpy(device.get(), nullptr, 4, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidValue, cudaMemcpy(nullptr, device.get(), 4, cudaMemcpyDefault));
  ASK(cudaErrorInvalidValue, cudaMemcpy(device.get(), nullptr, 4, cudaMemcpyDefault));
}

TEST_F(Memcpy, UnknownKindsAreAnInvalidDirection) {
  DeviceArray<int> device(1);
  int host = 0;
  ASK(cudaErrorInvalidMemcpyDirection, cudaMemcpy(&host, device.get(), 4, static_cast<cudaMemcpyKind>(5)));
  ASK(cudaErrorInvalidMemcpyDirection, cudaMemcpy(&host, device.get(), 4, static_cast<cudaMemcpyKind>(-1)));
  ASK(cudaErrorInvalidMemcpyDirection,
      cudaMemcpyAsync(&host, device.get(), 4, static_cast<cudaMemcpyKind>(5), nullptr));
  ASK(cudaErrorInvalidMemcpyDirection, cudaMemcpy(nullptr, nullptr, 4, static_cast<cudaMemcpyKind>(5)));
}

struct Place {
  const char* name;
  char* pointer;
};

TEST_F(Memcpy, EveryKindWithEveryPairOfMemories) {
  DeviceArray<char> device(2048);
  PinnedArray<char> pinned(2048);
  std::vector<char> heap(2048);
  char* managed = nullptr;
  MUST(cudaMallocManaged(&managed, 2048));
  const Place places[] = {
      {"pageable", heap.data()}, {"pinned", pinned.get()}, {"device", device.get()}, {"managed", managed}};
  // The pointer's memory decides, not the kind: a kind is refused only if it calls pageable memory device memory.
  for (int kind = 0; kind < 5; ++kind) {
    for (const Place& to : places) {
      for (const Place& from : places) {
        const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
        const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
        const bool names_pageable_as_device =
            (to_device && to.pointer == heap.data()) || (from_device && from.pointer == heap.data());
        const cudaError_t expected = names_pageable_as_device ? cudaErrorInvalidValue : cudaSuccess;
        for (bool async : {false, true}) {
          const cudaError_t error =
              async ? cudaMemcpyAsync(to.pointer, from.pointer + 1024, 512, every_kind[kind], nullptr)
                    : cudaMemcpy(to.pointer, from.pointer + 1024, 512, every_kind[kind]);
          const std::string question =
              std::string(kind_names[kind]) + " " + from.name + "->" + to.name + (async ? " async" : "");
          EXPECT_TRUE(answered(question.c_str(), __LINE__, expected, error));
          ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize()) << question;
        }
      }
    }
  }
  MUST(cudaFree(managed));
}

TEST_F(Memcpy, PastTheEndOfAnAllocationIsInvalid) {
  DeviceArray<char> device(size_t{2} << 20);
  std::vector<char> heap(size_t{4} << 20);
  const size_t size = size_t{2} << 20;
  ASK(cudaErrorInvalidValue, cudaMemcpy(device.get(), heap.data(), 2 * size, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidValue, cudaMemcpy(heap.data(), device.get(), 2 * size, cudaMemcpyDeviceToHost));
  ASK(cudaErrorInvalidValue, cudaMemcpy(device.get(), heap.data(), size + 1, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidValue, cudaMemcpy(device.get() + 1, heap.data(), size, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidValue, cudaMemcpyAsync(device.get() + 1, heap.data(), size, cudaMemcpyHostToDevice, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemcpy(device.get(), heap.data(), ~size_t{0}, cudaMemcpyHostToDevice));
  ASK(cudaSuccess, cudaMemcpy(device.get(), heap.data(), size, cudaMemcpyHostToDevice));
}

TEST_F(Memcpy, PastTheEndOfALittleAllocation) {
  DeviceArray<char> little(100), other(100);
  char host[1024] = {};
  ASK(cudaErrorInvalidValue, cudaMemcpy(host, little.get(), 101, cudaMemcpyDeviceToHost));
  ASK(cudaErrorInvalidValue, cudaMemcpy(host, little.get(), 512, cudaMemcpyDeviceToHost));
  ASK(cudaErrorInvalidValue, cudaMemcpy(host, little.get(), 513, cudaMemcpyDeviceToHost));
  ASK(cudaErrorInvalidValue, cudaMemcpy(host, little.get() + 90, 20, cudaMemcpyDeviceToHost));
}

TEST_F(Memcpy, FreedMemoryIsInvalid) {
  void* pointer = nullptr;
  char host[16] = {};
  MUST(cudaMalloc(&pointer, size_t{64} << 20));
  MUST(cudaFree(pointer));
  ASK(cudaErrorInvalidValue, cudaMemcpy(pointer, host, 16, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidValue, cudaMemcpy(host, pointer, 16, cudaMemcpyDeviceToHost));
  ASK(cudaErrorInvalidValue, cudaMemcpyAsync(host, pointer, 16, cudaMemcpyDeviceToHost, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemcpy(pointer, pointer, 16, cudaMemcpyDeviceToDevice));
}

TEST_F(Memcpy, InventedAddressesAreInvalid) {
  char host[16] = {};
  void* const invented = reinterpret_cast<void*>(0x100);
  ASK(cudaErrorInvalidValue, cudaMemcpy(invented, host, 16, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidValue, cudaMemcpy(host, invented, 16, cudaMemcpyDeviceToHost));
}

TEST_F(Memcpy, OntoItselfIsAllowed) {
  DeviceArray<char> device(1024);
  ASK(cudaSuccess, cudaMemcpy(device.get(), device.get(), 1024, cudaMemcpyDeviceToDevice));
  ASK(cudaSuccess, cudaMemcpy(device.get(), device.get() + 512, 512, cudaMemcpyDeviceToDevice));
}

TEST_F(Memcpy, OverlappingIsNotRefused) {
  DeviceArray<char> device(1024);
  ASK(cudaSuccess, cudaMemcpy(device.get(), device.get() + 1, 1000, cudaMemcpyDeviceToDevice));
  ASK(cudaSuccess, cudaMemcpyAsync(device.get() + 1, device.get(), 1000, cudaMemcpyDeviceToDevice, nullptr));
}

TEST_F(Memcpy, FromConstMemoryAndVariablesOfTheProgram) {
  static const char text[] = "constant";
  DeviceArray<char> device(sizeof(text));
  ASK(cudaSuccess, cudaMemcpy(device.get(), text, sizeof(text), cudaMemcpyHostToDevice));
  ASK_VALUE(std::string(text), std::string(device.read().data()));
}

TEST_F(Memcpy, AsyncFromPageableMemoryMayReuseTheSourceAtOnce) {
  DeviceArray<int> device(1 << 16);
  std::vector<int> source(1 << 16, 1);
  Stream stream;
  MUST(cudaMemcpyAsync(device.get(), source.data(), device.bytes(), cudaMemcpyHostToDevice, stream));
  std::fill(source.begin(), source.end(), 2);
  MUST(cudaStreamSynchronize(stream));
  const auto seen = device.read();
  ASK_VALUE(1, seen.front());
  ASK_VALUE(1, seen.back());
}

TEST_F(Memcpy, AsyncIsOrderedInItsStream) {
  DeviceArray<int> device(1);
  PinnedArray<int> seen(2);
  Stream stream;
  store<<<1, 1, 0, stream>>>(device.get(), 1);
  MUST(cudaMemcpyAsync(&seen[0], device.get(), 4, cudaMemcpyDeviceToHost, stream));
  store<<<1, 1, 0, stream>>>(device.get(), 2);
  MUST(cudaMemcpyAsync(&seen[1], device.get(), 4, cudaMemcpyDeviceToHost, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(1, seen[0]);
  ASK_VALUE(2, seen[1]);
}

TEST_F(Memcpy, SyncWaitsForTheLegacyStreamsWork) {
  DeviceArray<int> device(1);
  int seen = 0;
  Stream stream;
  store<<<1, 1, 0, stream>>>(device.get(), 4);
  MUST(cudaMemcpy(&seen, device.get(), 4, cudaMemcpyDeviceToHost));
  ASK_VALUE(4, seen);
}

TEST_F(Memcpy, LargeCopiesAreWhole) {
  const size_t count = (size_t{1} << 22) + 13;
  std::vector<unsigned> in(count), out(count);
  for (size_t i = 0; i < count; ++i) in[i] = static_cast<unsigned>(i * 2654435761u);
  DeviceArray<unsigned> device(count);
  MUST(cudaMemcpy(device.get(), in.data(), device.bytes(), cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(out.data(), device.get(), device.bytes(), cudaMemcpyDeviceToHost));
  ASK_VALUE(true, in == out);
}

TEST_F(Memcpy, HostToHostReachesDeviceMemoryToo) {
  DeviceArray<int> device(4);
  int host[4] = {1, 2, 3, 4};
  ASK(cudaSuccess, cudaMemcpy(device.get(), host, 16, cudaMemcpyHostToHost));
  ASK(cudaSuccess, cudaMemcpy(device.get(), device.get() + 2, 8, cudaMemcpyHostToHost));
  ASK(cudaSuccess, cudaMemcpy(host, device.get(), 16, cudaMemcpyHostToHost));
  ASK_VALUE(3, host[0]);
  ASK_VALUE(4, host[3]);
}

TEST_F(Memcpy, NullBetweenHostMemoriesIsInvalid) {
  int host = 0;
  ASK(cudaErrorInvalidValue, cudaMemcpy(nullptr, &host, 4, cudaMemcpyHostToHost));
  ASK(cudaErrorInvalidValue, cudaMemcpy(&host, nullptr, 4, cudaMemcpyHostToHost));
  ASK(cudaErrorInvalidValue, cudaMemcpy(nullptr, &host, 4, cudaMemcpyDefault));
}
