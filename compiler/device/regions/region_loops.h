// Wraps each region in a loop over the threads of the block, or over the lanes of a warp.
//
//   prologue -> enter -> ... -> next
//                            |
//                            v
//   prologue -> for z -> for y -> for x { enter -> ... } -> next
//
// The innermost loop is annotated as free of loop-carried dependences: threads do not depend on each other between two
// barriers.
#pragma once

#include "regions/region_graph.h"

namespace reprise_compiler::device {

struct RowLength {
  bool may_be_short;  // the kernel uses threadIdx.y, so its blocks are rarely wider than a few vectors
  bool may_be_known;  // at compile time, with few iterations
};
void wrap_in_thread_loop(RegionGraph& graph, Region& region, RowLength length);

// Loops around a region with warp operations: for z, for y, for each warp of the row, in blocks whose x size is a
// multiple of 32.
struct WarpLoop {
  RegionGraph::Scope scope;         // the code of one warp
  llvm::Value *x, *y, *z, *number;  // indices of the warp's first thread, 64 bits
};
WarpLoop wrap_in_warp_loop(RegionGraph& graph, Region& region);
void wrap_in_lane_loop(RegionGraph& graph, Region& region, const WarpLoop& warp);
// Gives nodes of a warp's code the indices of its first thread.
void set_node_indices(const RegionGraph& graph, const WarpLoop& warp);

// does_nothing(): the region has no side effects. bypass() removes such a region.
bool does_nothing(const Region& region);
void bypass(RegionGraph& graph, Region& region);

}  // namespace reprise_compiler::device
