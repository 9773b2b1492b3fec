// Device variables in the map of addresses: copies and pointer queries take them for device memory.
#pragma once

#include "memory/foreign_ranges.h"

namespace reprise::memory {

inline void add_variable(void* address, std::size_t size, bool managed) {
  if (size == 0) return;
  const MemoryKind kind = managed ? MemoryKind::managed : MemoryKind::variable;
  ForeignRanges::instance().add({reinterpret_cast<std::uintptr_t>(address), size, kind, 0, 0});
}

inline void remove_variable(void* address) {
  ForeignRanges& ranges = ForeignRanges::instance();
  if (ranges.remove(address, MemoryKind::variable).size == 0) ranges.remove(address, MemoryKind::managed);
}

}  // namespace reprise::memory
