// Checks the memory that a copy or a set uses.
#pragma once

#include <driver_types.h>

#include "memory/address/address_map.h"
#include "memory/copy/box.h"

namespace reprise_runtime::op {

enum class Side { any, device };
enum class Use { source, destination };

// Checks that all bytes of `extent` at `place` are memory that allows the use, and the device's if `side` says so.
cudaError_t check_memory(const memory::Place& place, const memory::Extent& extent, Side side, Use use,
                         memory::MemoryKind& kind);

}  // namespace reprise_runtime::op
