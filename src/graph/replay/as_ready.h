// A plan's replay where steps may wait for others that run beside them: whatever is ready is run, by as many threads as
// that takes. For plans with host functions, waits, and kernels that overlap; the others have faster ways.
//
// Thread safety: replays run one after the other. Within one, any number of threads take part, as members of a team.
//
// Invariants
//  1. A step is in ready_ from the moment that nothing is missing for it until a thread takes it.
//  2. Only threads inside a step make others ready, and they look for ready steps when they are done with it. One that
//     will not be soon, since its step may block or goes on, sees to it that somebody else does while there are any. So
//     a step that waits for another one beside it gets what it waits for.
//  3. changes_ is notified, with the mutex held, whenever a step becomes ready or done or the last is taken.
//  4. The team's door is open while there are ready steps that no idle thread here is about to take.
#pragma once

#include <cstdint>
#include <vector>

#include "base/mutex.h"
#include "base/waiting.h"
#include "graph/plan/plan.h"

namespace reprise_runtime::exec {
class Team;
}

namespace reprise_runtime::graph {

class AsReady {
 public:
  explicit AsReady(Plan& plan);

  size_t bytes() const;
  void run(Replay& replay) REPRISE_EXCLUDES(mutex_);

 private:
  // What a step's dependents wait for.
  enum class Moment : uint32_t { begun, triggered, done };
  class Overlap;

  void find_dependents();
  void begin() REPRISE_EXCLUDES(mutex_);
  uint32_t take_ready() REPRISE_REQUIRES(mutex_);
  void take_part(Replay& replay, bool leader) REPRISE_EXCLUDES(mutex_);
  void run_step(uint32_t step, Replay& replay) REPRISE_EXCLUDES(mutex_);
  void run_overlapping(uint32_t step);
  bool blocks(const Step& step, const Replay& replay) const;
  void reached(uint32_t step, Moment moment) REPRISE_EXCLUDES(mutex_);
  bool await_change(bool patient) REPRISE_REQUIRES(mutex_);
  void update_door() REPRISE_REQUIRES(mutex_);
  void call_for_help() REPRISE_REQUIRES(mutex_);

  // Constant after construction.
  struct Dependent {
    uint32_t step;
    Moment moment;
  };
  Plan& plan_;
  std::vector<uint32_t> first_dependent_;  // of each step in dependents_; one more at the end
  std::vector<Dependent> dependents_;

  // Of the replay that runs.
  Replay* replay_ = nullptr;
  int level_ = 0;       // of the lane it runs in
  double last_ns_ = 0;  // what the last replay took
  Mutex mutex_;
  std::vector<uint32_t> missing_ REPRISE_GUARDED_BY(mutex_);  // how much each step still waits for
  std::vector<bool> done_ REPRISE_GUARDED_BY(mutex_);
  std::vector<uint32_t> ready_ REPRISE_GUARDED_BY(mutex_);
  size_t left_ REPRISE_GUARDED_BY(mutex_) = 0;  // steps not yet taken
  unsigned idle_ REPRISE_GUARDED_BY(mutex_) = 0;
  bool help_is_coming_ REPRISE_GUARDED_BY(mutex_) = false;
  exec::Team* team_ REPRISE_GUARDED_BY(mutex_) = nullptr;
  bool door_open_ REPRISE_GUARDED_BY(mutex_) = true;
  EventCount changes_;
};

}  // namespace reprise_runtime::graph
