// Whether memory is what a copy or a fill takes it for.
#pragma once

#include <driver_types.h>

#include "memory/address/address_map.h"
#include "memory/copy/box.h"

namespace reprise_runtime::op {

enum class Side { any, device };

// All bytes of `extent` at `place` are memory, of the device's if `side` says so. `name` is what the log calls it:
// "destination".
cudaError_t check_memory(const memory::Place& place, const memory::Extent& extent, Side side, const char* name,
                         memory::MemoryKind& kind);

}  // namespace reprise_runtime::op
