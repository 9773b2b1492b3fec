// Describes a fault of a kernel on stderr and in the log: the kernel with its arguments, the block and the thread, the
// address and the allocation near it, the line of device code, the place of the launch, and the node of a graph.
// REPRISE_FAULTS=log keeps it off stderr.
//
// Thread safety: every function may be called from any thread. One fault is described for each device.
#pragma once

namespace reprise_runtime::graph {

// From now on faults are described. Costs nothing until one happens.
void report_faults();

}  // namespace reprise_runtime::graph
