#include "memory/address/host_registration.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "diagnose/refuse.h"
#include "memory/address/address_map.h"
#include "memory/address/foreign_ranges.h"

namespace reprise_runtime::memory {

using diagnose::refuse;

bool is_mapped(const void* address, std::size_t bytes) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  if (bytes == 0 || start + bytes < start) return false;
  std::uintptr_t at = start & ~(page - 1);
  const std::uintptr_t end = (start + bytes + page - 1) & ~(page - 1);
  if (end <= at) return false;
  constexpr std::size_t pages_at_once = 1024;
  unsigned char residence[pages_at_once];
  while (at < end) {
    const std::size_t length = std::min<std::size_t>(end - at, pages_at_once * page);
    if (mincore(reinterpret_cast<void*>(at), length, residence) != 0) return false;
    at += length;
  }
  return true;
}

cudaError_t register_host(void* address, std::size_t bytes, unsigned flags, int device) {
  constexpr unsigned known =
      cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
  if (!address || bytes == 0)
    return refuse(cudaErrorInvalidValue, "%zu bytes at %p: the size must not be 0, nor the pointer null", bytes,
                  address);
  if (flags & ~known) return refuse(cudaErrorInvalidValue, "unknown flags 0x%x", flags & ~known);
  if (flags & cudaHostRegisterIoMemory) return refuse(cudaErrorNotSupported, "a CPU device has no I/O memory");
  const MemoryKind kind = lookup(address).kind;
  if (kind == MemoryKind::registered) {
    return refuse(cudaErrorHostMemoryAlreadyRegistered, "%p is registered already", address);
  }
  if (kind != MemoryKind::pageable)
    return refuse(cudaErrorInvalidValue, "%p is %s; only memory that the program allocated itself can be registered",
                  address, describe(kind));
  if (!is_mapped(address, bytes)) {
    return refuse(cudaErrorInvalidValue, "not all of the %zu bytes at %p are mapped in this process", bytes, address);
  }
  const ForeignRange range{reinterpret_cast<std::uintptr_t>(address), bytes, MemoryKind::registered,
                           static_cast<std::uint8_t>(flags), static_cast<std::int16_t>(device)};
  if (!ForeignRanges::instance().add(range)) {
    return refuse(cudaErrorHostMemoryAlreadyRegistered, "part of the %zu bytes at %p is registered already", bytes,
                  address);
  }
  return cudaSuccess;
}

cudaError_t unregister_host(void* address) {
  if (!address) return refuse(cudaErrorInvalidValue, "the pointer is null");
  if (ForeignRanges::instance().remove(address, MemoryKind::registered).size) return cudaSuccess;
  const Range range = lookup(address);
  switch (range.kind) {
    case MemoryKind::registered:
      return refuse(cudaErrorInvalidValue, "%p is inside a registered range that starts at %p", address,
                    reinterpret_cast<void*>(range.base));
    case MemoryKind::pageable:
      return refuse(cudaErrorHostMemoryNotRegistered, "%p was not registered", address);
    default:
      return refuse(cudaErrorInvalidValue, "%p is memory that CUDA allocated: free it instead", address);
  }
}

void unregister_all(int device) { ForeignRanges::instance().remove_all(MemoryKind::registered, device); }

}  // namespace reprise_runtime::memory
