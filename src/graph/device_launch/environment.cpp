#include "graph/device_launch/environment.h"

#include <bit>
#include <cstdio>

#include "base/export.h"
#include "base/thread_local.h"
#include "diagnose/trace.h"
#include "exec/lane.h"
#include "exec/wait.h"
#include "graph/plan/exec.h"

namespace reprise_runtime::graph {
namespace {

// The graph has been replayed: what is left of its launch. Its tails come before those in `next`, where the last is the
// first to run.
void finish(Plan& plan, Environment& environment, Environment::Tails& next) {
  environment.wait_for_children();
  Environment::Tails tails = environment.take_tails();
  next.insert(next.end(), std::make_move_iterator(tails.rbegin()), std::make_move_iterator(tails.rend()));
  if (plan.scope().launchable()) plan.scope().turn().give_back();
}

// Tails that ask for tails may go on for ever: the first are told to the trace, and then some each time their number
// has doubled, so that all of a few that take turns are among them. What they launch is told if they are.
[[gnu::cold, gnu::noinline]] bool trace_tail(Plan& plan, const Environment& parent, uint64_t number) {
  constexpr uint64_t first = 64, then = 16;
  plan.set_untold(parent.untold() || (number > first && number - std::bit_floor(number) >= then));
  if (plan.untold() || number <= first) return plan.untold();
  char words[40];
  std::snprintf(words, sizeof words, "tail %llu", static_cast<unsigned long long>(number));
  diagnose::Trace::note(words, plan.scope().exec().bits);
  return false;
}

// One after the other, the last first, with what they ask for.
void run_in_turn(Environment::Tails next, Environment& parent) {
  const bool traces = diagnose::Trace::on();
  for (uint64_t number = 1; !next.empty(); ++number) {
    Ref<Plan> plan = std::move(next.back());
    next.pop_back();
    Environment environment(&parent, traces && trace_tail(*plan, parent, number));
    plan->scope().set_environment(&environment);
    plan->replay(nullptr);
    plan->scope().set_environment(nullptr);
    finish(*plan, environment, next);
  }
}

// Of a child that has ended. Not by a task in it, which would wait for a worker: while all of them are busy each launch
// would take a new lane.
void give_back_lane(const exec::Marker& child) { child.progress->lane()->put_back(); }

}  // namespace

bool Environment::count_launch() {
  MutexLock lock(mutex_);
  if (forgotten_ == most_forgotten) return false;
  ++forgotten_;
  return true;
}

void Environment::add_child(Ref<Plan> plan) {
  exec::Lane* const around = exec::Lane::current();
  exec::Lane& lane = exec::Lane::acquire(around ? around->level() : 0);
  const uint64_t number = lane.submit([this, plan = std::move(plan)](exec::Lane&) { run_in_turn(Tails{plan}, *this); });
  MutexLock lock(mutex_);
  children_.push_back(lane.at(number));
}

namespace {

constexpr Refusal runs_already =
    "it runs already, or will run as a tail: a graph runs once at a time, and only a tail launch asks for itself again";

}  // namespace

Refusal Environment::claim(Plan& plan) {
  if (!plan.scope().turn().try_take()) return runs_already;
  if (count_launch()) return nullptr;
  plan.scope().turn().give_back();
  return "in one launch of a graph 120 are fired and forgotten, and they were; siblings count for what the launching "
         "graph "
         "is a part of";
}

Refusal Environment::fire_and_forget(Ref<Plan> plan) {
  if (Refusal refused = claim(*plan)) return refused;
  add_child(std::move(plan));
  return nullptr;
}

Refusal Environment::launch_tail(Ref<Plan> plan, bool itself) {
  MutexLock lock(mutex_);
  if (tails_.size() == most_tails) return "one launch of a graph may have 255 tails, and this one has";
  Turn& turn = plan->scope().turn();
  if (itself && !turn.try_take_next()) return "a graph may ask for itself as its tail once in a launch, and it has";
  if (!itself && !turn.try_take()) return runs_already;
  tails_.push_back(std::move(plan));
  return nullptr;
}

namespace {

// A thread that waits for a child runs it, and that may wait for one of its own, and so on.
void wait_for(const exec::Marker& child) {
  constexpr int most_nested = 256;
  static REPRISE_THREAD_LOCAL int nested = 0;
  if (nested == most_nested) return exec::wait_for_others(child);
  ++nested;
  exec::wait(child);
  --nested;
}

}  // namespace

void Environment::wait_for_children() {
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

Environment::Tails Environment::take_tails() {
  MutexLock lock(mutex_);
  return std::exchange(tails_, {});
}

void end_launch(Plan& plan) {
  LaunchScope& scope = plan.scope();
  const std::unique_ptr<Environment> environment(scope.environment());
  if (!environment) return scope.launchable() ? scope.turn().give_back() : void();
  scope.set_environment(nullptr);
  const std::unique_ptr<Environment> stream(environment->parent());
  Environment::Tails next;
  finish(plan, *environment, next);
  run_in_turn(std::move(next), *stream);
  stream->wait_for_children();
}

namespace {

constexpr const char* launching = "cudaGraphLaunch";

cudaError_t refuse_launch(Handle graph, Refusal why) {
  return refuse_device(launching, "executable graph 0x%llx: %s", static_cast<unsigned long long>(graph.bits), why);
}

// Why device code cannot launch it, whatever runs now.
Refusal check(const LaunchScope& launched) {
  if (!launched.launchable()) {
    return "it was instantiated for the host alone; device code launches those with "
           "cudaGraphInstantiateFlagDeviceLaunch";
  }
  if (!launched.uploaded()) {
    return "it has not been uploaded; call cudaGraphUpload, or launch it from the host, before device code does";
  }
  return nullptr;
}

// A launch runs to its end also when its executable graph has been destroyed: it may launch itself again.
Ref<Plan> find_plan(LaunchScope& scope, Handle graph) {
  if (graph.bits == scope.exec().bits && scope.plan()) return Ref<Plan>(scope.plan());
  Ref<GraphExec> exec = execs().find(graph);
  return exec ? exec->plan() : nullptr;
}

cudaError_t launch_from(LaunchScope& scope, Handle graph, uint64_t stream, int device) {
  Ref<Plan> plan = find_plan(scope, graph);
  if (!plan) return refuse_launch(graph, "there is none: it was destroyed, or never was one");
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
  Environment& environment = scope.need_environment();
  const Refusal refused = number == tail     ? environment.launch_tail(std::move(plan), &launched == &scope)
                          : number == forget ? environment.fire_and_forget(std::move(plan))
                                             : environment.parent()->fire_and_forget(std::move(plan));
  return refused ? refuse_launch(graph, refused) : cudaSuccess;
}

}  // namespace
}  // namespace reprise_runtime::graph

using reprise_runtime::graph::LaunchScope;

extern "C" REPRISE_EXPORT int __reprise_graph_launch(const reprise_launch* launch, uint64_t graph, uint64_t stream) {
  LaunchScope* scope = LaunchScope::of(launch);
  if (!scope) {
    return reprise_runtime::graph::refuse_launch(
        reprise_runtime::Handle{graph}, "the kernel that launches it is in no graph; put that kernel into one");
  }
  return reprise_runtime::graph::launch_from(*scope, reprise_runtime::Handle{graph}, stream,
                                             static_cast<int>(launch->device));
}

extern "C" REPRISE_EXPORT uint64_t __reprise_current_graph(const reprise_launch* launch) {
  LaunchScope* scope = LaunchScope::of(launch);
  return scope ? scope->exec().bits : 0;
}
