// Makes threads that have left the kernel skip the regions that follow.
//
//   region A:  if (i >= n) leave            region A:  if (i >= n) alive[t] = 0
//   sync                               ->   sync
//   region B:  ...                          region B:  if (alive[t]) ...
//
// If the exit condition is cheap to evaluate again, as i >= n is, it replaces alive[t], and later becomes a bound of
// the loop over threads.
#pragma once

#include <set>

#include "regions/region_graph.h"
#include "regions/region_values.h"
#include "regions/spill_slots.h"

namespace reprise_compiler::device {

class ExitedThreads {
 public:
  // `graph` is that of the whole kernel, before its regions become loops. `with_flags`: alive flags are needed in any
  // case.
  ExitedThreads(RegionGraph& graph, RegionValues& values, ThreadSpillSlots& slots, bool with_flags);

  bool any() const { return any_; }
  bool may_run_after_exit(Region& region) const { return after_exit_.count(&region); }
  const SpillSlot& alive() const { return alive_; }

  // guard() makes exited threads skip the region; record_exits() records the threads that leave from it.
  void guard(RegionGraph& graph, Region& region, RegionValues& values) const;
  void record_exits(RegionGraph& graph, Region& region) const;

  // Regions that can run after a region with exits.
  static std::set<Region*> regions_after_exit(RegionGraph& graph);

 private:
  const EarlyExit* find_recheckable_exit(RegionGraph& graph, RegionValues& values) const;
  void make_flags(RegionGraph& graph);

  ThreadSpillSlots& slots_;
  bool any_;
  const EarlyExit* recheck_ = nullptr;
  SpillSlot alive_;
  std::set<Region*> after_exit_;
};

}  // namespace reprise_compiler::device
