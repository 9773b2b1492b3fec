// Who knows what is in a span of addresses that is cut in a way of its own: a pool, or the memory of graphs.
//
// Thread safety: all calls, from anywhere. Owners are never destroyed, so one read from a span stays good; whether the
// span is still its own it finds out for itself.
#pragma once

#include <driver_types.h>

#include "exec/progress.h"
#include "memory/address/address_map.h"
#include "memory/address/address_window.h"

namespace reprise_runtime::memory {

class SpanOwner {
 public:
  // What is at the address: of kind `dead` where nothing is allocated.
  virtual Range find(std::uintptr_t address) = 0;

  // Frees what starts at the address. Its memory may be in use until the marker is reached.
  [[nodiscard]] virtual cudaError_t free(void* address, const exec::Marker& in_use_until) = 0;

 protected:
  ~SpanOwner() = default;
};

// Null for addresses that have none.
inline SpanOwner* owner_of(const void* address) {
  const Span* span = AddressWindow::instance().find(address);
  return span ? span->owner.load(std::memory_order_acquire) : nullptr;
}

}  // namespace reprise_runtime::memory
