// Puts sections that a single thread of each block, row or warp runs into regions of their own.
//
//   for each thread:                            for each thread:   copy(t)
//     copy(t)                                   for threadIdx.x 0: edge(t)
//     if (threadIdx.x == 0) edge(t)      ->     for each thread:   rest(t)
//     rest(t)
//
// Loops over all threads then contain no condition that prevents vectorisation, and the others run once. Implemented by
// region_end builtins, at which regions end but no thread waits.
#pragma once

#include "threads/uniformity.h"

namespace reprise_compiler::device {

// For sections that all threads of the block, or of a warp, reach together.
void isolate_single_thread_sections(llvm::Function& body, Level level);

}  // namespace reprise_compiler::device
