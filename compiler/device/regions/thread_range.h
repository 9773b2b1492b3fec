// Turns the condition under which a thread works at all into the bounds of the loop over threads.
//
//   for (x = 0; x < blockDim.x; ++x)                  first = max(0, 1 - row), end = min(blockDim.x, n - row)
//     if (row + x >= 1 && row + x < n) { work }  ->   for (x = first; x < end; ++x) { work }
//
// A loop without a condition inside vectorises without masks, and threadIdx.x == 0 becomes a loop of one turn.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "regions/region_graph.h"

namespace reprise_compiler::device {

struct ThreadRange {
  llvm::Value *first, *end;  // of threadIdx.x, 64 bits; empty where first >= end
  bool is_local;             // bounded by the thread's place in the block, not by where the block is in the grid
};

// The threads of a loop: a row of a block, or the lanes of a warp. All 64 bits.
struct ThreadRow {
  llvm::Value *x, *number;  // of the first thread
  llvm::Value* lane;        // likewise; null where the row has several warps
  llvm::Value* length;
};

// `row` builds code that runs once for each row of threads, where no thread is known. Takes what became a bound out of
// the region. Bounds of a warp are only made for single lanes: other loops stay 32 long, for vectors.
ThreadRange narrow_to_working_threads(Region& region, llvm::IRBuilder<>& builder, const ThreadRow& row);

}  // namespace reprise_compiler::device
