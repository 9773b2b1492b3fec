// Pinned memory: allocated by the runtime, or registered with it.
#include <sys/mman.h>
#include <unistd.h>

#include "support.h"

using HostAlloc = Runtime;

TEST_F(HostAlloc, GivesMemoryThatBothSidesUse) {
  for (unsigned flags : {cudaHostAllocDefault, cudaHostAllocPortable, cudaHostAllocMapped, cudaHostAllocWriteCombined,
                         cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined}) {
    int* pointer = nullptr;
    ASK(cudaSuccess, cudaHostAlloc(&pointer, 4096, flags));
    *pointer = 1;
    add_one<<<1, 1>>>(pointer);
    MUST(cudaDeviceSynchronize());
    ASK_VALUE(2, *pointer);
    unsigned seen = ~0u;
    ASK(cudaSuccess, cudaHostGetFlags(&seen, pointer));
    // With unified addressing all pinned memory is mapped.
    ASK_VALUE(flags | cudaHostAllocMapped, seen);
    ASK(cudaSuccess, cudaFreeHost(pointer));
  }
}

TEST_F(HostAlloc, MallocHostIsTheDefaultKind) {
  int* pointer = nullptr;
  ASK(cudaSuccess, cudaMallocHost(&pointer, 64));
  unsigned flags = ~0u;
  MUST(cudaHostGetFlags(&flags, pointer));
  ASK_VALUE(cudaHostAllocMapped, flags);
  ASK(cudaSuccess, cudaFreeHost(pointer));
}

TEST_F(HostAlloc, OfNothingIsNull) {
  void* pointer = reinterpret_cast<void*>(8);
  ASK(cudaSuccess, cudaHostAlloc(&pointer, 0, 0));
  ASK_VALUE(true, pointer == nullptr);
  pointer = reinterpret_cast<void*>(8);
  ASK(cudaSuccess, cudaMallocHost(&pointer, 0));
  ASK_VALUE(true, pointer == nullptr);
}

TEST_F(HostAlloc, WrongArguments) {
  void* pointer = nullptr;
  ASK(cudaErrorInvalidValue, cudaHostAlloc(static_cast<void**>(nullptr), 16, 0));
  ASK(cudaErrorInvalidValue, cudaMallocHost(static_cast<void**>(nullptr), 16));
  ASK(cudaErrorInvalidValue, cudaHostAlloc(&pointer, 16, 0x100));
  ASK(cudaErrorInvalidValue, cudaHostAlloc(&pointer, 16, ~0u));
  ASK(cudaErrorMemoryAllocation, cudaHostAlloc(&pointer, size_t{1} << 50, 0));
  ASK(cudaErrorMemoryAllocation, cudaHostAlloc(&pointer, ~size_t{0}, 0));
}

TEST_F(HostAlloc, FreedWrongly) {
  char* pointer = nullptr;
  MUST(cudaHostAlloc(&pointer, 8192, 0));
  DeviceArray<int> device(4);
  std::vector<int> heap(4);
  ASK(cudaSuccess, cudaFreeHost(nullptr));
  ASK(cudaErrorInvalidValue, cudaFreeHost(pointer + 1));
  ASK(cudaErrorInvalidValue, cudaFreeHost(pointer + 4096));
  ASK(cudaErrorInvalidValue, cudaFreeHost(device.get()));
  ASK(cudaErrorInvalidValue, cudaFreeHost(heap.data()));
  ASK(cudaErrorInvalidValue, cudaFree(pointer));
  ASK(cudaErrorInvalidValue, cudaHostUnregister(pointer));
  ASK(cudaSuccess, cudaFreeHost(pointer));
  ASK(cudaErrorInvalidValue, cudaFreeHost(pointer));
}

TEST_F(HostAlloc, HasADevicePointerAndFlags) {
  char* pointer = nullptr;
  MUST(cudaHostAlloc(&pointer, 8192, 0));
  void* device = nullptr;
  ASK(cudaSuccess, cudaHostGetDevicePointer(&device, pointer, 0));
  ASK_VALUE(true, device == pointer);
  ASK(cudaSuccess, cudaHostGetDevicePointer(&device, pointer + 100, 0));
  ASK_VALUE(true, device == pointer + 100);
  unsigned flags = 0;
  ASK(cudaSuccess, cudaHostGetFlags(&flags, pointer + 100));
  ASK(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, pointer, 1));
  ASK(cudaErrorInvalidValue, cudaHostGetDevicePointer(static_cast<void**>(nullptr), pointer, 0));
  ASK(cudaErrorInvalidValue, cudaHostGetFlags(nullptr, pointer));
  MUST(cudaFreeHost(pointer));
}

TEST_F(HostAlloc, OtherMemoryHasNone) {
  int local = 0;
  std::vector<int> heap(64);
  DeviceArray<int> device(4);
  void* answer = nullptr;
  unsigned flags = 0;
  ASK(cudaErrorInvalidValue, cudaHostGetDevicePointer(&answer, &local, 0));
  ASK(cudaErrorInvalidValue, cudaHostGetDevicePointer(&answer, heap.data(), 0));
  ASK(cudaErrorInvalidValue, cudaHostGetDevicePointer(&answer, nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaHostGetDevicePointer(&answer, device.get(), 0));
  ASK(cudaErrorInvalidValue, cudaHostGetFlags(&flags, heap.data()));
  ASK(cudaErrorInvalidValue, cudaHostGetFlags(&flags, device.get()));
  ASK(cudaErrorInvalidValue, cudaHostGetFlags(&flags, nullptr));
}

// Pages of this process that nothing else uses.
class Pages {
 public:
  explicit Pages(size_t count)
      : size_(count * 4096),
        data_(static_cast<char*>(
            mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0))) {}
  ~Pages() { munmap(data_, size_); }
  char* get() const { return data_; }

 private:
  size_t size_;
  char* data_;
};

using HostRegister = Runtime;

TEST_F(HostRegister, MakesMemoryUsableInKernels) {
  Pages pages(2);
  ASK(cudaSuccess, cudaHostRegister(pages.get(), 8192, cudaHostRegisterDefault));
  int* device = nullptr;
  ASK(cudaSuccess, cudaHostGetDevicePointer(&device, pages.get(), 0));
  store<<<1, 1>>>(device, 9);
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(9, *reinterpret_cast<int*>(pages.get()));
  unsigned flags = ~0u;
  ASK(cudaSuccess, cudaHostGetFlags(&flags, pages.get()));
  ASK_VALUE(cudaHostRegisterMapped, flags);
  ASK(cudaSuccess, cudaHostUnregister(pages.get()));
}

TEST_F(HostRegister, NeedsNoPageAlignment) {
  Pages pages(2);
  ASK(cudaSuccess, cudaHostRegister(pages.get() + 100, 1000, cudaHostRegisterMapped));
  ASK(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(pages.get()));
  ASK(cudaErrorInvalidValue, cudaHostUnregister(pages.get() + 101));
  ASK(cudaSuccess, cudaHostUnregister(pages.get() + 100));
}

TEST_F(HostRegister, TwiceIsAnError) {
  Pages pages(4);
  MUST(cudaHostRegister(pages.get(), 8192, 0));
  ASK(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(pages.get(), 8192, 0));
  ASK(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(pages.get() + 4096, 8192, 0));
  ASK(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(pages.get(), 16384, 0));
  ASK(cudaSuccess, cudaHostRegister(pages.get() + 8192, 4096, 0));
  ASK(cudaSuccess, cudaHostUnregister(pages.get() + 8192));
  ASK(cudaSuccess, cudaHostUnregister(pages.get()));
  ASK(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(pages.get()));
}

TEST_F(HostRegister, OfTwoRangesInOnePage) {
  Pages pages(1);
  ASK(cudaSuccess, cudaHostRegister(pages.get(), 100, 0));
  ASK(cudaSuccess, cudaHostRegister(pages.get() + 1000, 100, 0));
  (void)cudaHostUnregister(pages.get() + 1000);
  ASK(cudaSuccess, cudaHostUnregister(pages.get()));
}

TEST_F(HostRegister, WrongArguments) {
  Pages pages(2);
  DeviceArray<int> device(1024);
  PinnedArray<int> pinned(1024);
  ASK(cudaErrorInvalidValue, cudaHostRegister(nullptr, 4096, 0));
  ASK(cudaErrorInvalidValue, cudaHostRegister(pages.get(), 0, 0));
  ASK(cudaErrorInvalidValue, cudaHostRegister(pages.get(), 4096, 0x1000));
  ASK(cudaErrorInvalidValue, cudaHostRegister(pinned.get(), 4096, 0));
  ASK(cudaErrorInvalidValue, cudaHostRegister(device.get(), 4096, 0));
  ASK(cudaErrorInvalidValue, cudaHostUnregister(nullptr));
  ASK(cudaErrorInvalidValue, cudaHostUnregister(device.get()));
  ASK(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(pages.get()));
}

TEST_F(HostRegister, OfUnmappedMemory) {
  Pages pages(4);
  munmap(pages.get() + 8192, 4096);
  ASK(cudaErrorInvalidValue, cudaHostRegister(pages.get(), 16384, 0));
}

TEST_F(HostRegister, IsNotUndoneByFreeHost) {
  Pages pages(1);
  MUST(cudaHostRegister(pages.get(), 4096, 0));
  ASK(cudaErrorInvalidValue, cudaFreeHost(pages.get()));
  ASK(cudaErrorInvalidValue, cudaFree(pages.get()));
  ASK(cudaSuccess, cudaHostUnregister(pages.get()));
}

TEST_F(HostRegister, TakesEachFlag) {
  for (unsigned flags :
       {cudaHostRegisterPortable, cudaHostRegisterMapped, cudaHostRegisterPortable | cudaHostRegisterMapped}) {
    Pages pages(1);
    ASK(cudaSuccess, cudaHostRegister(pages.get(), 4096, flags));
    unsigned seen = 0;
    ASK(cudaSuccess, cudaHostGetFlags(&seen, pages.get()));
    ASK_VALUE(flags | cudaHostRegisterMapped, seen);
    ASK(cudaSuccess, cudaHostUnregister(pages.get()));
  }
  Pages pages(1);
  ASK(cudaSuccess, cudaHostRegister(pages.get(), 4096, cudaHostRegisterReadOnly));
  ASK(cudaSuccess, cudaHostUnregister(pages.get()));
}
