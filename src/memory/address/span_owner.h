// The interface of allocators that manage whole spans: pools, graph memory and virtual memory.
//
// Thread safety: all calls may be made from any thread. Owners are never destroyed, so a pointer read from a span stays
// valid; the owner itself checks whether the span still belongs to it.
#pragma once

#include <driver_types.h>

#include "exec/progress.h"
#include "memory/address/address_map.h"
#include "memory/address/address_window.h"
#include "memory/address/history.h"

namespace reprise_runtime::memory {

class SpanOwner {
 public:
  // The allocation around the address; of kind `dead` if there is none.
  virtual Range find(std::uintptr_t address) = 0;

  // For reports of faults: the allocation at the address or the last one before it, live or freed; its size is 0 if
  // none is known.
  virtual AllocationEvent latest_at_or_before(std::uintptr_t) { return {}; }

  // Frees the allocation that starts at the address. Its memory may be in use until the marker is reached.
  [[nodiscard]] virtual cudaError_t free(void* address, const exec::Marker& in_use_until) = 0;

  // Whether work may use adjoining allocations as one.
  virtual bool joins_ranges() const { return false; }

 protected:
  ~SpanOwner() = default;
};

// The owner of the span around an address, or null.
inline SpanOwner* owner_of(const void* address) {
  const Span* span = AddressWindow::instance().find(address);
  return span ? span->owner.load(std::memory_order_acquire) : nullptr;
}

}  // namespace reprise_runtime::memory
