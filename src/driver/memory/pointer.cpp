// What is known about a pointer.
#include <cuda_runtime_api.h>

#include "driver/entry/entry.h"
#include "memory/address/address_map.h"
#include "memory/virtual/virtual_memory.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::Context;
using driver::pointer;

namespace {

cudaError_t range_of(CUdeviceptr* base, size_t* size, CUdeviceptr address) {
  const memory::Range range = memory::lookup(pointer(address));
  if (memory::owner_of(pointer(address)) == &memory::VirtualMemory::instance() &&
      (range.size == 0 || range.protection == memory::Protection::no_access)) {
    return refuse(cudaErrorSymbolNotFound, "%p is reserved, but not mapped with access", pointer(address));
  }
  if (range.size == 0) return refuse(cudaErrorSymbolNotFound, "%p is not memory of the device", pointer(address));
  if (base) *base = range.base;
  if (size) *size = range.size;
  return cudaSuccess;
}

// Stores a value of the attribute's own type.
template <class T>
cudaError_t store(void* out, T value) {
  *static_cast<T*>(out) = value;
  return cudaSuccess;
}

Context& context_of(const memory::Range& range) {
  Context* owner = Context::owner_of(reinterpret_cast<const void*>(range.base));
  return owner ? *owner : Context::primary_of(range.device);
}

// What is different for mapped memory, which belongs to no context; cudaErrorNotSupported for the rest.
cudaError_t attribute_of_mapping(void* out, CUpointer_attribute which,
                                 const memory::VirtualMemory::MappingInfo& mapping) {
  switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return store<CUcontext>(out, nullptr);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return store<CUdeviceptr>(out, mapping.reservation);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return store<size_t>(out, mapping.reservation_bytes);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return store<unsigned long long>(out, mapping.memory->properties().handle_types);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return store<unsigned>(out, static_cast<unsigned>(mapping.access));
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return store<unsigned>(out, 0);
    default:
      return cudaErrorNotSupported;
  }
}

cudaError_t attribute(void* out, CUpointer_attribute which, CUdeviceptr address) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  const memory::Range range = memory::lookup(pointer(address));
  cudaPointerAttributes known{};
  if (cudaError_t status = cudaPointerGetAttributes(&known, pointer(address)); status != cudaSuccess) return status;
  const bool managed = known.type == cudaMemoryTypeManaged;
  if (range.size == 0) return refuse(cudaErrorInvalidValue, "%p is not memory of the device", pointer(address));
  if (const auto mapping = memory::VirtualMemory::instance().mapping_around(pointer(address))) {
    const cudaError_t told = attribute_of_mapping(out, which, *mapping);
    if (told != cudaErrorNotSupported) return told;
  }
  switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return store<CUcontext>(out, context_of(range).handle());
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return store<unsigned>(out, known.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return store<CUdeviceptr>(out, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      store<void*>(out, nullptr);
      if (!known.hostPointer) return refuse(cudaErrorInvalidValue, "the host has no address for device memory");
      return store<void*>(out, known.hostPointer);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return store<unsigned char>(out, known.type != cudaMemoryTypeHost);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return store<unsigned char>(out, known.type == cudaMemoryTypeDevice);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return store<unsigned char>(out, 1);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return store<unsigned long long>(out, 0);
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return store<unsigned char>(out, 0);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return store<CUmemoryPool>(out, nullptr);
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return store<unsigned long long>(out, range.base);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return store<unsigned char>(out, managed);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return store<int>(out, known.device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      return store<CUdeviceptr>(out, range.base);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
      return store<size_t>(out, range.size);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return store<unsigned>(out, CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE);
    default:
      return refuse(cudaErrorNotSupported, "attribute %d of pointers is not supported", static_cast<int>(which));
  }
}

// What an attribute is for a pointer of which nothing is known.
void store_unknown(void* out, CUpointer_attribute which) {
  switch (which) {
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      store<int>(out, -2);
      break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      store<unsigned>(out, 0);
      break;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      store<unsigned char>(out, 0);
      break;
    default:
      store<void*>(out, nullptr);
  }
}

// Several attributes at once. Unlike a single one, an attribute that the pointer does not have is no error.
cudaError_t attributes(unsigned count, const CUpointer_attribute* which, void** out, CUdeviceptr address) {
  if (count == 0 || !which || !out) return refuse(cudaErrorInvalidValue, "there is nothing to ask for");
  for (unsigned i = 0; i < count; ++i) {
    if (!out[i]) return refuse(cudaErrorInvalidValue, "output pointer %u is null", i);
    store_unknown(out[i], which[i]);
    if (cudaError_t status = attribute(out[i], which[i], address); status == cudaErrorNotSupported) return status;
  }
  return cudaSuccess;
}

}  // namespace

extern "C" {

CUresult cuMemGetAddressRange(CUdeviceptr* pbase, size_t* psize, CUdeviceptr dptr) {
  return driver::entry([&] { return range_of(pbase, psize, dptr); }, ARGUMENTS(pbase, psize, dptr));
}

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute_, CUdeviceptr ptr) {
  return driver::entry_initialised([&] { return attribute(data, attribute_, ptr); }, ARGUMENTS(data, attribute_, ptr));
}

CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute* attributes_, void** data,
                                CUdeviceptr ptr) {
  return driver::entry_initialised([&] { return attributes(numAttributes, attributes_, data, ptr); },
                                   ARGUMENTS(numAttributes, attributes_, data, ptr));
}
}
