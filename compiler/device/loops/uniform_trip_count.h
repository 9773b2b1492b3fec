// Grid-stride loops, made the same length for all threads of the block.
//
//   for (i = start + tid; i < n; i += step)            for (u = 0; start + u < n; u += step)
//     work(i)                                   ->       if (start + tid + u < n) work(start + tid + u)
//
// The loop now goes on as long as the first thread has work, which it has longest, so that loops/thread_interchange.h
// can put the threads inside. Counted in 64 bits: only an index that wraps around in 32, which no end of such a loop
// survives, could tell the difference. For the lanes of a warp the turns in which the last lane has work come first, in
// a loop that asks no lane: of vectors without masks.
#pragma once

#include "threads/uniformity.h"

namespace reprise_compiler::device {

// For all threads of the block, or for the lanes of each warp.
void even_out_loops(llvm::Function& body, Level level);

}  // namespace reprise_compiler::device
