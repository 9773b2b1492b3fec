#include "graph/device_launch/device_launch_tree.h"

#include <bit>
#include <cstdio>
#include <memory>

#include "base/export.h"
#include "base/thread_local.h"
#include "diagnose/trace.h"
#include "exec/lane.h"
#include "exec/wait.h"
#include "graph/plan/exec.h"

namespace reprise_runtime::graph {
namespace {

// Ends the launch of a graph whose replay has ended. Its tails come before those in `next`, where the last runs first.
void end_replayed(Plan& plan, DeviceLaunchTree& tree, DeviceLaunchTree::Tails& next) {
  tree.wait_for_children();
  DeviceLaunchTree::Tails tails = tree.take_tails();
  next.insert(next.end(), std::make_move_iterator(tails.rbegin()), std::make_move_iterator(tails.rend()));
  if (plan.scope().launchable()) plan.scope().launch_lock().unlock();
}

// Decides whether a tail stays out of the trace. Tails that launch tails may go on for ever. So the first are traced,
// and then a few each time their number has doubled: enough to see each of several graphs that follow each other in
// turn.
[[gnu::cold, gnu::noinline]] bool mutes_tail(Plan& plan, const DeviceLaunchTree& parent, uint64_t number) {
  constexpr uint64_t first = 64, then = 16;
  if (parent.trace_muted() || (number > first && number - std::bit_floor(number) >= then)) return true;
  if (number <= first) return false;
  char words[40];
  std::snprintf(words, sizeof words, "tail %llu", static_cast<unsigned long long>(number));
  diagnose::record({.name = diagnose::keep_text(words), .id = plan.scope().exec().bits});
  return false;
}

// Runs graphs one after the other, the last first, with the tails that they launch.
void run_tails(DeviceLaunchTree::Tails next, DeviceLaunchTree& parent) {
  const bool traces = diagnose::tracing;
  for (uint64_t number = 1; !next.empty(); ++number) {
    Ref<Plan> plan = std::move(next.back());
    next.pop_back();
    const bool muted = traces && mutes_tail(*plan, parent, number);
    DeviceLaunchTree tree(&parent, muted);
    plan->scope().device_launches().store(&tree, std::memory_order_release);
    plan->replay(nullptr, muted);
    plan->scope().device_launches().store(nullptr, std::memory_order_release);
    end_replayed(*plan, tree, next);
  }
}

// Gives back the lane of a child that has ended. A task in that lane could do it too, but would need a worker: while
// all workers are busy each launch would take a new lane.
void give_back_lane(const exec::Marker& child) { child.progress->lane()->put_back(); }

}  // namespace

bool DeviceLaunchTree::count_launch() {
  MutexLock lock(mutex_);
  if (fire_and_forget_count_ == max_fire_and_forget) return false;
  ++fire_and_forget_count_;
  return true;
}

void DeviceLaunchTree::add_child(Ref<Plan> plan) {
  exec::Lane* const around = exec::Lane::current();
  exec::Lane& lane = exec::Lane::acquire(around ? around->level() : 0);
  const uint64_t number = lane.submit([this, plan = std::move(plan)](exec::Lane&) { run_tails(Tails{plan}, *this); });
  MutexLock lock(mutex_);
  children_.push_back(lane.at(number));
}

namespace {

constexpr Refusal runs_already =
    "it runs already, or will run as a tail; a graph runs once at a time, and only a tail launch can launch the graph "
    "itself";

}  // namespace

Refusal DeviceLaunchTree::claim(Plan& plan) {
  if (!plan.scope().launch_lock().try_lock()) return runs_already;
  if (count_launch()) return nullptr;
  plan.scope().launch_lock().unlock();
  return "limit of 120 fire-and-forget launches reached; siblings count towards the limit of the launching graph's "
         "parent";
}

Refusal DeviceLaunchTree::fire_and_forget(Ref<Plan> plan) {
  if (Refusal refused = claim(*plan)) return refused;
  add_child(std::move(plan));
  return nullptr;
}

Refusal DeviceLaunchTree::launch_tail(Ref<Plan> plan, bool itself) {
  MutexLock guard(mutex_);
  if (tails_.size() == max_tails) return "limit of 255 tail launches reached";
  LaunchLock& lock = plan->scope().launch_lock();
  if (itself && !lock.try_reserve_next())
    return "it has launched itself as its tail already, which is possible once in a launch";
  if (!itself && !lock.try_lock()) return runs_already;
  tails_.push_back(std::move(plan));
  return nullptr;
}

namespace {

// A thread that waits for a child runs it, and the child may wait for its own children: this limits the recursion.
void wait_for(const exec::Marker& child) {
  constexpr int max_nested = 256;
  static REPRISE_THREAD_LOCAL int nested = 0;
  if (nested == max_nested) return exec::wait_for_others(child);
  ++nested;
  exec::wait(child);
  --nested;
}

}  // namespace

void DeviceLaunchTree::wait_for_children() {
  for (;;) {
    exec::Marker child;
    {
      MutexLock lock(mutex_);
      if (children_.empty()) return;
      child = children_.back();
      children_.pop_back();
    }
    wait_for(child);
    give_back_lane(child);
  }
}

DeviceLaunchTree::Tails DeviceLaunchTree::take_tails() {
  MutexLock lock(mutex_);
  return std::exchange(tails_, {});
}

DeviceLaunchTree& DeviceLaunchTree::of(LaunchScope& scope) {
  std::atomic<DeviceLaunches*>& current = scope.device_launches();
  DeviceLaunches* found = current.load(std::memory_order_acquire);
  if (found) return static_cast<DeviceLaunchTree&>(*found);
  auto root = std::make_unique<DeviceLaunchTree>(nullptr);
  auto made = std::make_unique<DeviceLaunchTree>(root.get());
  // Another thread of the launch may have created one meanwhile.
  if (!current.compare_exchange_strong(found, made.get(), std::memory_order_acq_rel)) {
    return static_cast<DeviceLaunchTree&>(*found);
  }
  (void)root.release();
  return *made.release();
}

void DeviceLaunchTree::finish(Plan& plan) {
  const std::unique_ptr<DeviceLaunchTree> self(this), root(parent_);
  plan.scope().device_launches().store(nullptr, std::memory_order_release);
  Tails next;
  end_replayed(plan, *this, next);
  run_tails(std::move(next), *root);
  root->wait_for_children();
}

namespace {

constexpr const char* launching = "cudaGraphLaunch";

cudaError_t refuse_launch(Handle graph, Refusal why) {
  return refuse_device(launching, "executable graph 0x%llx: %s", static_cast<unsigned long long>(graph.bits), why);
}

// Why device code can never launch the graph; null if it can.
Refusal check(const LaunchScope& launched) {
  if (!launched.launchable()) {
    return "it was instantiated for the host only; instantiate it with cudaGraphInstantiateFlagDeviceLaunch";
  }
  if (!launched.uploaded()) {
    return "it was not uploaded; call cudaGraphUpload, or launch it from the host, before device code does";
  }
  return nullptr;
}

// A graph that runs may launch itself again even if its executable graph was destroyed meanwhile.
Ref<Plan> find_plan(LaunchScope& scope, Handle graph) {
  if (graph.bits == scope.exec().bits && scope.plan()) return Ref<Plan>(scope.plan());
  Ref<GraphExec> exec = execs().find(graph);
  return exec ? exec->plan() : nullptr;
}

cudaError_t launch_from(LaunchScope& scope, Handle graph, uint64_t stream, int device) {
  Ref<Plan> plan = find_plan(scope, graph);
  if (!plan) return refuse_launch(graph, "it does not exist, or it was destroyed");
  const LaunchScope& launched = plan->scope();
  if (Refusal refused = check(launched)) return refuse_launch(graph, refused);
  if (launched.device() != device) {
    return refuse_device(launching, "executable graph 0x%llx is on device %d; a kernel on device %d cannot launch it",
                         static_cast<unsigned long long>(graph.bits), launched.device(), device);
  }
  constexpr uint64_t tail = 1, forget = 2, sibling = 3;
  constexpr int number_of_stream = 56;
  const uint64_t number = stream >> number_of_stream;
  if (stream != number << number_of_stream || number < tail || number > sibling) {
    return refuse_device(launching,
                         "executable graph 0x%llx into stream 0x%llx: device code launches into "
                         "cudaStreamGraphFireAndForget, cudaStreamGraphFireAndForgetAsSibling or "
                         "cudaStreamGraphTailLaunch",
                         static_cast<unsigned long long>(graph.bits), static_cast<unsigned long long>(stream));
  }
  DeviceLaunchTree& tree = DeviceLaunchTree::of(scope);
  const Refusal refused = number == tail     ? tree.launch_tail(std::move(plan), &launched == &scope)
                          : number == forget ? tree.fire_and_forget(std::move(plan))
                                             : tree.parent()->fire_and_forget(std::move(plan));
  return refused ? refuse_launch(graph, refused) : cudaSuccess;
}

}  // namespace
}  // namespace reprise_runtime::graph

using reprise_runtime::graph::LaunchScope;

extern "C" REPRISE_EXPORT int __reprise_graph_launch(const reprise_launch* launch, uint64_t graph, uint64_t stream) {
  LaunchScope* scope = LaunchScope::of(launch);
  if (!scope) {
    return reprise_runtime::graph::refuse_launch(reprise_runtime::Handle{graph},
                                                 "the kernel that launches it must be part of a graph");
  }
  return reprise_runtime::graph::launch_from(*scope, reprise_runtime::Handle{graph}, stream,
                                             static_cast<int>(launch->device));
}

extern "C" REPRISE_EXPORT uint64_t __reprise_current_graph(const reprise_launch* launch) {
  LaunchScope* scope = LaunchScope::of(launch);
  return scope ? scope->exec().bits : 0;
}
