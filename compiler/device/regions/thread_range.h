// Turns the condition under which a thread has work in a region into bounds of the loop over threads.
//
//   for (x = 0; x < blockDim.x; ++x)                  first = max(0, 1 - row), end = min(blockDim.x, n - row)
//     if (row + x >= 1 && row + x < n) { work }  ->   for (x = first; x < end; ++x) { work }
//
// A loop without a condition is vectorised without masks, and threadIdx.x == 0 becomes a loop of one iteration.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "regions/region_graph.h"

namespace reprise_compiler::device {

struct ThreadRange {
  llvm::Value *first, *end;  // of threadIdx.x, 64 bits; empty if first >= end
  bool is_local;  // bounded by the thread's position in the block, independently of the block's position in the grid
};

// The threads of a loop: a row of a block, or the lanes of a warp. All values have 64 bits.
struct ThreadRow {
  llvm::Value *x, *number;  // threadIdx.x and thread number of the first thread
  llvm::Value* lane;        // lane of the first thread; null if the row has several warps
  llvm::Value* length;
};

// `builder` inserts code that runs once per row of threads. Removes from the region the conditions that became bounds.
// Lanes of a warp get bounds only for a single lane; other lane loops keep 32 iterations, which vectorise.
ThreadRange narrow_to_active_threads(Region& region, llvm::IRBuilder<>& builder, const ThreadRow& row);

}  // namespace reprise_compiler::device
