// Virtual memory management. As on an H200, these calls need no context, and a capture does not refuse them.
#include "memory/virtual/virtual_memory.h"

#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::as_runtime;
using driver::pointer;
using memory::PhysicalMemoryProperties;
using memory::VirtualMemory;

namespace {

Handle handle_of(CUmemGenericAllocationHandle handle) { return {handle}; }

cudaError_t check_flags(unsigned long long flags) {
  return flags == 0 ? cudaSuccess : refuse(cudaErrorInvalidValue, "flags must be 0, not 0x%llx", flags);
}

// Stores a result, as another type if necessary.
template <class To, class From>
cudaError_t store(To* out, const Result<From>& result) {
  if (result.ok()) *out = static_cast<To>(*result);
  return result.status();
}
cudaError_t store(CUmemGenericAllocationHandle* out, const Result<Handle>& result) {
  if (result.ok()) *out = result->bits;
  return result.status();
}

// The output pointer must not be null and the flags 0.
template <class Out, class Call>
cudaError_t checked(const Out* out, unsigned long long flags, Call&& call) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  const cudaError_t refused = check_flags(flags);
  return refused == cudaSuccess ? call() : refused;
}

Result<PhysicalMemoryProperties> properties_of(const CUmemAllocationProp* from) {
  if (!from) return refuse(cudaErrorInvalidValue, "the properties are null");
  if (from->type != CU_MEM_ALLOCATION_TYPE_PINNED) {
    return refuse(cudaErrorInvalidValue, "the type must be CU_MEM_ALLOCATION_TYPE_PINNED, not %d",
                  static_cast<int>(from->type));
  }
  PhysicalMemoryProperties to;
  to.location = as_runtime(from->location);
  to.handle_types = static_cast<unsigned>(from->requestedHandleTypes);
  to.compression = from->allocFlags.compressionType;
  to.rdma = from->allocFlags.gpuDirectRDMACapable;
  to.usage = from->allocFlags.usage;
  return to;
}

cudaError_t create(CUmemGenericAllocationHandle* out, size_t bytes, const CUmemAllocationProp* wanted) {
  Result<PhysicalMemoryProperties> properties = properties_of(wanted);
  return properties.ok() ? store(out, memory::create_physical_memory(bytes, *properties)) : properties.status();
}

cudaError_t get_properties(CUmemAllocationProp* out, CUmemGenericAllocationHandle handle) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  Result<Ref<memory::PhysicalMemory>> found = memory::find_physical_memory(handle_of(handle));
  if (!found.ok()) return found.status();
  const PhysicalMemoryProperties& from = (*found)->properties();
  CUmemAllocationProp to{};
  to.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  to.requestedHandleTypes = static_cast<CUmemAllocationHandleType>(from.handle_types);
  to.location = {static_cast<CUmemLocationType>(from.location.type), from.location.id};
  to.allocFlags.compressionType = from.compression;
  to.allocFlags.gpuDirectRDMACapable = from.rdma;
  to.allocFlags.usage = from.usage;
  *out = to;
  return cudaSuccess;
}

// As on an H200, the granularity is the same for all properties, and these are not checked.
cudaError_t get_granularity(size_t* out, const CUmemAllocationProp* properties,
                            CUmemAllocationGranularity_flags option) {
  if (!out || !properties) return refuse(cudaErrorInvalidValue, "the properties or the output pointer are null");
  if (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM && option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
    return refuse(cudaErrorInvalidValue, "unknown option %d", static_cast<int>(option));
  }
  *out = memory::mapping_granularity;
  return cudaSuccess;
}

cudaError_t get_access(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
  if (!flags || !location) return refuse(cudaErrorInvalidValue, "the location or the output pointer is null");
  return store(flags, VirtualMemory::instance().access_of(*as_runtime(location), pointer(address)));
}

}  // namespace

extern "C" {

CUresult cuMemAddressReserve(CUdeviceptr* ptr, size_t size, size_t alignment, CUdeviceptr addr,
                             unsigned long long flags) {
  return driver::entry_initialised(
      [&] {
        return checked(ptr, flags,
                       [&] { return store(ptr, VirtualMemory::instance().reserve(size, alignment, addr)); });
      },
      ARGUMENTS(ptr, size, alignment, addr, flags));
}

CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size) {
  return driver::entry_initialised([&] { return VirtualMemory::instance().free_addresses(ptr, size); },
                                   ARGUMENTS(ptr, size));
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size, const CUmemAllocationProp* prop,
                     unsigned long long flags) {
  return driver::entry_initialised([&] { return checked(handle, flags, [&] { return create(handle, size, prop); }); },
                                   ARGUMENTS(handle, size, prop, flags));
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return driver::entry_initialised([&] { return memory::release_physical_memory(handle_of(handle)); },
                                   ARGUMENTS(handle));
}

CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  return driver::entry_initialised(
      [&] {
        const cudaError_t refused = check_flags(flags);
        return refused != cudaSuccess ? refused : VirtualMemory::instance().map(ptr, size, offset, handle_of(handle));
      },
      ARGUMENTS(ptr, size, offset, handle, flags));
}

CUresult cuMemUnmap(CUdeviceptr ptr, size_t size) {
  return driver::entry_initialised([&] { return VirtualMemory::instance().unmap(ptr, size); }, ARGUMENTS(ptr, size));
}

CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc* desc, size_t count) {
  return driver::entry_initialised(
      [&] { return VirtualMemory::instance().set_access(ptr, size, as_runtime(desc), count); },
      ARGUMENTS(ptr, size, desc, count));
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr ptr) {
  return driver::entry_initialised([&] { return get_access(flags, location, ptr); }, ARGUMENTS(flags, location, ptr));
}

CUresult cuMemExportToShareableHandle(void* shareableHandle, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType handleType, unsigned long long flags) {
  return driver::entry_initialised(
      [&] {
        return checked(static_cast<int*>(shareableHandle), flags, [&] {
          return memory::export_physical_memory(static_cast<int*>(shareableHandle), handle_of(handle),
                                                static_cast<unsigned>(handleType));
        });
      },
      ARGUMENTS(shareableHandle, handle, handleType, flags));
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* osHandle,
                                        CUmemAllocationHandleType shHandleType) {
  return driver::entry_initialised(
      [&] {
        return checked(handle, 0, [&] {
          const auto descriptor = static_cast<int>(reinterpret_cast<intptr_t>(osHandle));
          return store(handle, memory::import_physical_memory(descriptor, static_cast<unsigned>(shHandleType)));
        });
      },
      ARGUMENTS(handle, osHandle, shHandleType));
}

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* prop,
                                       CUmemAllocationGranularity_flags option) {
  return driver::entry_initialised([&] { return get_granularity(granularity, prop, option); },
                                   ARGUMENTS(granularity, prop, option));
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* prop, CUmemGenericAllocationHandle handle) {
  return driver::entry_initialised([&] { return get_properties(prop, handle); }, ARGUMENTS(prop, handle));
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* addr) {
  return driver::entry_initialised(
      [&] { return checked(handle, 0, [&] { return store(handle, VirtualMemory::instance().retain_mapped(addr)); }); },
      ARGUMENTS(handle, addr));
}
}
