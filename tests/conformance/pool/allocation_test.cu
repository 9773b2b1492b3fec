// Allocating and freeing in the order of streams: what is refused, which memory is used again and when, the figures.
#include "pool/pool_support.h"

using PoolMemory = Runtime;

static int read_int(const void* from) {
  int value = -1;
  EXPECT_EQ(cudaSuccess, cudaMemcpy(&value, from, sizeof value, cudaMemcpyDefault));
  return value;
}

TEST_F(PoolMemory, HoldsData) {
  Stream stream;
  int* cells = nullptr;
  MUST(cudaMallocAsync(reinterpret_cast<void**>(&cells), 4000, stream));
  store<<<1, 1, 0, stream>>>(cells + 999, 41);
  add_one<<<1, 1, 0, stream>>>(cells + 999);
  int value = 0;
  MUST(cudaMemcpyAsync(&value, cells + 999, 4, cudaMemcpyDefault, stream));
  ASK(cudaSuccess, cudaFreeAsync(cells, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(42, value);
}

TEST_F(PoolMemory, WrongArguments) {
  Stream stream;
  Pool pool;
  void* address = &address;
  ASK(cudaErrorInvalidValue, cudaMallocAsync(static_cast<void**>(nullptr), 16, stream));
  ASK(cudaErrorInvalidValue, cudaMallocFromPoolAsync(nullptr, 16, pool, stream));
  ASK(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&address, 16, nullptr, stream));
  ASK(cudaSuccess, cudaFreeAsync(nullptr, stream));
}

TEST_F(PoolMemory, NothingAskedFor) {
  Stream stream;
  Pool pool;
  void* address = &address;
  ASK(cudaSuccess, cudaMallocAsync(&address, 0, stream));
  ASK_VALUE(true, address == nullptr);
  address = &address;
  ASK(cudaSuccess, cudaMallocFromPoolAsync(&address, 0, pool, stream));
  ASK_VALUE(true, address == nullptr);
  ASK(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&address, 0, nullptr, stream));
}

TEST_F(PoolMemory, NothingAskedForWithoutAPlace) {
  Stream stream;
  ASK(cudaErrorInvalidValue, cudaMallocAsync(static_cast<void**>(nullptr), 0, stream));
}

TEST_F(PoolMemory, MoreThanThereIs) {
  Stream stream;
  Pool pool;
  void* address = &address;
  ASK(cudaErrorMemoryAllocation, cudaMallocAsync(&address, size_t{1} << 46, stream));
  ASK_VALUE(true, address == nullptr);
  ASK(cudaErrorMemoryAllocation, cudaMallocFromPoolAsync(&address, ~size_t{0}, pool, stream));
  ASK(cudaErrorMemoryAllocation, cudaGetLastError());
  ASK_VALUE(0, used(pool));
  ASK_VALUE(0, reserved(pool));
  char* small = take(pool, 100, stream);
  ASK(cudaSuccess, cudaMemsetAsync(small, 0, 100, stream));
  ASK(cudaSuccess, cudaFreeAsync(small, stream));
}

TEST_F(PoolMemory, OfALimitedPool) {
  cudaMemPoolProps props = pool_props();
  props.maxSize = 1;  // rounded up to what one piece has
  Pool pool(props);
  Stream stream;
  void *first = nullptr, *second = nullptr;
  ASK(cudaSuccess, cudaMallocFromPoolAsync(&first, 1 * MiB, pool, stream));
  FACT("reserved of a pool limited to 1", reserved(pool));
  ASK(cudaErrorMemoryAllocation, cudaMallocFromPoolAsync(&second, 256 * MiB, pool, stream));
  (void)cudaGetLastError();
  if (first) ASK(cudaSuccess, cudaFreeAsync(first, stream));
  MUST(cudaStreamSynchronize(stream));
}

TEST_F(PoolMemory, FreedByCudaFree) {
  Stream stream;
  Pool pool;
  char* address = take(pool, 1000, stream);
  store<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(address), 1);
  MUST(cudaStreamSynchronize(stream));  // on the H200 cudaFree does not wait for the users of a pool's memory
  ASK(cudaSuccess, cudaFree(address));
  FACT("used after cudaFree", used(pool));  // the H200 counts it until later
  ASK(cudaErrorInvalidValue, cudaFree(address));
  ASK(cudaErrorInvalidValue, cudaFreeAsync(address, stream));
}

TEST_F(PoolMemory, OtherMemoryFreedInAStream) {
  Stream stream;
  void *device = nullptr, *pinned = nullptr, *managed = nullptr;
  int local = 0;
  MUST(cudaMalloc(&device, 1000));
  MUST(cudaMallocHost(&pinned, 1000));
  MUST(cudaMallocManaged(&managed, 1000));
  ASK(cudaErrorInvalidValue, cudaFreeAsync(&local, stream));
  ASK(cudaErrorInvalidValue, cudaFreeAsync(reinterpret_cast<void*>(0x1000), stream));
  ASK(cudaErrorInvalidValue, cudaFreeAsync(static_cast<char*>(device) + 8, stream));
  ASK(cudaSuccess, cudaFreeAsync(device, stream));
  ASK(cudaErrorInvalidValue, cudaFreeAsync(pinned, stream));
  const cudaError_t answer = cudaFreeAsync(managed, stream);
  ASK_CASE("managed memory freed async", cudaErrorNotSupported, answer);
  if (answer != cudaSuccess) ASK(cudaSuccess, cudaFree(managed));
  (void)cudaFreeHost(pinned);
  MUST(cudaStreamSynchronize(stream));
}

TEST_F(PoolMemory, FreedTwice) {
  Stream stream;
  Pool pool;
  pool.keep_all();
  char* address = take(pool, 1000, stream);
  ASK(cudaSuccess, cudaFreeAsync(address, stream));
  ASK(cudaErrorInvalidValue, cudaFreeAsync(address, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaErrorInvalidValue, cudaFreeAsync(address, stream));
  ASK(cudaErrorInvalidValue, cudaFree(address));
}

TEST_F(PoolMemory, FreedByAnInnerAddress) {
  Stream stream;
  Pool pool;
  char* address = take(pool, 4096, stream);
  ASK(cudaErrorInvalidValue, cudaFreeAsync(address + 512, stream));
  ASK(cudaErrorInvalidValue, cudaFreeAsync(address + 4096, stream));
  ASK(cudaErrorInvalidValue, cudaFree(address + 512));
  ASK(cudaSuccess, cudaFreeAsync(address, stream));
}

TEST_F(PoolMemory, FreedInAnotherStream) {
  Stream stream, other;
  Pool pool;
  char* address = take(pool, 4096, stream);
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaSuccess, cudaFreeAsync(address, other));
  ASK(cudaSuccess, cudaStreamSynchronize(other));
}

TEST_F(PoolMemory, InTheStandardStreams) {
  void* address = nullptr;
  for (cudaStream_t stream : {cudaStream_t{nullptr}, cudaStreamLegacy, cudaStreamPerThread}) {
    ASK(cudaSuccess, cudaMallocAsync(&address, 64, stream));
    ASK(cudaSuccess, cudaMemsetAsync(address, 1, 64, stream));
    ASK(cudaSuccess, cudaFreeAsync(address, stream));
  }
}

TEST_F(PoolMemory, PointerAttributes) {
  Stream stream;
  Pool pool;
  char* address = take(pool, 4096, stream);
  cudaPointerAttributes attributes{};
  MUST(cudaPointerGetAttributes(&attributes, address + 100));
  ASK_VALUE(cudaMemoryTypeDevice, attributes.type);
  ASK_VALUE(0, attributes.device);
  ASK_VALUE(true, attributes.devicePointer == address + 100);
  ASK_VALUE(true, attributes.hostPointer == nullptr);
  MUST(cudaFreeAsync(address, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaSuccess, cudaPointerGetAttributes(&attributes, address));
  FACT("type of freed memory", static_cast<int>(attributes.type));
}

TEST_F(PoolMemory, IsNotForIpcHandles) {
  Stream stream;
  Pool pool;
  char* address = take(pool, 4096, stream);
  cudaIpcMemHandle_t handle{};
  ASK(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, address));
  MUST(cudaFreeAsync(address, stream));
}

TEST_F(PoolMemory, IsUsedAgainInTheSameStream) {
  Stream stream;
  Gate gate;
  Pool pool;
  char* first = take(pool, 1 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  char* second = take(pool, 1 * MiB, stream);
  ASK_VALUE(true, second == first);
  MUST(cudaFreeAsync(second, stream));
  char* smaller = take(pool, 1000, stream);
  ASK_VALUE(true, smaller == first);
  char* beside = take(pool, 1000, stream);
  FACT("distance of two small ones", static_cast<long long>(beside - smaller));
  MUST(cudaFreeAsync(smaller, stream));
  MUST(cudaFreeAsync(beside, stream));
  char* joined = take(pool, 1 * MiB, stream);
  ASK_VALUE(true, joined == first);
  MUST(cudaFreeAsync(joined, stream));
  gate.open();
}

TEST_F(PoolMemory, OfAnotherStreamIsNotUsedWhileThatMayUseIt) {
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Gate gate;
  Pool pool;
  pool.keep_all();
  pool.set(cudaMemPoolReuseAllowInternalDependencies, 0);
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  char* second = take(pool, 64 * MiB, other);
  ASK_VALUE(false, second == first);
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  char* third = take(pool, 64 * MiB, other);
  ASK_FACT("completed free is used by the other stream", true, third == first);
  MUST(cudaFreeAsync(second, other));
  MUST(cudaFreeAsync(third, other));
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, OfAnotherStreamIsUsedAfterAnEvent) {
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Event event(cudaEventDisableTiming);
  Gate gate;
  Pool pool;
  pool.keep_all();
  pool.set(cudaMemPoolReuseAllowInternalDependencies, 0);
  pool.set(cudaMemPoolReuseAllowOpportunistic, 0);
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  MUST(cudaEventRecord(event, stream));
  MUST(cudaStreamWaitEvent(other, event));
  char* second = take(pool, 64 * MiB, other);
  ASK_FACT("memory behind an event", true, second == first);
  gate.open();
  MUST(cudaFreeAsync(second, other));
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, OfAnotherStreamIsNotUsedAfterAnEarlierEvent) {
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Event event(cudaEventDisableTiming);
  Gate gate;
  Pool pool;
  pool.keep_all();
  pool.set(cudaMemPoolReuseAllowInternalDependencies, 0);
  pool.set(cudaMemPoolReuseAllowOpportunistic, 0);
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaEventRecord(event, stream));
  nothing<<<1, 1, 0, stream>>>();
  MUST(cudaFreeAsync(first, stream));
  MUST(cudaStreamWaitEvent(other, event));
  char* second = take(pool, 64 * MiB, other);
  ASK_VALUE(false, second == first);
  gate.open();
  MUST(cudaFreeAsync(second, other));
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, OfAnotherStreamIsUsedAfterAChainOfEvents) {
  Stream stream(cudaStreamNonBlocking), middle(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Event event(cudaEventDisableTiming), second_event(cudaEventDisableTiming);
  Gate gate;
  Pool pool;
  pool.keep_all();
  pool.set(cudaMemPoolReuseAllowInternalDependencies, 0);
  pool.set(cudaMemPoolReuseAllowOpportunistic, 0);
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  MUST(cudaEventRecord(event, stream));
  MUST(cudaStreamWaitEvent(middle, event));
  MUST(cudaEventRecord(second_event, middle));
  MUST(cudaStreamWaitEvent(other, second_event));
  char* second = take(pool, 64 * MiB, other);
  ASK_FACT("memory behind two events", true, second == first);
  gate.open();
  MUST(cudaFreeAsync(second, other));
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, EventsAreNotFollowedWhenSwitchedOff) {
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Event event(cudaEventDisableTiming);
  Gate gate;
  Pool pool;
  pool.keep_all();
  for (cudaMemPoolAttr attribute : {cudaMemPoolReuseAllowInternalDependencies, cudaMemPoolReuseAllowOpportunistic,
                                    cudaMemPoolReuseFollowEventDependencies}) {
    pool.set(attribute, 0);
  }
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  MUST(cudaEventRecord(event, stream));
  MUST(cudaStreamWaitEvent(other, event));
  char* second = take(pool, 64 * MiB, other);
  ASK_VALUE(false, second == first);
  gate.open();
  MUST(cudaFreeAsync(second, other));
  MUST(cudaDeviceSynchronize());
  char* third = take(pool, 64 * MiB, stream);
  FACT("no policy at all, all done: own memory is used", third == first);
  FACT("no policy at all, all done: the other's is used", third == second);
  MUST(cudaFreeAsync(third, stream));
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, TheLegacyStreamOrdersToo) {
  Stream stream, other;
  Gate gate;
  Pool pool;
  pool.keep_all();
  pool.set(cudaMemPoolReuseAllowInternalDependencies, 0);
  pool.set(cudaMemPoolReuseAllowOpportunistic, 0);
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  nothing<<<1, 1>>>();
  char* second = take(pool, 64 * MiB, other);
  ASK_FACT("memory behind the legacy stream", true, second == first);
  char* third = take(pool, 32 * MiB, nullptr);
  FACT("third is inside the first", third >= first && third < first + 64 * MiB);
  gate.open();
  MUST(cudaFreeAsync(second, other));
  MUST(cudaFreeAsync(third, nullptr));
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, InternalDependenciesMakeTheStreamWait) {
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Gate gate;
  cudaMemPoolProps props = pool_props();
  props.maxSize = 64 * MiB;
  Pool pool(props);
  pool.keep_all();
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  void* second = nullptr;
  const cudaError_t answer = cudaMallocFromPoolAsync(&second, 64 * MiB, pool, other);
  ASK_CASE("a full pool with memory freed elsewhere", cudaSuccess, answer);
  if (answer == cudaSuccess) {
    ASK_VALUE(true, second == first);
    ASK(cudaErrorNotReady, cudaStreamQuery(other));
    gate.open();
    MUST(cudaFreeAsync(second, other));
  }
  gate.open();
  (void)cudaGetLastError();
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, FiguresOfUse) {
  Stream stream;
  Pool pool;
  pool.keep_all();
  for (size_t bytes : {size_t{1}, size_t{511}, size_t{512}, size_t{513}, size_t{4096}, 100 * KiB, 1 * MiB + 1, 2 * MiB,
                       3 * MiB + 5, 33 * MiB}) {
    const auto before = used(pool);
    char* address = take(pool, bytes, stream);
    ASK_FACT("used by " + std::to_string(bytes), bytes, used(pool) - before);
    FACT("reserved after " + std::to_string(bytes), reserved(pool));
    ASK_FACT("alignment of " + std::to_string(bytes), 0, reinterpret_cast<uintptr_t>(address) % 512);
    FACT("offset in 2 MiB of " + std::to_string(bytes), reinterpret_cast<uintptr_t>(address) % (2 * MiB));
    MUST(cudaFreeAsync(address, stream));
    FACT("used after the free was asked for", used(pool));
    MUST(cudaStreamSynchronize(stream));
    ASK_VALUE(before, used(pool));
  }
  FACT("used high", pool_value(pool, cudaMemPoolAttrUsedMemHigh));
  FACT("reserved high", pool_value(pool, cudaMemPoolAttrReservedMemHigh));
}

TEST_F(PoolMemory, FreeCountsWhenAskedOrWhenDone) {
  Stream stream;
  Gate gate;
  Pool pool;
  pool.keep_all();
  char* address = take(pool, 1 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(address, stream));
  ASK_FACT("used while the free is not done", 0, used(pool));
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(0, used(pool));
}

TEST_F(PoolMemory, FiguresOfReservation) {
  Stream stream;
  Pool pool;
  pool.keep_all();
  char* small = take(pool, 1, stream);
  ASK_FACT("reserved for 1 byte", 32 * MiB, reserved(pool));
  char* large = take(pool, 32 * MiB, stream);
  ASK_FACT("reserved for 32 MiB more", 64 * MiB, reserved(pool));
  char* odd = take(pool, 33 * MiB, stream);
  ASK_FACT("reserved for 33 MiB more", 96 * MiB, reserved(pool));
  ASK_VALUE(96 * MiB, pool_value(pool, cudaMemPoolAttrReservedMemHigh));
  ASK_VALUE(1 + 65 * MiB, pool_value(pool, cudaMemPoolAttrUsedMemHigh));
  for (char* each : {small, large, odd}) MUST(cudaFreeAsync(each, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(96 * MiB, reserved(pool));
  unsigned long long zero = 0;
  MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
  MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  ASK_FACT("reserved high after reset", 96 * MiB, pool_value(pool, cudaMemPoolAttrReservedMemHigh));
  ASK_FACT("used high after reset", 0, pool_value(pool, cudaMemPoolAttrUsedMemHigh));
}

TEST_F(PoolMemory, TrimTo) {
  Stream stream;
  Pool pool;
  pool.keep_all();
  char* first = take(pool, 30 * MiB, stream);
  char* second = take(pool, 30 * MiB, stream);
  char* third = take(pool, 30 * MiB, stream);
  FACT("reserved by three", reserved(pool));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 0));
  ASK_VALUE(96 * MiB, reserved(pool));
  MUST(cudaFreeAsync(second, stream));
  MUST(cudaFreeAsync(third, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(96 * MiB, reserved(pool));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 90 * MiB));
  ASK_FACT("after trim to 90 MiB", 96 * MiB, reserved(pool));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 64 * MiB));
  ASK_FACT("after trim to 64 MiB", 64 * MiB, reserved(pool));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 40 * MiB));
  ASK_FACT("after trim to 40 MiB", 64 * MiB, reserved(pool));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 0));
  ASK_FACT("after trim to 0", 32 * MiB, reserved(pool));
  MUST(cudaFreeAsync(first, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 0));
  ASK_FACT("after trim of all", 0, reserved(pool));
}

TEST_F(PoolMemory, TrimDoesNotTakeWhatAStreamMayUse) {
  Stream stream;
  Gate gate;
  Pool pool;
  pool.keep_all();
  char* first = take(pool, 30 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 0));
  ASK_VALUE(32 * MiB, reserved(pool));
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 0));
  ASK_VALUE(0, reserved(pool));
}

TEST_F(PoolMemory, GoesBackAtSynchronisation) {
  Stream stream;
  Event event;
  Pool pool;
  for (int how = 0; how < 4; ++how) {
    char* address = take(pool, 30 * MiB, stream);
    ASK_VALUE(32 * MiB, reserved(pool));
    MUST(cudaFreeAsync(address, stream));
    MUST(cudaEventRecord(event, stream));
    FACT("reserved before synchronisation", reserved(pool));
    switch (how) {
      case 0:
        MUST(cudaStreamSynchronize(stream));
        break;
      case 1:
        MUST(cudaEventSynchronize(event));
        break;
      case 2:
        MUST(cudaDeviceSynchronize());
        break;
      case 3:
        while (cudaStreamQuery(stream) == cudaErrorNotReady) {
        }
        break;
    }
    ASK_FACT("reserved after synchronisation " + std::to_string(how), how == 3 ? 32 * MiB : 0, reserved(pool));
    MUST(cudaDeviceSynchronize());
  }
}

TEST_F(PoolMemory, ReleaseThreshold) {
  Stream stream;
  Pool pool;
  pool.set(cudaMemPoolAttrReleaseThreshold, 40 * MiB);
  char* blocks[4];
  for (char*& each : blocks) each = take(pool, 30 * MiB, stream);
  ASK_VALUE(128 * MiB, reserved(pool));
  for (char* each : blocks) MUST(cudaFreeAsync(each, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("reserved with a threshold of 40 MiB", 32 * MiB, reserved(pool));
}

TEST_F(PoolMemory, CountsInMemGetInfo) {
  Stream stream;
  Pool pool;
  pool.keep_all();
  size_t before = 0, during = 0, after = 0, total = 0;
  MUST(cudaMemGetInfo(&before, &total));
  char* address = take(pool, 256 * MiB, stream);
  MUST(cudaMemGetInfo(&during, &total));
  MUST(cudaFreeAsync(address, stream));
  MUST(cudaStreamSynchronize(stream));
  MUST(cudaMemGetInfo(&after, &total));
  // To the next 32 MiB: other programs on the same GPU take and give some meanwhile.
  const auto steps = [](size_t bytes) { return (bytes + 16 * MiB) / (32 * MiB); };
  ASK_FACT("free memory lost to the pool, in steps of 32 MiB", 8, steps(before - during));
  ASK_FACT("free memory lost after the free, in steps of 32 MiB", 8, steps(before - after));
}

TEST_F(PoolMemory, ManyStreamsKeepTheirData) {
  Pool pool;
  std::vector<std::unique_ptr<Stream>> streams;
  for (int i = 0; i < 8; ++i) streams.push_back(std::make_unique<Stream>(cudaStreamNonBlocking));
  PinnedArray<int> seen(8 * 40);
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 8; ++i) {
      int* cells = reinterpret_cast<int*>(take(pool, 1000 + 5000 * (round % 7), *streams[i]));
      store<<<1, 1, 0, *streams[i]>>>(cells, round * 8 + i);
      MUST(cudaMemcpyAsync(&seen[round * 8 + i], cells, 4, cudaMemcpyDefault, *streams[i]));
      MUST(cudaFreeAsync(cells, *streams[i]));
    }
  }
  MUST(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < 8 * 40; ++i) wrong += seen[i] != i;
  ASK_VALUE(0, wrong);
}

TEST_F(PoolMemory, OfThePerDeviceDefaultIsReadBySynchronousCopies) {
  int* cells = nullptr;
  MUST(cudaMallocAsync(reinterpret_cast<void**>(&cells), 400, nullptr));
  store<<<1, 1>>>(cells, 11);
  ASK_VALUE(11, read_int(cells));
  MUST(cudaFree(cells));
}

TEST_F(PoolMemory, OfHostPools) {
  cudaMemPoolProps props = pool_props();
  props.location.type = cudaMemLocationTypeHost;
  props.location.id = 0;
  cudaMemPool_t pool = nullptr;
  MUST(cudaMemPoolCreate(&pool, &props));
  cudaMemAccessDesc access{};
  access.location = device_location();
  access.flags = cudaMemAccessFlagsProtReadWrite;
  MUST(cudaMemPoolSetAccess(pool, &access, 1));
  Stream stream;
  int* cells = nullptr;
  MUST(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&cells), 400, pool, stream));
  MUST(cudaStreamSynchronize(stream));
  cells[0] = 5;
  add_one<<<1, 1, 0, stream>>>(cells);
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(6, cells[0]);
  cudaPointerAttributes attributes{};
  MUST(cudaPointerGetAttributes(&attributes, cells));
  ASK_VALUE(cudaMemoryTypeHost, attributes.type);
  FACT("device of host pool memory", attributes.device);
  MUST(cudaFreeAsync(cells, stream));
  ASK(cudaSuccess, cudaMemPoolDestroy(pool));
}
