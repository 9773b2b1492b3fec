#include "graph/environment.h"

#include "base/export.h"
#include "exec/lane.h"
#include "exec/wait.h"
#include "graph/exec.h"

namespace reprise::graph {
namespace {

// The graph has been replayed: what is left of its launch. Its tails come before those in `next`, where the last is the
// first to run.
void finish(Plan& plan, Environment& environment, Environment::Tails& next) {
  environment.wait_for_children();
  Environment::Tails tails = environment.take_tails();
  next.insert(next.end(), std::make_move_iterator(tails.rbegin()), std::make_move_iterator(tails.rend()));
  if (plan.scope().launchable()) plan.scope().turn().give_back();
}

// One after the other, the last first, with what they ask for.
void run_in_turn(Environment::Tails next, Environment& parent) {
  while (!next.empty()) {
    Ref<Plan> plan = std::move(next.back());
    next.pop_back();
    Environment environment(&parent);
    plan->scope().set_environment(&environment);
    plan->replay(nullptr);
    plan->scope().set_environment(nullptr);
    finish(*plan, environment, next);
  }
}

}  // namespace

cudaError_t Environment::count_launch() {
  MutexLock lock(mutex_);
  if (forgotten_ == most_forgotten) return cudaErrorInvalidValue;
  ++forgotten_;
  return cudaSuccess;
}

cudaError_t Environment::add_child(Ref<Plan> plan) {
  exec::Lane* const around = exec::Lane::current();
  exec::Lane& lane = exec::Lane::acquire(around ? around->level() : 0);
  const uint64_t number =
      lane.submit([this, plan = std::move(plan)](exec::Lane&) { run_in_turn(Tails{plan}, *this); });
  {
    MutexLock lock(mutex_);
    children_.push_back(lane.at(number));
  }
  lane.retire();
  return cudaSuccess;
}

cudaError_t Environment::fire_and_forget(Ref<Plan> plan) {
  if (!plan->scope().turn().try_take()) return cudaErrorInvalidValue;
  if (cudaError_t refused = count_launch(); refused != cudaSuccess) {
    plan->scope().turn().give_back();
    return refused;
  }
  return add_child(std::move(plan));
}

cudaError_t Environment::launch_sibling(Ref<Plan> plan) {
  if (!plan->scope().turn().try_take()) return cudaErrorInvalidValue;
  if (cudaError_t refused = count_launch(); refused != cudaSuccess) {
    plan->scope().turn().give_back();
    return refused;
  }
  return parent_->add_child(std::move(plan));
}

cudaError_t Environment::launch_tail(Ref<Plan> plan, bool itself) {
  MutexLock lock(mutex_);
  if (tails_.size() == most_tails) return cudaErrorInvalidValue;
  Turn& turn = plan->scope().turn();
  if (!(itself ? turn.try_take_next() : turn.try_take())) return cudaErrorInvalidValue;
  tails_.push_back(std::move(plan));
  return cudaSuccess;
}

void Environment::wait_for_children() {
  for (;;) {
    exec::Marker child;
    {
      MutexLock lock(mutex_);
      if (children_.empty()) return;
      child = children_.back();
      children_.pop_back();
    }
    exec::wait(child);
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

cudaError_t launch_from(LaunchScope& scope, Handle graph, uint64_t stream, int device) {
  Ref<GraphExec> exec = execs().find(graph);
  if (!exec) return cudaErrorInvalidValue;
  Ref<Plan> plan = exec->plan();
  const LaunchScope& launched = plan->scope();
  if (!launched.launchable() || !launched.uploaded() || launched.device() != device) return cudaErrorInvalidValue;
  Environment& environment = scope.need_environment();
  constexpr uint64_t tail = 1, forget = 2, sibling = 3;
  constexpr int number_of_stream = 56;
  if (stream == tail << number_of_stream) return environment.launch_tail(std::move(plan), &launched == &scope);
  if (stream == forget << number_of_stream) return environment.fire_and_forget(std::move(plan));
  if (stream == sibling << number_of_stream) return environment.launch_sibling(std::move(plan));
  return cudaErrorInvalidValue;
}

}  // namespace
}  // namespace reprise::graph

using reprise::graph::LaunchScope;

extern "C" REPRISE_EXPORT int __reprise_graph_launch(const reprise_launch* launch, uint64_t graph, uint64_t stream) {
  LaunchScope* scope = LaunchScope::of(launch);
  if (!scope) return cudaErrorInvalidValue;  // a launch in a stream
  return reprise::graph::launch_from(*scope, reprise::Handle{graph}, stream, static_cast<int>(launch->device));
}

extern "C" REPRISE_EXPORT uint64_t __reprise_current_graph(const reprise_launch* launch) {
  LaunchScope* scope = LaunchScope::of(launch);
  return scope ? scope->exec().bits : 0;
}
