// Sections for a few threads, apart from those for all.
//
//   for each thread:                            for each thread:   copy(t)
//     copy(t)                                   for threadIdx.x 0: edge(t)
//     if (threadIdx.x == 0) edge(t)      ->     for each thread:   rest(t)
//     rest(t)
//
// Loops for all threads then have no condition inside that stands against vectors, and the others have one turn. It is
// done by barriers that no thread has to wait at: regions end there (loops/thread_interchange.h).
#pragma once

#include "threads/uniformity.h"

namespace reprise_compiler::device {

// At places that all threads of the block reach together, or all of a warp.
void set_lone_threads_apart(llvm::Function& body, Level level);

}  // namespace reprise_compiler::device
