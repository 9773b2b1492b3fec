// Pools shared with another process: the pool as a file descriptor, its pointers as exported data.
#include "pool/pool_support.h"
#include "process/child_process.h"

using PoolSharing = Runtime;
// The second process, started by the tests of the other suite.
using PoolChild = Runtime;

// The child inherits the pool's descriptor with the same number.
static constexpr cudaMemAllocationHandleType by_descriptor = cudaMemHandleTypePosixFileDescriptor;

static int export_pool(cudaMemPool_t pool) {
  int fd = -1;
  EXPECT_EQ(cudaSuccess, cudaMemPoolExportToShareableHandle(&fd, pool, by_descriptor, 0));
  return fd;
}

TEST_F(PoolSharing, ExportArguments) {
  Pool shared(pool_props(0, by_descriptor)), own;
  int fd = -1;
  ASK(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(&fd, own, by_descriptor, 0));
  ASK(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(nullptr, shared, by_descriptor, 0));
  ASK(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(&fd, nullptr, by_descriptor, 0));
  ASK(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(&fd, shared, by_descriptor, 1));
  ASK(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(&fd, shared, cudaMemHandleTypeNone, 0));
  ASK(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(&fd, shared, cudaMemHandleTypeWin32, 0));
  ASK(cudaSuccess, cudaMemPoolExportToShareableHandle(&fd, shared, by_descriptor, 0));
  ASK_VALUE(true, fd >= 0);
  if (fd >= 0) close(fd);
}

TEST_F(PoolSharing, ImportArguments) {
  Pool shared(pool_props(0, by_descriptor));
  const int fd = export_pool(shared);
  cudaMemPool_t pool = nullptr;
  void* const handle = reinterpret_cast<void*>(static_cast<intptr_t>(fd));
  ASK(cudaErrorInvalidValue, cudaMemPoolImportFromShareableHandle(nullptr, handle, by_descriptor, 0));
  ASK(cudaErrorInvalidValue, cudaMemPoolImportFromShareableHandle(&pool, handle, by_descriptor, 1));
  ASK(cudaErrorInvalidValue, cudaMemPoolImportFromShareableHandle(&pool, handle, cudaMemHandleTypeNone, 0));
  ASK(cudaErrorUnknown,
      cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(intptr_t{-1}), by_descriptor, 0));
  ASK(cudaErrorInvalidValue,
      cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(intptr_t{0}), by_descriptor, 0));
  close(fd);
}

TEST_F(PoolSharing, ImportedIntoTheSameProcess) {
  Pool shared(pool_props(0, by_descriptor));
  const int fd = export_pool(shared);
  cudaMemPool_t pool = nullptr;
  const cudaError_t answer =
      cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(static_cast<intptr_t>(fd)), by_descriptor, 0);
  ASK_CASE("own pool imported", cudaSuccess, answer);
  close(fd);
  if (answer != cudaSuccess) return;
  Stream stream;
  int* cells = reinterpret_cast<int*>(take(shared, 4000, stream));
  store<<<1, 1, 0, stream>>>(cells, 17);
  MUST(cudaStreamSynchronize(stream));
  cudaMemPoolPtrExportData data{};
  MUST(cudaMemPoolExportPointer(&data, cells));
  void* again = nullptr;
  const cudaError_t imported = cudaMemPoolImportPointer(&again, pool, &data);
  ASK_CASE("pointer imported into the same process", cudaSuccess, imported);
  if (imported == cudaSuccess) {
    ASK_VALUE(false, again == cells);
    int value = 0;
    ASK(cudaSuccess, cudaMemcpy(&value, again, 4, cudaMemcpyDefault));
    ASK_VALUE(17, value);
    ASK(cudaSuccess, cudaFree(again));
  }
  MUST(cudaFreeAsync(cells, stream));
  ASK(cudaSuccess, cudaMemPoolDestroy(pool));
}

TEST_F(PoolSharing, PointerArguments) {
  Pool shared(pool_props(0, by_descriptor)), own;
  Stream stream;
  cudaMemPoolPtrExportData data{};
  char* cells = take(shared, 4000, stream);
  char* private_cells = take(own, 4000, stream);
  DeviceArray<int> plain(10);
  ASK(cudaErrorInvalidValue, cudaMemPoolExportPointer(nullptr, cells));
  ASK(cudaErrorInvalidValue, cudaMemPoolExportPointer(&data, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemPoolExportPointer(&data, private_cells));
  ASK(cudaErrorInvalidValue, cudaMemPoolExportPointer(&data, plain.get()));
  ASK_CASE("before the pool was exported", cudaErrorInvalidValue, cudaMemPoolExportPointer(&data, cells));
  close(export_pool(shared));
  ASK(cudaSuccess, cudaMemPoolExportPointer(&data, cells));
  ASK_CASE("inner pointer exported", cudaErrorInvalidValue, cudaMemPoolExportPointer(&data, cells + 512));
  void* address = nullptr;
  ASK(cudaErrorInvalidValue, cudaMemPoolImportPointer(&address, own, &data));
  ASK(cudaErrorInvalidValue, cudaMemPoolImportPointer(&address, nullptr, &data));
  MUST(cudaFreeAsync(cells, stream));
  MUST(cudaFreeAsync(private_cells, stream));
}

TEST_F(PoolSharing, AnotherProcessReadsAndWrites) {
  Pool pool(pool_props(0, by_descriptor));
  Stream stream;
  take(pool, 700, stream);
  int* cells = reinterpret_cast<int*>(take(pool, 5 * MiB, stream));
  store<<<1, 1, 0, stream>>>(cells + MiB, 41);
  MUST(cudaStreamSynchronize(stream));
  const int fd = export_pool(pool);
  const int inherited = dup(fd);  // without close-on-exec
  cudaMemPoolPtrExportData data{};
  MUST(cudaMemPoolExportPointer(&data, cells));
  ChildProcess child("PoolChild.DISABLED_Adds", {"CONFORMANCE_FD=" + std::to_string(inherited),
                                                 "CONFORMANCE_HANDLE=" + as_text(&data, sizeof data)});
  ASK_VALUE(0, child.status());
  int value = 0;
  MUST(cudaMemcpy(&value, cells + MiB, 4, cudaMemcpyDefault));
  ASK_VALUE(42, value);
  close(fd);
  close(inherited);
  MUST(cudaFreeAsync(cells, stream));
}

TEST_F(PoolChild, DISABLED_Adds) {
  const char* number = std::getenv("CONFORMANCE_FD");
  ASSERT_TRUE(number != nullptr);
  cudaMemPool_t pool = nullptr;
  MUST(cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(intptr_t{std::atoi(number)}), by_descriptor,
                                            0));
  cudaMemPoolPtrExportData data{};
  from_text(std::getenv("CONFORMANCE_HANDLE"), &data, sizeof data);
  int* cells = nullptr;
  MUST(cudaMemPoolImportPointer(reinterpret_cast<void**>(&cells), pool, &data));
  int value = 0;
  MUST(cudaMemcpy(&value, cells + MiB, 4, cudaMemcpyDefault));
  ASK_VALUE(41, value);
  add_one<<<1, 1>>>(cells + MiB);
  MUST(cudaDeviceSynchronize());
  cudaPointerAttributes attributes{};
  MUST(cudaPointerGetAttributes(&attributes, cells));
  ASK_VALUE(cudaMemoryTypeDevice, attributes.type);
  void* other = nullptr;
  ASK_CASE("imported twice", cudaSuccess, cudaMemPoolImportPointer(&other, pool, &data));
  ASK_FACT("second import has the same address", true, other == cells);
  Stream stream;
  void* made = nullptr;
  ASK(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&made, 100, pool, stream));
  ASK(cudaErrorInvalidValue, cudaDeviceSetMemPool(0, pool));
  unsigned long long figure = 0;
  ASK(cudaErrorInvalidValue, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &figure));
  ASK(cudaErrorInvalidValue, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &figure));
  int fd = -1;
  ASK_CASE("imported pool exported", cudaErrorInvalidValue,
           cudaMemPoolExportToShareableHandle(&fd, pool, by_descriptor, 0));
  ASK_CASE("imported pointer exported", cudaErrorInvalidValue, cudaMemPoolExportPointer(&data, cells));
  ASK_CASE("imported pointer freed", cudaSuccess, cudaFreeAsync(cells, stream));
  if (other && other != cells) ASK_CASE("the second freed", cudaSuccess, cudaFreeAsync(other, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaErrorInvalidValue, cudaFree(cells));
  ASK(cudaSuccess, cudaMemPoolDestroy(pool));
}
