// The graphs that the kernels of a launch launch, and those that these launch in turn.
//
//     stream ── graph ─┬─ fire and forget: a child, started at once; the graph ends after it
//                      ├─ tail: runs when the graph has ended, one tail after the other
//                      └─ sibling: a child of the tree node that the graph is a child of
//
// Thread safety: every function may be called from any thread, except those for the thread that runs the launch.
//
// Invariants
//  1. A tree node outlives its children: the thread that runs it waits for them.
//  2. A child is added only by kernels of the node's graph, or of a child that has not ended. So when no child is left,
//     no more are added.
//  3. Of a graph and its tails one runs at a time, on one thread. Tails that a tail launches come before those
//     launched earlier.
#pragma once

#include <driver_types.h>

#include <vector>

#include "base/mutex.h"
#include "exec/progress.h"
#include "graph/device_launch/device_refusal.h"
#include "graph/plan/plan.h"

namespace reprise_runtime::graph {

class DeviceLaunchTree final : public DeviceLaunches {
 public:
  using Tails = std::vector<Ref<Plan>>;

  // `trace_muted` keeps what it runs out of the trace.
  explicit DeviceLaunchTree(DeviceLaunchTree* parent, bool trace_muted = false)
      : parent_(parent), trace_muted_(trace_muted) {}
  DeviceLaunchTree(const DeviceLaunchTree&) = delete;
  DeviceLaunchTree& operator=(const DeviceLaunchTree&) = delete;

  // The tree node of the current launch, which is created when it is first asked for.
  static DeviceLaunchTree& of(LaunchScope& scope);

  // Null for the root, which stands for the stream.
  DeviceLaunchTree* parent() const { return parent_; }
  bool trace_muted() const { return trace_muted_; }

  // The graph is uploaded and may be launched by device code, but it may be running already.
  // A sibling is launched by the parent's fire_and_forget().
  [[nodiscard]] Refusal fire_and_forget(Ref<Plan> plan) REPRISE_EXCLUDES(mutex_);
  [[nodiscard]] Refusal launch_tail(Ref<Plan> plan, bool itself) REPRISE_EXCLUDES(mutex_);

  // ---- for the thread that runs the launch ------------------------------------------------------------------------

  void finish(Plan& plan) override;
  void wait_for_children() REPRISE_EXCLUDES(mutex_);
  Tails take_tails() REPRISE_EXCLUDES(mutex_);

 private:
  static constexpr unsigned max_fire_and_forget = 120, max_tails = 255;

  [[nodiscard]] bool count_launch() REPRISE_EXCLUDES(mutex_);
  // Takes the graph's launch lock and counts the launch.
  [[nodiscard]] Refusal claim(Plan& plan) REPRISE_EXCLUDES(mutex_);
  void add_child(Ref<Plan> plan) REPRISE_EXCLUDES(mutex_);

  DeviceLaunchTree* const parent_;
  const bool trace_muted_;
  Mutex mutex_;
  std::vector<exec::Marker> children_ REPRISE_GUARDED_BY(mutex_);  // each the only task of its lane
  Tails tails_ REPRISE_GUARDED_BY(mutex_);
  unsigned fire_and_forget_count_ REPRISE_GUARDED_BY(mutex_) = 0;  // since the launch began
};

}  // namespace reprise_runtime::graph
