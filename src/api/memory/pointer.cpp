// Attributes of a pointer.
#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "memory/address/address_map.h"

using namespace reprise_runtime;
using memory::MemoryKind;

namespace {

cudaPointerAttributes describe(void* address) {
  const memory::Range range = memory::lookup(address);
  // As on an H200, a mapping without access is device memory without an address for devices.
  if (range.protection == memory::Protection::no_access) {
    return {cudaMemoryTypeDevice, range.device, nullptr, nullptr, {}};
  }
  switch (range.kind) {
    case MemoryKind::device:
    case MemoryKind::imported:
      return {cudaMemoryTypeDevice, range.device, address, nullptr, {}};
    // One copy of each variable serves all devices.
    case MemoryKind::variable:
      return {cudaMemoryTypeDevice, current_device(), address, nullptr, {}};
    case MemoryKind::pinned:
    case MemoryKind::registered:
      return {cudaMemoryTypeHost, range.device, address, address, {}};
    case MemoryKind::managed:
      return {cudaMemoryTypeManaged, range.device, address, address, {}};
    case MemoryKind::pageable:
    case MemoryKind::graph:
    case MemoryKind::dead:
      break;
  }
  return {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address, {}};
}

}  // namespace

extern "C" {

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* ptr) {
  return api::entry_always(
      [&] {
        if (cudaError_t status = api::check_output(attributes); status != cudaSuccess) return status;
        *attributes = describe(const_cast<void*>(ptr));
        return cudaSuccess;
      },
      ARGUMENTS(attributes, ptr));
}
}
