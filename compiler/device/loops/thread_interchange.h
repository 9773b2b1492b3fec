// Loops in the order of memory: where all threads go through a loop together, the loop over threads goes inside.
//
//   for each thread:                            for k:
//     for k:                              ->      for each thread:
//       sum += a[k] * b[k * n + column]             sum[t] += a[k] * b[k * n + column]
//
// Threads that follow each other read words that follow each other, and the inner loop is one that LLVM vectorises. It
// is done by a barrier that no thread has to wait at: regions end there.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "threads/uniformity.h"

namespace reprise_compiler::device {

// Of loops that all threads of a block go through together, or those of a warp.
void put_threads_innermost(llvm::Function& body, Level level);

// Whether that would be worth it for this one, since neighbouring threads use neighbouring words in it.
bool runs_along_threads(llvm::Loop& loop, llvm::Function& body, Level level);

}  // namespace reprise_compiler::device
