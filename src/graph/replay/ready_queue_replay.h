// Replays a plan in which steps may wait for steps beside them: threads take steps from a ready queue, as many threads
// as that needs. For plans with host functions, waits and overlapping kernels; the other ways to replay are faster.
//
// Thread safety: replays run one after the other. Within one, any number of threads take part, as members of a team.
//
// Invariants
//  1. A step is in ready_ from the point that nothing is missing for it until a thread takes it.
//  2. Only threads inside a step make others ready, and they look for ready steps when their step has ended. A thread
//     whose step may block, or goes on after it made others ready, calls for another thread while there are ready
//     steps. So a step that waits for one beside it does not wait forever.
//  3. changes_ is notified, with the mutex held, whenever a step becomes ready or done or the last one is taken.
//  4. The team's door is open while there are more ready steps than idle threads.
#pragma once

#include <cstdint>
#include <vector>

#include "base/mutex.h"
#include "base/waiting.h"
#include "graph/plan/plan_layout.h"
#include "graph/plan/replayer.h"

namespace reprise_runtime::exec {
class Team;
}

namespace reprise_runtime::graph {

class ReadyQueueReplay {
 public:
  explicit ReadyQueueReplay(const PlanLayout& layout);

  size_t bytes() const;
  void run(Replay& replay) REPRISE_EXCLUDES(mutex_);

 private:
  // The point of a kernel that a dependent step waits for.
  enum class Point : uint32_t { begun, triggered, done };
  class Overlap;

  void find_dependents();
  void begin() REPRISE_EXCLUDES(mutex_);
  uint32_t take_ready() REPRISE_REQUIRES(mutex_);
  void work(Replay& replay, bool leader) REPRISE_EXCLUDES(mutex_);
  void run_step(uint32_t step, Replay& replay) REPRISE_EXCLUDES(mutex_);
  void run_overlapping(uint32_t step);
  bool blocks(const Step& step, const Replay& replay) const;
  void reached(uint32_t step, Point point) REPRISE_EXCLUDES(mutex_);
  bool wait_for_change(bool sleep) REPRISE_REQUIRES(mutex_);
  void update_door() REPRISE_REQUIRES(mutex_);
  void call_for_help() REPRISE_REQUIRES(mutex_);

  // Constant after construction.
  struct Dependent {
    uint32_t step;
    Point point;
  };
  const PlanLayout& layout_;
  std::vector<uint32_t> first_dependent_;  // of each step in dependents_; one more at the end
  std::vector<Dependent> dependents_;

  // Of the current replay.
  Replay* replay_ = nullptr;
  int level_ = 0;       // of the lane it runs in
  double last_ns_ = 0;  // the run time of the last replay
  Mutex mutex_;
  std::vector<uint32_t> missing_ REPRISE_GUARDED_BY(mutex_);  // how many dependencies each step still waits for
  std::vector<bool> done_ REPRISE_GUARDED_BY(mutex_);
  std::vector<uint32_t> ready_ REPRISE_GUARDED_BY(mutex_);
  size_t untaken_ REPRISE_GUARDED_BY(mutex_) = 0;  // steps
  unsigned idle_ REPRISE_GUARDED_BY(mutex_) = 0;
  bool help_called_ REPRISE_GUARDED_BY(mutex_) = false;
  exec::Team* team_ REPRISE_GUARDED_BY(mutex_) = nullptr;
  bool door_open_ REPRISE_GUARDED_BY(mutex_) = true;
  EventCount changes_;
};

}  // namespace reprise_runtime::graph
