// The measured times of graph nodes, while there is a trace.
// Thread safety: may be called from any thread.
#pragma once

#include <cstdint>
#include <map>

namespace reprise_runtime::diagnose {

// The mean time in nanoseconds of each node that has run, by its handle.
std::map<uint64_t, double> node_times();

}  // namespace reprise_runtime::diagnose
