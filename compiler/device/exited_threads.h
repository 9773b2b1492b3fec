// Threads that have left the kernel take no part in the regions that follow.
//
//   region A:  if (i >= n) leave            region A:  if (i >= n) alive[t] = 0
//   sync                               ->   sync
//   region B:  ...                          region B:  if (alive[t]) ...
//
// Where the reason to leave is cheap to look at again, as i >= n is, it takes the place of alive[t], and later becomes
// a bound of the loop over threads.
#pragma once

#include "region_values.h"
#include "skeleton.h"
#include "slots.h"

namespace reprise::device {

void guard_against_exited_threads(Skeleton& skeleton, RegionValues& values, Slots& slots);

}  // namespace reprise::device
