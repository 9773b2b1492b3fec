// Managed memory: allocation, advice, prefetching, ranges and stream attachment.
#include "support.h"

template <typename T>
class ManagedArray {
 public:
  explicit ManagedArray(size_t count) : count_(count) {
    EXPECT_EQ(cudaSuccess, cudaMallocManaged(reinterpret_cast<void**>(&data_), count * sizeof(T)));
  }
  ~ManagedArray() { (void)cudaFree(data_); }
  T* get() const { return data_; }
  size_t bytes() const { return count_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  size_t count_;
};

static const cudaMemLocation device0 = {cudaMemLocationTypeDevice, 0};
static const cudaMemLocation host = {cudaMemLocationTypeHost, 0};
static const cudaMemLocation nowhere = {cudaMemLocationTypeInvalid, 0};
static const cudaMemLocation no_such_device = {cudaMemLocationTypeDevice, 4096};

using Managed = Runtime;

TEST_F(Managed, IsSharedByHostAndKernel) {
  ManagedArray<int> cells(2);
  cells.get()[0] = 20;
  add_one<<<1, 1>>>(cells.get());
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(21, cells.get()[0]);
}

TEST_F(Managed, WrongArguments) {
  void* pointer = nullptr;
  ASK(cudaErrorInvalidValue, cudaMallocManaged(static_cast<void**>(nullptr), 16));
  pointer = reinterpret_cast<void*>(8);
  ASK(cudaSuccess, cudaMallocManaged(&pointer, 0));
  ASK_VALUE(true, pointer == nullptr);
  ASK(cudaErrorInvalidValue, cudaMallocManaged(&pointer, 16, 0));
  ASK(cudaErrorInvalidValue, cudaMallocManaged(&pointer, 16, cudaMemAttachSingle));
  ASK(cudaErrorInvalidValue, cudaMallocManaged(&pointer, 16, 0x80));
  ASK(cudaSuccess, cudaMallocManaged(&pointer, 16, cudaMemAttachHost));
  ASK(cudaSuccess, cudaFree(pointer));
  ASK(cudaErrorMemoryAllocation, cudaMallocManaged(&pointer, ~size_t{0}));
}

TEST_F(Managed, IsFreedOnceFromItsStart) {
  char* pointer = nullptr;
  MUST(cudaMallocManaged(&pointer, 4096));
  ASK(cudaErrorInvalidValue, cudaFree(pointer + 512));
  ASK(cudaErrorInvalidValue, cudaFreeHost(pointer));
  ASK(cudaSuccess, cudaFree(pointer));
  ASK(cudaErrorInvalidValue, cudaFree(pointer));
}

using Prefetch = Runtime;

TEST_F(Prefetch, GoesToDeviceAndHost) {
  ManagedArray<int> cells(4096);
  ASK(cudaSuccess, cudaMemPrefetchAsync(cells.get(), cells.bytes(), device0, 0, nullptr));
  ASK(cudaSuccess, cudaMemPrefetchAsync(cells.get(), cells.bytes(), host, 0, nullptr));
  ASK(cudaSuccess, cudaMemPrefetchAsync(cells.get() + 10, 40, device0, 0, nullptr));
  MUST(cudaDeviceSynchronize());
}

TEST_F(Prefetch, WrongArguments) {
  ManagedArray<int> cells(1024);
  DeviceArray<int> plain(1024);
  PinnedArray<int> pinned(1024);
  std::vector<int> heap(1024);
  ASK(cudaErrorInvalidValue, cudaMemPrefetchAsync(nullptr, 4096, device0, 0, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemPrefetchAsync(cells.get(), 0, device0, 0, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemPrefetchAsync(cells.get(), size_t{1} << 32, device0, 0, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemPrefetchAsync(cells.get(), 4096, device0, 1, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemPrefetchAsync(plain.get(), 4096, device0, 0, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemPrefetchAsync(pinned.get(), 4096, device0, 0, nullptr));
  // Allowed on devices that access pageable memory.
  int pageable = 0;
  MUST(cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
  ASK(pageable ? cudaSuccess : cudaErrorInvalidValue, cudaMemPrefetchAsync(heap.data(), 4096, device0, 0, nullptr));
  ASK(cudaErrorInvalidDevice, cudaMemPrefetchAsync(cells.get(), 4096, no_such_device, 0, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemPrefetchAsync(cells.get(), 4096, nowhere, 0, nullptr));
}

TEST_F(Prefetch, InABatch) {
  ManagedArray<int> first(4096), second(4096);
  void* pointers[] = {first.get(), second.get()};
  size_t sizes[] = {first.bytes(), second.bytes()};
  cudaMemLocation places[] = {device0};
  size_t indices[] = {0};
  Stream stream;
  ASK(cudaSuccess, cudaMemPrefetchBatchAsync(pointers, sizes, 2, places, indices, 1, 0, stream));
  ASK(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(pointers, sizes, 0, places, indices, 1, 0, stream));
  ASK(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(pointers, sizes, 2, places, indices, 0, 0, stream));
  ASK(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(pointers, sizes, 2, places, indices, 1, 1, stream));
  ASK(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(nullptr, sizes, 2, places, indices, 1, 0, stream));
  ASK(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(pointers, sizes, 2, places, indices, 1, 0, nullptr));
  ASK(cudaSuccess, cudaMemDiscardBatchAsync(pointers, sizes, 2, 0, stream));
  ASK(cudaSuccess, cudaMemDiscardAndPrefetchBatchAsync(pointers, sizes, 2, places, indices, 1, 0, stream));
  MUST(cudaStreamSynchronize(stream));
}

using Advice = Runtime;

TEST_F(Advice, EachKindIsTaken) {
  ManagedArray<int> cells(4096);
  for (cudaMemoryAdvise advice :
       {cudaMemAdviseSetReadMostly, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
        cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy}) {
    ASK(cudaSuccess, cudaMemAdvise(cells.get(), cells.bytes(), advice, device0));
    ASK(cudaSuccess, cudaMemAdvise(cells.get(), cells.bytes(), advice, host));
  }
}

TEST_F(Advice, WrongArguments) {
  ManagedArray<int> cells(1024);
  DeviceArray<int> plain(1024);
  ASK(cudaErrorInvalidValue, cudaMemAdvise(nullptr, 4096, cudaMemAdviseSetReadMostly, device0));
  ASK(cudaErrorInvalidValue, cudaMemAdvise(cells.get(), 0, cudaMemAdviseSetReadMostly, device0));
  ASK(cudaErrorInvalidValue, cudaMemAdvise(cells.get(), 4096, static_cast<cudaMemoryAdvise>(77), device0));
  ASK(cudaErrorInvalidValue, cudaMemAdvise(plain.get(), 4096, cudaMemAdviseSetReadMostly, device0));
  ASK(cudaErrorInvalidValue, cudaMemAdvise(cells.get(), 4096, cudaMemAdviseSetPreferredLocation, no_such_device));
  ASK(cudaErrorInvalidValue, cudaMemAdvise(cells.get(), size_t{1} << 32, cudaMemAdviseSetReadMostly, device0));
}

using RangeAttributes = Runtime;

static int range_attribute(cudaMemRangeAttribute which, const ManagedArray<int>& cells) {
  int value = -77;
  EXPECT_EQ(cudaSuccess, cudaMemRangeGetAttribute(&value, sizeof(value), which, cells.get(), cells.bytes()));
  return value;
}

TEST_F(RangeAttributes, TellTheAdviceGiven) {
  ManagedArray<int> cells(size_t{1} << 20);
  ASK_VALUE(0, range_attribute(cudaMemRangeAttributeReadMostly, cells));
  ASK_VALUE(cudaInvalidDeviceId, range_attribute(cudaMemRangeAttributePreferredLocation, cells));
  ASK_VALUE(cudaInvalidDeviceId, range_attribute(cudaMemRangeAttributeLastPrefetchLocation, cells));
  MUST(cudaMemAdvise(cells.get(), cells.bytes(), cudaMemAdviseSetReadMostly, device0));
  MUST(cudaMemAdvise(cells.get(), cells.bytes(), cudaMemAdviseSetPreferredLocation, host));
  ASK_VALUE(1, range_attribute(cudaMemRangeAttributeReadMostly, cells));
  ASK_VALUE(cudaCpuDeviceId, range_attribute(cudaMemRangeAttributePreferredLocation, cells));
  MUST(cudaMemAdvise(cells.get(), cells.bytes(), cudaMemAdviseUnsetReadMostly, device0));
  MUST(cudaMemAdvise(cells.get(), cells.bytes(), cudaMemAdviseSetPreferredLocation, device0));
  ASK_VALUE(0, range_attribute(cudaMemRangeAttributeReadMostly, cells));
  ASK_VALUE(0, range_attribute(cudaMemRangeAttributePreferredLocation, cells));
  MUST(cudaMemPrefetchAsync(cells.get(), cells.bytes(), device0, 0, nullptr));
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(0, range_attribute(cudaMemRangeAttributeLastPrefetchLocation, cells));
}

TEST_F(RangeAttributes, TellWhoAccesses) {
  ManagedArray<int> cells(size_t{1} << 20);
  MUST(cudaMemAdvise(cells.get(), cells.bytes(), cudaMemAdviseSetAccessedBy, device0));
  int who[3] = {-77, -77, -77};
  ASK(cudaSuccess,
      cudaMemRangeGetAttribute(who, sizeof(who), cudaMemRangeAttributeAccessedBy, cells.get(), cells.bytes()));
  ASK_VALUE(0, who[0]);
  ASK_VALUE(cudaInvalidDeviceId, who[1]);
  ASK_VALUE(cudaInvalidDeviceId, who[2]);
}

TEST_F(RangeAttributes, WithTheNewLocationForms) {
  ManagedArray<int> cells(size_t{1} << 20);
  MUST(cudaMemAdvise(cells.get(), cells.bytes(), cudaMemAdviseSetPreferredLocation, host));
  ASK_VALUE(static_cast<int>(cudaMemLocationTypeHost),
            range_attribute(cudaMemRangeAttributePreferredLocationType, cells));
  ASK_VALUE(-1, range_attribute(cudaMemRangeAttributePreferredLocationId, cells));
  ASK_VALUE(static_cast<int>(cudaMemLocationTypeInvalid),
            range_attribute(cudaMemRangeAttributeLastPrefetchLocationType, cells));
}

TEST_F(RangeAttributes, WrongArguments) {
  ManagedArray<int> cells(1024);
  DeviceArray<int> plain(1024);
  int value = 0;
  const auto which = cudaMemRangeAttributeReadMostly;
  ASK(cudaErrorInvalidValue, cudaMemRangeGetAttribute(nullptr, 4, which, cells.get(), 4096));
  ASK(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&value, 3, which, cells.get(), 4096));
  ASK(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&value, 0, which, cells.get(), 4096));
  ASK(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&value, 4, which, nullptr, 4096));
  ASK(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&value, 4, which, cells.get(), 0));
  ASK(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&value, 4, which, plain.get(), 4096));
  ASK(cudaErrorInvalidValue,
      cudaMemRangeGetAttribute(&value, 4, static_cast<cudaMemRangeAttribute>(99), cells.get(), 4096));
}

TEST_F(RangeAttributes, SeveralAtOnce) {
  ManagedArray<int> cells(1024);
  int first = -77, second = -77;
  void* data[] = {&first, &second};
  size_t sizes[] = {4, 4};
  cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation};
  ASK(cudaSuccess, cudaMemRangeGetAttributes(data, sizes, which, 2, cells.get(), 4096));
  ASK_VALUE(0, first);
  ASK_VALUE(cudaInvalidDeviceId, second);
  ASK(cudaErrorInvalidValue, cudaMemRangeGetAttributes(data, sizes, which, 0, cells.get(), 4096));
  ASK(cudaErrorInvalidValue, cudaMemRangeGetAttributes(nullptr, sizes, which, 2, cells.get(), 4096));
}

using StreamAttach = Runtime;

TEST_F(StreamAttach, TakesManagedMemory) {
  ManagedArray<int> cells(1024);
  DeviceArray<int> plain(1024);
  Stream stream;
  ASK(cudaSuccess, cudaStreamAttachMemAsync(stream, cells.get()));
  ASK(cudaSuccess, cudaStreamAttachMemAsync(stream, cells.get(), 0, cudaMemAttachGlobal));
  ASK(cudaSuccess, cudaStreamAttachMemAsync(stream, cells.get(), cells.bytes(), cudaMemAttachHost));
  ASK(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, cells.get(), 16, cudaMemAttachSingle));
  ASK(cudaErrorInvalidValue, cudaStreamAttachMemAsync(nullptr, cells.get(), 0, cudaMemAttachSingle));
  ASK(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, nullptr));
  ASK(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, plain.get()));
  ASK(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, cells.get(), 0, 0x80));
  MUST(cudaStreamSynchronize(stream));
}
