// Gives grid-stride loops a uniform trip count.
//
//   for (i = start + tid; i < n; i += step)            for (u = 0; start + u < n; u += step)
//     work(i)                                   ->       if (start + tid + u < n) work(start + tid + u)
//
// The loop now runs as long as the first thread has work, which has the most, and the condition moves inside. Then
// loops/thread_interchange.h can interchange it with the loop over threads. It counts in 64 bits; only an index that
// wraps in 32 bits would differ, and such a loop would not end.
//
// For the lanes of a warp the full iterations, in which the last lane has work too, come first in a loop of their own
// without the condition:
//
//   for (; start + 31 + u < n; u += step) work(start + lane + u)                          no masks
//   for (; start + u < n; u += step) if (start + lane + u < n) work(start + lane + u)     the rest
#pragma once

#include "threads/uniformity.h"

namespace reprise_compiler::device {

// `level` selects threads of the block or lanes of each warp.
void make_trip_counts_uniform(llvm::Function& body, Level level);

}  // namespace reprise_compiler::device
