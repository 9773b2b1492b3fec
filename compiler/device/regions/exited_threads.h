// Threads that have left the kernel take no part in the regions that follow.
//
//   region A:  if (i >= n) leave            region A:  if (i >= n) alive[t] = 0
//   sync                               ->   sync
//   region B:  ...                          region B:  if (alive[t]) ...
//
// Where the reason to leave is cheap to look at again, as i >= n is, it takes the place of alive[t], and later becomes
// a bound of the loop over threads.
#pragma once

#include <set>

#include "regions/region_graph.h"
#include "regions/region_values.h"
#include "regions/spill_slots.h"

namespace reprise_compiler::device {

class ExitedThreads {
 public:
  // Of the whole kernel's skeleton, before its regions become loops. `with_flags`: somebody asks who is alive.
  ExitedThreads(Skeleton& skeleton, RegionValues& values, ThreadSlots& slots, bool with_flags);

  bool any() const { return any_; }
  bool may_run_after_exit(Region& region) const { return followers_.count(&region); }
  const Slot& alive() const { return alive_; }

  // Makes the region's threads skip it if they have left, and note it when they leave.
  void guard(Skeleton& skeleton, Region& region, RegionValues& values) const;
  void let_leave(Skeleton& skeleton, Region& region) const;

  // Regions that can run after one that threads leave from.
  static std::set<Region*> followers(Skeleton& skeleton);

 private:
  const EarlyExit* reason_to_look_at_again(Skeleton& skeleton, RegionValues& values) const;
  void make_flags(Skeleton& skeleton);

  ThreadSlots& slots_;
  bool any_;
  const EarlyExit* look_again_ = nullptr;
  Slot alive_;
  std::set<Region*> followers_;
};

}  // namespace reprise_compiler::device
