// Makes each region a loop over the threads of the block, or over the lanes of a warp.
//
//   prologue -> enter -> ... -> next
//                            |
//                            v
//   prologue -> for z -> for y -> for x { enter -> ... } -> next
//
// The innermost loop is declared free of dependences between its iterations: threads do not depend on each other
// between two barriers.
#pragma once

#include "regions/region_graph.h"

namespace reprise_compiler::device {

struct RowLength {
  bool may_be_short;  // a kernel that uses threadIdx.y: its blocks are rarely wider than a few vectors
  bool may_be_known;  // at compile time, and then a few steps only
};
void wrap_in_thread_loop(Skeleton& skeleton, Region& region, RowLength length);

// Around a region that has warp operations inside: for z, for y, for each warp of the row, in blocks whose x size is
// a multiple of 32.
struct WarpLoop {
  Skeleton::Scope scope;            // one warp's turn
  llvm::Value *x, *y, *z, *number;  // of the warp's first thread, 64 bits
};
WarpLoop wrap_in_warp_loop(Skeleton& skeleton, Region& region);
void wrap_in_lane_loop(Skeleton& skeleton, Region& region, const WarpLoop& warp);
// Nodes of one warp's turn see its first thread's indices.
void give_nodes_first_thread(const Skeleton& skeleton, const WarpLoop& warp);

// Only moves to other nodes: nothing that a thread would do.
bool does_nothing(const Region& region);
void bypass(Skeleton& skeleton, Region& region);

}  // namespace reprise_compiler::device
