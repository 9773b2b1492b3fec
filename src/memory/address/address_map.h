// Looks up an address: the allocation around it, its kind and its device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/address/span.h"

namespace reprise_runtime::memory {

// What devices may do with the memory. Only mappings of virtual memory can have less than all access.
enum class Protection : std::uint8_t { read_write, read_only, no_access };

struct Range {
  std::uintptr_t base = 0;
  std::size_t size = 0;  // the requested size; 0 for pageable and dead addresses
  MemoryKind kind = MemoryKind::pageable;
  std::uint8_t flags = 0;
  int device = 0;
  Protection protection = Protection::read_write;

  // Whether `bytes` from `address`, which is in the range, stay inside it.
  bool holds(const void* address, std::size_t bytes) const {
    return bytes <= size && reinterpret_cast<std::uintptr_t>(address) - base <= size - bytes;
  }
  // Kernels and copies may treat it as device memory.
  bool device_side() const { return kind != MemoryKind::pageable && kind != MemoryKind::dead; }
};

// As range.holds(), but several mappings of virtual memory that adjoin and have the same access count as one.
bool hold_together(const Range& range, const void* address, std::size_t bytes);

// Accepts any bit pattern, from any thread, and takes no lock. About 5 ns.
Range lookup(const void* address);

}  // namespace reprise_runtime::memory
