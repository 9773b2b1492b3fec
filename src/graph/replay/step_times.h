// How long each step of a plan takes, measured over a few replays.
//
// Thread safety: one thread at a time.
#pragma once

#include <vector>

#include "graph/plan/plan_layout.h"
#include "graph/plan/replayer.h"

namespace reprise_runtime::graph {

class StepTimes {
 public:
  explicit StepTimes(const PlanLayout& layout) : layout_(layout) {}

  // Forgets what was measured.
  void restart() { ns_.clear(); }
  // Replays the plan on the calling thread and times each step. Keeps the shortest time of each: interruptions make a
  // step longer, nothing makes it shorter.
  void measure(Replay& replay);
  // The times without the overhead of measuring, which is the same for each of the `working` steps that do something:
  // the whole took `total_ns` without it. 1 µs each when nothing was measured.
  std::vector<float> estimate(double total_ns, size_t working) const;

  size_t bytes() const { return ns_.capacity() * sizeof(float); }

 private:
  const PlanLayout& layout_;
  std::vector<float> ns_;  // of each step, with the overhead
};

}  // namespace reprise_runtime::graph
