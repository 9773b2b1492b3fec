// Interchanges loops of a kernel with the loop over threads, where all threads iterate together.
//
//   for each thread:                            for k:
//     for k:                              ->      for each thread:
//       sum += a[k] * b[k * n + column]             sum[t] += a[k] * b[k * n + column]
//
// Consecutive threads access consecutive words, and LLVM can vectorise the inner loop. Implemented by a region_end
// builtin in the loop, at which a region ends but no thread waits.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "threads/uniformity.h"

namespace reprise_compiler::device {

// For loops that all threads of a block, or of a warp, run together.
void interchange_with_thread_loop(llvm::Function& body, Level level);

// True if consecutive threads access consecutive words in the loop, so that interchange pays off.
bool benefits_from_interchange(llvm::Loop& loop, llvm::Function& body, Level level);

}  // namespace reprise_compiler::device
