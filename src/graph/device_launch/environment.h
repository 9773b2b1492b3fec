// A launch of a graph together with what its kernels launch.
//
//     stream ── graph ─┬─ fire and forget: a child, at once; the graph has not ended before it has
//                      ├─ tail: takes the graph's place when it has ended, one after the other
//                      └─ sibling: a child of what the graph itself is a child of
//
// Thread safety: every function may be called from any thread, except those for the thread that runs the launch.
//
// Invariants
//  1. An environment outlives its children: who runs it waits for them.
//  2. A child is added only by kernels of the environment's graph, or of a child that has not ended. So when no child
//  is
//     left there will be no more.
//  3. Of a graph and the tails that take its place one runs at a time, on one thread. Tails that a tail asks for come
//     before those that were asked for earlier.
#pragma once

#include <driver_types.h>

#include <vector>

#include "base/mutex.h"
#include "exec/progress.h"
#include "graph/device_launch/device_refusal.h"
#include "graph/plan/plan.h"

namespace reprise_runtime::graph {

class Environment {
 public:
  using Tails = std::vector<Ref<Plan>>;

  // `untold`: what it runs stays out of the trace.
  explicit Environment(Environment* parent, bool untold = false) : parent_(parent), untold_(untold) {}
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // Null for what a stream runs.
  Environment* parent() const { return parent_; }
  bool untold() const { return untold_; }

  // The graph is uploaded and may be launched, but for what it does now: it may run already.
  // A sibling is what the parent would have launched.
  [[nodiscard]] Refusal fire_and_forget(Ref<Plan> plan) REPRISE_EXCLUDES(mutex_);
  [[nodiscard]] Refusal launch_tail(Ref<Plan> plan, bool itself) REPRISE_EXCLUDES(mutex_);

  // ---- for the thread that runs the launch ------------------------------------------------------------------------

  void wait_for_children() REPRISE_EXCLUDES(mutex_);
  Tails take_tails() REPRISE_EXCLUDES(mutex_);

 private:
  static constexpr unsigned most_forgotten = 120, most_tails = 255;

  [[nodiscard]] bool count_launch() REPRISE_EXCLUDES(mutex_);
  // Takes the graph's turn, and counts it here.
  [[nodiscard]] Refusal claim(Plan& plan) REPRISE_EXCLUDES(mutex_);
  void add_child(Ref<Plan> plan) REPRISE_EXCLUDES(mutex_);

  Environment* const parent_;
  const bool untold_;
  Mutex mutex_;
  std::vector<exec::Marker> children_ REPRISE_GUARDED_BY(mutex_);  // each the one task of its lane
  Tails tails_ REPRISE_GUARDED_BY(mutex_);
  unsigned forgotten_ REPRISE_GUARDED_BY(mutex_) = 0;  // in the course of the graph's execution
};

// After a replay that the host launched: waits for what it launched, and runs what takes its place.
void end_launch(Plan& plan);

}  // namespace reprise_runtime::graph
