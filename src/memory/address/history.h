// The latest allocations and frees, for reports of faults: where memory was allocated, and memory that was freed. Pools
// and graph memory keep their own records; see span_owner.h.
//
// Thread safety: all functions may be called from any thread. An event is an atomic addition and five stores. Readers
// skip events that are being overwritten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "memory/address/memory_kind.h"

namespace reprise_runtime::memory {

struct AllocationEvent {
  std::uintptr_t base = 0;
  std::size_t bytes = 0;
  const void* caller = nullptr;  // a return address in the program
  MemoryKind kind = MemoryKind::dead;
  bool freed = false;  // the event is a free
};

// The caller is that of the thread's latest entry point; see base/user_call.h.
void note_allocated(const void* address, std::size_t bytes, MemoryKind kind);
void note_freed(const void* address, std::size_t bytes, MemoryKind kind);

// The latest event of memory that holds the address, if it is remembered.
std::optional<AllocationEvent> latest_event_around(const void* address);
// The latest event of memory that ends at most `reach` bytes before the address, and nearest to it.
std::optional<AllocationEvent> latest_event_before(const void* address, std::size_t reach);

}  // namespace reprise_runtime::memory
