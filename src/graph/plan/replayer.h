// The interface by which a plan is replayed. graph/replay implements it, and keeps there what replays measure and
// schedule.
//
// Thread safety: one thread at a time calls run() and kernel_changed().
#pragma once

#include <cstddef>
#include <memory>

namespace reprise_runtime::graph {

class Plan;
struct KernelStep;
struct LaunchEvents;

// One run of a plan.
struct Replay {
  Plan& plan;
  const LaunchEvents* events;  // null when the plan has none
  bool trace_muted = false;    // its steps stay out of the trace, as most iterations of a loop do
};

class Replayer {
 public:
  enum class Mode {
    adaptive,    // whichever the measurements say is faster
    sequential,  // on the calling thread; for tests
    parallel,    // by several threads; for tests
  };

  virtual ~Replayer() = default;
  virtual void run(Replay& replay, Mode mode) = 0;
  // The kernel step has another function or launch shape. `was_batchable` is what KernelStep::batchable() was before.
  virtual void kernel_changed(KernelStep& step, bool was_batchable) noexcept = 0;
  // Memory that it takes.
  virtual size_t bytes() const = 0;
};

// Defined in graph/replay/adaptive_replayer.cpp. The plan is built, and outlives the replayer.
std::unique_ptr<Replayer> make_replayer(const Plan& plan);

}  // namespace reprise_runtime::graph
