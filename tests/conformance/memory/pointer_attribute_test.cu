// Pointer attributes.
#include "support.h"

using PointerAttributes = Runtime;

static cudaPointerAttributes attributes(const void* pointer) {
  cudaPointerAttributes answer;
  std::memset(static_cast<void*>(&answer), 0x5a, sizeof(answer));
  EXPECT_EQ(cudaSuccess, cudaPointerGetAttributes(&answer, pointer));
  return answer;
}

TEST_F(PointerAttributes, OfDeviceMemory) {
  DeviceArray<char> memory(4096);
  for (size_t offset : {0, 1, 4095}) {
    const cudaPointerAttributes a = attributes(memory.get() + offset);
    ASK_VALUE(cudaMemoryTypeDevice, a.type);
    ASK_VALUE(0, a.device);
    ASK_VALUE(true, a.devicePointer == memory.get() + offset);
    ASK_VALUE(true, a.hostPointer == nullptr);
  }
}

TEST_F(PointerAttributes, OfPinnedMemory) {
  PinnedArray<char> memory(4096);
  for (size_t offset : {0, 1, 4095}) {
    const cudaPointerAttributes a = attributes(memory.get() + offset);
    ASK_VALUE(cudaMemoryTypeHost, a.type);
    ASK_VALUE(0, a.device);
    ASK_VALUE(true, a.devicePointer == memory.get() + offset);
    ASK_VALUE(true, a.hostPointer == memory.get() + offset);
  }
}

TEST_F(PointerAttributes, OfManagedMemory) {
  char* memory = nullptr;
  MUST(cudaMallocManaged(&memory, 4096));
  const cudaPointerAttributes a = attributes(memory + 5);
  ASK_VALUE(cudaMemoryTypeManaged, a.type);
  ASK_VALUE(0, a.device);
  ASK_VALUE(true, a.devicePointer == memory + 5);
  ASK_VALUE(true, a.hostPointer == memory + 5);
  MUST(cudaFree(memory));
}

TEST_F(PointerAttributes, OfOrdinaryMemory) {
  int local = 0;
  std::vector<int> heap(100);
  static int variable = 0;
  for (const void* pointer : {static_cast<const void*>(&local), static_cast<const void*>(heap.data()),
                              static_cast<const void*>(&variable), static_cast<const void*>("text")}) {
    const cudaPointerAttributes a = attributes(pointer);
    ASK_VALUE(cudaMemoryTypeUnregistered, a.type);
    ASK_VALUE(-2, a.device);
    ASK_VALUE(true, a.devicePointer == nullptr);
    ASK_VALUE(true, a.hostPointer == pointer);
  }
}

TEST_F(PointerAttributes, OfNull) {
  const cudaPointerAttributes a = attributes(nullptr);
  ASK_VALUE(cudaMemoryTypeUnregistered, a.type);
  ASK_VALUE(-2, a.device);
  ASK_VALUE(true, a.devicePointer == nullptr);
  ASK_VALUE(true, a.hostPointer == nullptr);
}

TEST_F(PointerAttributes, OfInventedAddresses) {
  for (size_t address : {size_t{1}, size_t{0x1000}, ~size_t{0}, size_t{1} << 62}) {
    const cudaPointerAttributes a = attributes(reinterpret_cast<void*>(address));
    ASK_VALUE(cudaMemoryTypeUnregistered, a.type);
    ASK_VALUE(true, a.hostPointer == reinterpret_cast<void*>(address));
  }
}

TEST_F(PointerAttributes, OfFreedMemory) {
  void* memory = nullptr;
  MUST(cudaMalloc(&memory, size_t{64} << 20));
  MUST(cudaFree(memory));
  ASK_VALUE(cudaMemoryTypeUnregistered, attributes(memory).type);
  MUST(cudaHostAlloc(&memory, size_t{4} << 20, 0));
  MUST(cudaFreeHost(memory));
  ASK_VALUE(cudaMemoryTypeUnregistered, attributes(memory).type);
}

TEST_F(PointerAttributes, OfTheBytePastTheEnd) {
  DeviceArray<char> little(100);
  ASK_VALUE(cudaMemoryTypeDevice, attributes(little.get() + 99).type);
  ASK_VALUE(cudaMemoryTypeUnregistered, attributes(little.get() + 100).type);
  ASK_VALUE(cudaMemoryTypeUnregistered, attributes(little.get() + 511).type);
}

TEST_F(PointerAttributes, OfRegisteredMemory) {
  std::vector<char> heap(3 * 4096);
  char* const start = heap.data() + 4096 - reinterpret_cast<size_t>(heap.data()) % 4096;
  MUST(cudaHostRegister(start, 4096, 0));
  const cudaPointerAttributes a = attributes(start + 3);
  ASK_VALUE(cudaMemoryTypeHost, a.type);
  ASK_VALUE(true, a.hostPointer == start + 3);
  ASK_VALUE(true, a.devicePointer == start + 3);
  ASK_VALUE(cudaMemoryTypeUnregistered, attributes(start + 4096).type);
  MUST(cudaHostUnregister(start));
  ASK_VALUE(cudaMemoryTypeUnregistered, attributes(start).type);
}

TEST_F(PointerAttributes, OfMemoryRegisteredWithinAPage) {
  std::vector<char> heap(3 * 4096);
  char* const start = heap.data() + 4096 - reinterpret_cast<size_t>(heap.data()) % 4096;
  MUST(cudaHostRegister(start + 1000, 100, 0));
  ASK_VALUE(cudaMemoryTypeHost, attributes(start + 1099).type);
  ASK_VALUE(cudaMemoryTypeUnregistered, attributes(start + 999).type);
  ASK_VALUE(cudaMemoryTypeUnregistered, attributes(start + 1100).type);
  MUST(cudaHostUnregister(start + 1000));
}

__device__ int device_variable;
__constant__ int constant_variable;

TEST_F(PointerAttributes, OfDeviceVariables) {
  void* address = nullptr;
  MUST(cudaGetSymbolAddress(&address, device_variable));
  ASK_VALUE(cudaMemoryTypeDevice, attributes(address).type);
  MUST(cudaGetSymbolAddress(&address, constant_variable));
  ASK_VALUE(cudaMemoryTypeDevice, attributes(address).type);
}

TEST_F(PointerAttributes, NeedAnOutput) {
  DeviceArray<int> memory(1);
  ASK(cudaErrorInvalidValue, cudaPointerGetAttributes(nullptr, memory.get()));
  ASK(cudaErrorInvalidValue, cudaPointerGetAttributes(nullptr, nullptr));
}
