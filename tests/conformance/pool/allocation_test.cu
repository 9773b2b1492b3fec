// Allocating and freeing in stream order: arguments, refusals, data.
#include "pool/pool_support.h"

namespace {

static int read_int(const void* from) {
  int value = -1;
  EXPECT_EQ(cudaSuccess, cudaMemcpy(&value, from, sizeof value, cudaMemcpyDefault));
  return value;
}

}  // namespace

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

TEST_F(PoolMemory, AllocationOfZeroBytes) {
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

TEST_F(PoolMemory, AllocationOfZeroBytesWithANullPointer) {
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
