// Virtual memory management through the driver API.
#include <fcntl.h>

#include "driver_support.h"

namespace {

constexpr size_t granule = size_t{2} << 20;

__global__ void add_index(int* values, size_t count) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < count) values[i] += static_cast<int>(i);
}

CUmemAllocationProp on_device() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  return properties;
}

CUmemAccessDesc access(CUmemAccess_flags flags) {
  CUmemAccessDesc description{};
  description.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  description.flags = flags;
  return description;
}

const CUmemAccessDesc read_write = access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE),
                      read_only = access(CU_MEM_ACCESS_FLAGS_PROT_READ),
                      no_access = access(CU_MEM_ACCESS_FLAGS_PROT_NONE);

int* as_int(CUdeviceptr address) { return reinterpret_cast<int*>(address); }

class VirtualMemory : public Runtime {
 protected:
  void SetUp() override {
    Runtime::SetUp();
    MUST_DRIVER(cuMemAddressReserve(&base, 8 * granule, 0, 0, 0));
  }
  void TearDown() override {
    (void)cuMemUnmap(base, 8 * granule);
    (void)cuMemAddressFree(base, 8 * granule);
    Runtime::TearDown();
  }
  CUmemGenericAllocationHandle create(size_t bytes) {
    CUmemGenericAllocationHandle made = 0;
    EXPECT_EQ(CUDA_SUCCESS, cuMemCreate(&made, bytes, &properties, 0));
    return made;
  }
  // Memory that only the mapping holds.
  void map_new(CUdeviceptr address, size_t bytes) {
    const auto handle = create(bytes);
    EXPECT_EQ(CUDA_SUCCESS, cuMemMap(address, bytes, 0, handle, 0));
    EXPECT_EQ(CUDA_SUCCESS, cuMemSetAccess(address, bytes, &read_write, 1));
    EXPECT_EQ(CUDA_SUCCESS, cuMemRelease(handle));
  }

  CUdeviceptr base = 0;
  CUmemAllocationProp properties = on_device();
};

}  // namespace

TEST_F(VirtualMemory, HasAGranularityOf2MiB) {
  size_t bytes = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  ASK_VALUE(granule, bytes);
  ASK_DRIVER(CUDA_SUCCESS, cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  ASK_VALUE(granule, bytes);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE,
             cuMemGetAllocationGranularity(&bytes, &properties, static_cast<CUmemAllocationGranularity_flags>(7)));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE,
             cuMemGetAllocationGranularity(nullptr, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE,
             cuMemGetAllocationGranularity(&bytes, nullptr, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
}

TEST_F(VirtualMemory, ReservationsHaveWholeGranules) {
  CUdeviceptr address = 0;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, granule - 1, 0, 0, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, 0, 0, 0, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, granule, 3 * granule, 0, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, granule, 0, base + 1, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, granule, 0, 0, 1));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(nullptr, granule, 0, 0, 0));
  ASK_DRIVER(CUDA_ERROR_OUT_OF_MEMORY, cuMemAddressReserve(&address, size_t{1} << 50, 0, 0, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuMemAddressReserve(&address, granule, 8 * granule, 0, 0));
  ASK_VALUE(size_t{0}, size_t{address % (8 * granule)});
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(address, 2 * granule));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(address + 1, granule));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(address, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuMemAddressFree(address, granule));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(address, granule));
}

TEST_F(VirtualMemory, AReservationThatIsTakenIsMadeElsewhere) {
  CUdeviceptr address = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuMemAddressReserve(&address, granule, 0, base, 0));
  ASK_VALUE(false, address == base);
  MUST_DRIVER(cuMemAddressFree(address, granule));
}

TEST_F(VirtualMemory, PhysicalMemoryHasWholeGranules) {
  CUmemGenericAllocationHandle handle = 0;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, granule - 1, &properties, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, 0, &properties, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, granule, &properties, 1));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemCreate(nullptr, granule, &properties, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, granule, nullptr, 0));
  ASK_DRIVER(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&handle, size_t{1} << 50, &properties, 0));
  properties.location.id = 7;
  ASK_DRIVER(CUDA_ERROR_INVALID_DEVICE, cuMemCreate(&handle, granule, &properties, 0));
  properties = on_device();
  properties.type = CU_MEM_ALLOCATION_TYPE_INVALID;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, granule, &properties, 0));
}

TEST_F(VirtualMemory, IsMappedAsAWhole) {
  const auto one = create(granule), two = create(2 * granule);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemMap(base, granule, 0, one, 1));
  ASK_DRIVER(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(base, granule, granule, one, 0));
  ASK_DRIVER(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(base, 2 * granule, 0, one, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemMap(base + 1, granule, 0, one, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemMap(base + 8 * granule, granule, 0, one, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuMemMap(base, granule, 0, one, 0));
  ASK_DRIVER(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(base, granule, 0, two, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuMemMap(base + granule, 2 * granule, 0, two, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(base, 2 * granule));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(base, 8 * granule));
  ASK_DRIVER(CUDA_SUCCESS, cuMemUnmap(base, 8 * granule));
  ASK_DRIVER(CUDA_SUCCESS, cuMemUnmap(base, granule));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(base, 0));
  MUST_DRIVER(cuMemRelease(one));
  MUST_DRIVER(cuMemRelease(two));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemRelease(two));
}

TEST_F(VirtualMemory, IsUsedAcrossMappings) {
  map_new(base, granule);
  map_new(base + granule, 2 * granule);
  ASK_DRIVER(CUDA_SUCCESS, cuMemsetD8(base, 1, 3 * granule));
  ASK_DRIVER(CUDA_SUCCESS, cuMemcpyDtoD(base + granule, base, granule));
  int value = 0;
  ASK(cudaSuccess, cudaMemcpy(&value, as_int(base + granule - 4), sizeof value, cudaMemcpyDefault));
  ASK_VALUE(0x01010101, value);
  ASK(cudaErrorInvalidValue, cudaMemset(as_int(base), 0, 3 * granule + 1));
}

TEST_F(VirtualMemory, NeedsAccessForWork) {
  map_new(base, granule);
  unsigned long long flags = 9;
  ASK_DRIVER(CUDA_SUCCESS, cuMemGetAccess(&flags, &read_write.location, base + 5));
  ASK_VALUE(3ull, flags);
  ASK_DRIVER(CUDA_SUCCESS, cuMemSetAccess(base, granule, &no_access, 1));
  ASK_DRIVER(CUDA_SUCCESS, cuMemGetAccess(&flags, &read_write.location, base));
  ASK_VALUE(0ull, flags);
  int value = 0;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(base, 1, 4));
  ASK(cudaErrorInvalidValue, cudaMemcpy(&value, as_int(base), sizeof value, cudaMemcpyDefault));
  ASK_DRIVER(CUDA_SUCCESS, cuMemSetAccess(base, granule, &read_only, 1));
  ASK(cudaSuccess, cudaMemcpy(&value, as_int(base), sizeof value, cudaMemcpyDefault));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(base, 1, 4));
  ASK(cudaErrorInvalidValue, cudaMemcpy(as_int(base), &value, sizeof value, cudaMemcpyDefault));
}

TEST_F(VirtualMemory, AccessIsSetForWholeMappings) {
  map_new(base, granule);
  map_new(base + granule, 2 * granule);
  ASK_DRIVER(CUDA_SUCCESS, cuMemSetAccess(base, 3 * granule, &read_write, 1));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(base + granule, granule, &read_write, 1));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(base, 4 * granule, &read_write, 1));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(base, granule - 1, &read_write, 1));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(base, granule, &read_write, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(base, granule, nullptr, 1));
  CUmemAccessDesc other = read_write;
  other.location.type = CU_MEM_LOCATION_TYPE_HOST;
  ASK_DRIVER(CUDA_ERROR_NOT_SUPPORTED, cuMemSetAccess(base, granule, &other, 1));
  other = access(static_cast<CUmemAccess_flags>(2));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(base, granule, &other, 1));
  unsigned long long flags = 0;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemGetAccess(&flags, &read_write.location, base + 3 * granule));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemGetAccess(nullptr, &read_write.location, base));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemGetAccess(&flags, nullptr, base));
}

TEST_F(VirtualMemory, LivesUntilItIsReleasedAndUnmapped) {
  const auto handle = create(granule);
  MUST_DRIVER(cuMemMap(base, granule, 0, handle, 0));
  MUST_DRIVER(cuMemMap(base + 2 * granule, granule, 0, handle, 0));
  MUST_DRIVER(cuMemSetAccess(base, granule, &read_write, 1));
  MUST_DRIVER(cuMemSetAccess(base + 2 * granule, granule, &read_write, 1));
  ASK_DRIVER(CUDA_SUCCESS, cuMemRelease(handle));
  store<<<1, 1>>>(as_int(base), 7);
  int value = 0;
  ASK(cudaSuccess, cudaMemcpy(&value, as_int(base + 2 * granule), sizeof value, cudaMemcpyDefault));
  ASK_VALUE(7, value);
  CUmemGenericAllocationHandle again = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuMemRetainAllocationHandle(&again, as_int(base) + 1));
  ASK_VALUE(true, again == handle);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemRetainAllocationHandle(&again, as_int(base + granule)));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemRetainAllocationHandle(&again, nullptr));
  MUST_DRIVER(cuMemRelease(handle));
}

TEST_F(VirtualMemory, OtherCallsDoNotFreeIt) {
  map_new(base, granule);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemFree(base));
  ASK(cudaErrorInvalidValue, cudaFree(as_int(base)));
  CUipcMemHandle ipc;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&ipc, base));
}

TEST_F(VirtualMemory, PointersAreKnown) {
  const auto handle = create(granule);
  MUST_DRIVER(cuMemMap(base + granule, granule, 0, handle, 0));
  MUST_DRIVER(cuMemRelease(handle));
  cudaPointerAttributes attributes;
  ASK(cudaSuccess, cudaPointerGetAttributes(&attributes, as_int(base + granule)));
  ASK_VALUE(cudaMemoryTypeDevice, attributes.type);
  ASK_VALUE(true, attributes.devicePointer == nullptr);
  MUST_DRIVER(cuMemSetAccess(base + granule, granule, &read_write, 1));
  ASK(cudaSuccess, cudaPointerGetAttributes(&attributes, as_int(base + granule)));
  ASK_VALUE(true, attributes.devicePointer == as_int(base + granule));
  ASK(cudaSuccess, cudaPointerGetAttributes(&attributes, as_int(base)));
  ASK_VALUE(cudaMemoryTypeUnregistered, attributes.type);
  CUdeviceptr start = 0;
  size_t bytes = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuMemGetAddressRange(&start, &bytes, base + granule + 5));
  ASK_VALUE(true, start == base + granule);
  ASK_VALUE(granule, bytes);
}

TEST_F(VirtualMemory, IsSharedByDescriptors) {
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.allocFlags.gpuDirectRDMACapable = 1;
  const auto handle = create(granule);
  int descriptor = -1;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_NONE, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE,
             cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1));
  ASK_DRIVER(CUDA_SUCCESS,
             cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  CUmemGenericAllocationHandle imported = 0;
  void* const given = reinterpret_cast<void*>(static_cast<intptr_t>(descriptor));
  ASK_DRIVER(CUDA_SUCCESS, cuMemImportFromShareableHandle(&imported, given, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  ASK_VALUE(false, imported == handle);
  ASK_VALUE(true, fcntl(descriptor, F_GETFD) != -1);
  close(descriptor);
  CUmemAllocationProp told;
  ASK_DRIVER(CUDA_SUCCESS, cuMemGetAllocationPropertiesFromHandle(&told, handle));
  ASK_VALUE(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, told.requestedHandleTypes);
  ASK_VALUE(1, int{told.allocFlags.gpuDirectRDMACapable});
  ASK_DRIVER(CUDA_SUCCESS, cuMemGetAllocationPropertiesFromHandle(&told, imported));
  ASK_VALUE(CU_MEM_HANDLE_TYPE_NONE, told.requestedHandleTypes);
  ASK_VALUE(CU_MEM_LOCATION_TYPE_DEVICE, told.location.type);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE,
             cuMemExportToShareableHandle(&descriptor, imported, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  MUST_DRIVER(cuMemMap(base, granule, 0, handle, 0));
  MUST_DRIVER(cuMemMap(base + granule, granule, 0, imported, 0));
  MUST_DRIVER(cuMemSetAccess(base, 2 * granule, &read_write, 1));
  store<<<1, 1>>>(as_int(base), 5);
  int value = 0;
  ASK(cudaSuccess, cudaMemcpy(&value, as_int(base + granule), sizeof value, cudaMemcpyDefault));
  ASK_VALUE(5, value);
  MUST_DRIVER(cuMemRelease(handle));
  MUST_DRIVER(cuMemRelease(imported));
  ASK_DRIVER(CUDA_ERROR_UNKNOWN, cuMemImportFromShareableHandle(&imported, reinterpret_cast<void*>(intptr_t{-1}),
                                                                CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
}

TEST_F(VirtualMemory, ACaptureDoesNotRefuseIt) {
  Stream stream;
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  const auto handle = create(granule);
  ASK_DRIVER(CUDA_SUCCESS, cuMemMap(base, granule, 0, handle, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuMemSetAccess(base, granule, &read_write, 1));
  ASK_DRIVER(CUDA_SUCCESS, cuMemUnmap(base, granule));
  ASK_DRIVER(CUDA_SUCCESS, cuMemRelease(handle));
  cudaGraph_t graph = nullptr;
  ASK(cudaSuccess, cudaStreamEndCapture(stream, &graph));
  MUST(cudaGraphDestroy(graph));
}

// A vector that grows in place: kernels see one array.
TEST_F(VirtualMemory, AVectorGrowsInPlace) {
  constexpr size_t step = granule / sizeof(int);
  for (size_t size = step; size <= 8 * step; size += step) {
    map_new(base + (size - step) * sizeof(int), granule);
    MUST(cudaMemset(as_int(base) + size - step, 0, granule));
    add_index<<<static_cast<unsigned>((size + 255) / 256), 256>>>(as_int(base), size);
  }
  std::vector<int> values(8 * step);
  MUST(cudaMemcpy(values.data(), as_int(base), values.size() * sizeof(int), cudaMemcpyDefault));
  for (size_t i : {size_t{0}, size_t{1}, step - 1, step, 5 * step + 3, 8 * step - 1}) {
    EXPECT_EQ(static_cast<int>(i) * static_cast<int>(8 - i / step), values[i]) << i;
  }
}

// Each in a process of its own.
class StickyVirtualMemory : public VirtualMemory {
 protected:
  void TearDown() override {}
};

TEST_F(StickyVirtualMemory, AKernelNeedsAccess) {
  map_new(base, granule);
  MUST_DRIVER(cuMemSetAccess(base, granule, &read_only, 1));
  store<<<1, 1>>>(as_int(base), 1);
  ASK(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

TEST_F(StickyVirtualMemory, AKernelNeedsAMapping) {
  store<<<1, 1>>>(as_int(base), 1);
  ASK(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}
