// Memory that this process mapped from another process's pool: where each mapping came from, so that an import of the
// same allocation finds the existing mapping and a free can unmap it.
//
// Thread safety: all calls may be made from any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/address/span.h"

namespace reprise_runtime::memory {

struct ImportedMemory {
  Span* span = nullptr;           // null: the address is not imported memory
  uint64_t file = 0, offset = 0;  // place in the exporter's pool file
};

// Address of the mapping of this place, or null.
void* find_imported(uint64_t file, uint64_t offset);

// Records a new mapping of `bytes` at `address`. Returns `address`, or the existing mapping when another thread has
// imported the same place meanwhile; the new mapping is released then.
void* add_imported(void* address, std::size_t bytes, int device, const ImportedMemory& memory);

// Removes the record of the imported memory at `address`. The caller unmaps it when no work uses it any longer.
ImportedMemory forget_imported(void* address);
void unmap(const ImportedMemory& memory);

}  // namespace reprise_runtime::memory
