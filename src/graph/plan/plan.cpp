#include "graph/plan/plan.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/clock.h"
#include "base/last_error.h"
#include "base/tuning.h"
#include "diagnose/trace.h"
#include "graph/plan/make_step.h"
#include "graph/plan/plan_builder.h"
#include "graph/replay/as_ready.h"
#include "graph/replay/together.h"
#include "kernel/fault.h"
#include "kernel/workspace.h"
#include "memory/graph/check_mode.h"

namespace reprise_runtime::graph {

Plan::Plan() = default;
Plan::~Plan() {
  for (auto& [node, step] : updatable_) node->detach(*step);
}

Result<Ref<Plan>> Plan::build(Graph& graph, Node*& stuck, bool priorities) {
  Ref<Plan> plan = Ref<Plan>::adopt(new Plan);
  PlanBuilder builder(*plan, priorities);
  const cudaError_t status = builder.add(graph);
  stuck = builder.stuck();
  if (status != cudaSuccess) return status;
  plan->finish();
  return plan;
}

void Plan::finish() {
  first_dependency_.push_back(static_cast<uint32_t>(dependencies_.size()));
  sequence_.reserve(steps_.size());
  runs_.reserve(steps_.size());  // a replay that chooses them anew needs no memory
  for (Step* step : steps_) {
    if (step->kind != Step::Kind::empty) sequence_.push_back(step);
    waits_ |= step->overlaps || (step->may_block && !chain_);
    may_block_ |= step->may_block;
  }
  choose_runs();
}

// What runs a body waits when that does.
void Plan::note_blocking() {
  for (Plan* plan = this; plan; plan = plan->around_) {
    plan->waits_ |= !plan->chain_;
    plan->may_block_ = true;
    if (plan->runner_) plan->runner_->may_block = true;
  }
}

const Plan::Late* Plan::late_of(uint32_t step) const {
  auto found = std::lower_bound(late_.begin(), late_.end(), step,
                                [](const Late& late, uint32_t wanted) { return late.step < wanted; });
  return found != late_.end() && found->step == step ? &*found : nullptr;
}

size_t Plan::bytes() const {
  return sizeof *this + memory_.bytes() + steps_.capacity() * sizeof(Step*) + sequence_.capacity() * sizeof(Step*) +
         (first_dependency_.capacity() + dependencies_.capacity()) * sizeof(uint32_t) + runs_.capacity() * sizeof(Run) +
         exec_index_.bytes() + step_ns_.capacity() * sizeof(float) + (together_ ? together_->bytes() : 0) +
         (as_ready_ ? as_ready_->bytes() : 0);
}

// ---- alone ------------------------------------------------------------------------------------------------------

void Plan::choose_runs() {
  runs_stale_ = false;
  runs_.clear();
  workspace_bytes_ = 0;
  workspace_ = nullptr;
  for (uint32_t i = 0; i < sequence_.size(); ++i) {
    bool kernels = false;
    if (sequence_[i]->kind == Step::Kind::kernel) {
      KernelStep& step = static_cast<KernelStep&>(*sequence_[i]);
      step.choose_size();
      kernels = step.small && !step.overlaps && !memory::checks_memory() && !diagnose::Trace::on();
      if (kernels) workspace_bytes_ = std::max(workspace_bytes_, size_t{step.workspace_bytes});
    }
    const bool same_device = i > 0 && sequence_[i]->device == sequence_[i - 1]->device;
    if (kernels && !runs_.empty() && runs_.back().kernels && same_device) {
      runs_.back().end = i + 1;
    } else {
      runs_.push_back({i, i + 1, kernels});
    }
  }
}

void Plan::change_launch(KernelStep& step, const kernel::Function& function,
                         const kernel::LaunchShape& shape) noexcept {
  auto in_run_of_kernels = [&] { return step.small && !step.overlaps; };
  const bool before = in_run_of_kernels();
  fill_kernel_step(step, function, shape);
  if (!step.enabled) step.thunk = &run_no_kernel;
  if (step.may_block) note_blocking();
  if (before != in_run_of_kernels() || (before && step.workspace_bytes > workspace_bytes_)) {
    runs_stale_ = true;
  } else if (workspace_) {
    step.use_workspace(step.launch, workspace_);
  }
}

void Plan::run_alone(Replay& replay) {
  if (runs_stale_) choose_runs();
  for (const Run& run : runs_) {
    if (run.kernels) {
      run_kernels(run);
    } else {
      Step& step = *sequence_[run.first];
      step.run(step, replay);
    }
  }
}

namespace {

// As a thunk: so that one guard against faults is set up for many kernels. `list` is their steps, up to null.
struct KernelList {
  Step* const* first;
  Step* const* end;

  // Aligned: where the loop straddles two cache lines of code, a node takes 2.5 ns instead of 2.2 (bench_replay).
  [[gnu::aligned(64)]] static void run(const void* list, const reprise_launch*) {
    const auto& [first, end] = *static_cast<const KernelList*>(list);
    for (Step* const* step = first; step != end; ++step) {
      const KernelStep& kernel = static_cast<const KernelStep&>(**step);
      kernel.thunk(kernel.params, &kernel.launch);
    }
  }
};

}  // namespace

void Plan::run_kernels(const Run& run) {
  const int device = sequence_[run.first]->device;
  if (sticky_error(device) != cudaSuccess) [[unlikely]]
    return;
  char* workspace = kernel::thread_workspace(workspace_bytes_);
  if (workspace != workspace_) [[unlikely]] {
    for (Step* step : sequence_) {
      if (step->kind != Step::Kind::kernel) continue;
      KernelStep& kernel = static_cast<KernelStep&>(*step);
      kernel.use_workspace(kernel.launch, workspace);
    }
    workspace_ = workspace;
  }
  const KernelList list{sequence_.data() + run.first, sequence_.data() + run.end};
  const cudaError_t fault = kernel::run_guarded(&KernelList::run, &list, reprise_launch{});
  if (fault != cudaSuccess) [[unlikely]]
    set_sticky_error(device, fault);
}

// ---- whichever way ----------------------------------------------------------------------------------------------

void Plan::replay(const LaunchEvents* events) {
  Replay replay{*this, events};
  // What kernels take is learnt in the first runs; later it seldom changes.
  if (std::has_single_bit(++replays_) && replays_ > 1 && replays_ <= 1024) choose_runs();
  if (waits_) return run_as_ready(replay);
  if (chain_) return run_alone(replay);
  const Pace::Way way = pace_.next();
  if (way == Pace::Way::alone) return run_alone(replay);
  if (way == Pace::Way::measured) return run_measured(replay);
  const uint64_t start = ticks();
  if (way == Pace::Way::timed) {
    run_alone(replay);
  } else {
    run_together(replay, ticks_to_ns(start - last_end_) < tuning::frequent_replay_ns);
  }
  last_end_ = ticks();
  const double ns = ticks_to_ns(last_end_ - start);
  if (way == Pace::Way::together) return pace_.ran_together(ns);
  pace_.ran_alone(ns);
  if (pace_.undecided()) decide();
}

void Plan::replay_alone(const LaunchEvents* events) {
  Replay replay{*this, events};
  run_alone(replay);
}

void Plan::replay_together(const LaunchEvents* events) {
  Replay replay{*this, events};
  if (waits_) return run_as_ready(replay);
  run_together(replay, true);
}

void Plan::run_measured(Replay& replay) {
  if (!pace_.measures_again()) step_ns_.clear();
  step_ns_.resize(steps_.size(), std::numeric_limits<float>::max());
  uint64_t before = ticks();
  for (size_t i = 0; i < steps_.size(); ++i) {
    Step& step = *steps_[i];
    if (step.kind == Step::Kind::empty) {
      step_ns_[i] = 0;
      continue;
    }
    step.run(step, replay);
    const uint64_t after = ticks();
    step_ns_[i] = std::min(step_ns_[i], static_cast<float>(ticks_to_ns(after - before)));
    before = after;
  }
  pace_.ran_measured();
}

// The steps' times without what it cost to measure them: that is the same for each, and what one thread took with and
// without it is known.
std::vector<float> Plan::step_times() const {
  if (step_ns_.empty()) return std::vector<float>(steps_.size(), 1000.f);
  std::vector<float> times = step_ns_;
  double total = 0;
  for (float ns : times) total += ns;
  const float surplus = static_cast<float>(std::max(0.0, total - pace_.alone_ns()) /
                                           static_cast<double>(std::max<size_t>(1, sequence_.size())));
  for (size_t i = 0; i < times.size(); ++i) {
    times[i] = std::max(0.1f * times[i], times[i] - surplus);
    if (steps_[i]->kind != Step::Kind::kernel) continue;
    // Alone it was spread over the cores; beside others it has one.
    const KernelStep& kernel = static_cast<const KernelStep&>(*steps_[i]);
    if (!kernel.small) times[i] = std::max(times[i], static_cast<float>(kernel.ns_on_one_core()));
  }
  return times;
}

void Plan::decide() {
  if (pace_.too_short()) return pace_.decide(pace_.alone_ns());
  together_ = std::make_shared<Together>(*this, step_times());
  pace_.decide(together_->predicted_ns());
}

bool Plan::waits_for_event(const Step& step, const Replay& replay) const {
  return events_.must_wait(wait_number(step), *replay.events);
}

void Plan::run_as_ready(Replay& replay) {
  if (!as_ready_) as_ready_ = std::make_unique<AsReady>(*this);
  as_ready_->run(replay);
}

void Plan::run_together(Replay& replay, bool frequent) {
  if (!together_) together_ = std::make_shared<Together>(*this, step_times());
  together_->run(replay, frequent);
}

}  // namespace reprise_runtime::graph
