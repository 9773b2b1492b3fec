#pragma once

#include "memory/range.h"

#include <reprise/graph.h>

namespace reprise {

// Throws where a copy in `graph` uses plain host memory that no one promised to keep: replays would use it after it is gone.
void check_host_memory(GraphRef graph, const RangeSet& promised);

}  // namespace reprise
