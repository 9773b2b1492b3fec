#include "graph/replay/ready_queue_replay.h"

#include <algorithm>
#include <optional>

#include "base/clock.h"
#include "base/devices.h"
#include "base/tuning.h"
#include "base/waiting.h"
#include "exec/blocking.h"
#include "exec/lane.h"
#include "exec/team.h"
#include "graph/plan/checked_step.h"
#include "graph/plan/make_step.h"
#include "graph/plan/plan.h"
#include "graph/plan/traced_step.h"
#include "kernel/grid_state.h"
#include "kernel/programmatic.h"

namespace reprise_runtime::graph {
namespace {

// Steps may wait for each other, so a team may need more threads than there are cores.
constexpr unsigned max_members = 4096;

}  // namespace

// ---- construction ------------------------------------------------------------------------------------------------

ReadyQueueReplay::ReadyQueueReplay(const PlanLayout& layout) : layout_(layout) { find_dependents(); }

void ReadyQueueReplay::find_dependents() {
  const size_t steps = layout_.steps.size();
  first_dependent_.assign(steps + 2, 0);
  for (uint32_t entry : layout_.dependencies) ++first_dependent_[(entry & ~PlanLayout::early) + 2];
  for (size_t i = 2; i < first_dependent_.size(); ++i) first_dependent_[i] += first_dependent_[i - 1];
  dependents_.resize(layout_.dependencies.size());
  for (uint32_t step = 0; step < steps; ++step) {
    for (uint32_t i = layout_.first_dependency[step]; i < layout_.first_dependency[step + 1]; ++i) {
      const uint32_t entry = layout_.dependencies[i];
      const Point point = entry & PlanLayout::when_triggered ? Point::triggered
                          : entry & PlanLayout::when_begun   ? Point::begun
                                                             : Point::done;
      dependents_[first_dependent_[(entry & ~PlanLayout::early) + 1]++] = {step, point};
    }
  }
}

size_t ReadyQueueReplay::bytes() const {
  return sizeof *this + first_dependent_.capacity() * sizeof(uint32_t) + dependents_.capacity() * sizeof(Dependent) +
         layout_.steps.size() * 2 * sizeof(uint32_t);
}

// ---- replay ------------------------------------------------------------------------------------------------------

void ReadyQueueReplay::begin() {
  const uint32_t steps = static_cast<uint32_t>(layout_.steps.size());
  MutexLock lock(mutex_);
  missing_.resize(steps);
  done_.assign(steps, false);
  ready_.clear();
  untaken_ = steps;
  team_ = nullptr;
  door_open_ = true;
  // The last in the queue is taken first.
  for (uint32_t step = steps; step-- > 0;) {
    missing_[step] = layout_.first_dependency[step + 1] - layout_.first_dependency[step];
    if (missing_[step] == 0) ready_.push_back(step);
  }
}

// Takes the last step of the queue, or the last one of the highest priority.
uint32_t ReadyQueueReplay::take_ready() {
  if (layout_.has_priorities) [[unlikely]] {
    auto first = std::min_element(ready_.rbegin(), ready_.rend(), [&](uint32_t a, uint32_t b) {
      return layout_.steps[a]->priority < layout_.steps[b]->priority;
    });
    std::swap(*first, ready_.back());
  }
  const uint32_t step = ready_.back();
  ready_.pop_back();
  return step;
}

// Runs steps until every step is taken. The leader stays until then; others leave when they find no ready step.
void ReadyQueueReplay::work(Replay& replay, bool leader) {
  MutexLock lock(mutex_);
  while (untaken_ > 0) {
    if (ready_.empty()) {
      ++idle_;
      const bool changed = wait_for_change(leader);
      --idle_;
      // A step that has become ready meanwhile may have counted this thread as idle.
      if (!changed && !leader && ready_.empty()) break;
      continue;
    }
    const uint32_t step = take_ready();
    if (--untaken_ == 0) changes_.notify_all();
    update_door();
    const Step& next = *layout_.steps[step];
    if (next.overlaps || blocks(next, replay)) call_for_help();
    mutex_.unlock();
    run_step(step, replay);
    mutex_.lock();
  }
}

// Waits until changes_ is notified. With `sleep` unset it gives up after spinning, and returns false. Releases the
// mutex meanwhile.
bool ReadyQueueReplay::wait_for_change(bool sleep) {
  const uint32_t seen = changes_.epoch();
  const auto has_changed = [&] { return changes_.epoch() != seen; };
  mutex_.unlock();
  const bool changed = spin_until(deadline_after(tuning::replay_spin_ns), has_changed);
  if (!changed && sleep) {
    exec::BlockingScope blocking;
    changes_.sleep_until(has_changed);
  }
  mutex_.lock();
  return changed || sleep;
}

void ReadyQueueReplay::run(Replay& replay) {
  if (layout_.steps.empty()) return;
  if (const exec::Lane* lane = exec::Lane::current()) level_ = lane->level();
  begin();
  replay_ = &replay;
  const uint64_t start = ticks();
  {
    exec::Team team(
        [](void* context) {
          ReadyQueueReplay& all = *static_cast<ReadyQueueReplay*>(context);
          all.work(*all.replay_, false);
        },
        this, max_members);
    {
      MutexLock lock(mutex_);
      team_ = &team;
    }
    if (last_ns_ > 2 * tuning::wake_up_ns) team.invite(static_cast<unsigned>(core_count()) - 1);
    work(replay, true);
  }
  last_ns_ = ticks_to_ns(ticks() - start);
}

void ReadyQueueReplay::run_step(uint32_t step, Replay& replay) {
  Step& here = *layout_.steps[step];
  if (here.overlaps) {
    run_overlapping(step);
  } else {
    here.run(here, replay);
  }
  reached(step, Point::done);
}

void ReadyQueueReplay::reached(uint32_t step, Point point) {
  MutexLock lock(mutex_);
  for (uint32_t i = first_dependent_[step]; i < first_dependent_[step + 1]; ++i) {
    const auto [dependent, when] = dependents_[i];
    if (when == point && --missing_[dependent] == 0) ready_.push_back(dependent);
  }
  if (point == Point::done) done_[step] = true;
  changes_.notify_all();
  update_door();
  // The kernel goes on, so this thread cannot take what has become ready.
  if (point != Point::done) call_for_help();
}

void ReadyQueueReplay::update_door() {
  const bool open = ready_.size() > idle_;
  if (open == door_open_ || !team_) return;
  door_open_ = open;
  open ? team_->open_door() : team_->close_door();
}

bool ReadyQueueReplay::blocks(const Step& step, const Replay& replay) const {
  if (step.kind == Step::Kind::event_wait) return replay.plan.events().must_wait(wait_number(step), *replay.events);
  return step.may_block;
}

// Submits a task that joins the team, in a lane of its own: a worker runs it even when all workers are busy.
void ReadyQueueReplay::call_for_help() {
  if (ready_.size() <= idle_ || help_called_) return;
  help_called_ = true;
  exec::Lane& helper = exec::Lane::acquire(level_);
  helper.submit([plan = Ref<Plan>(&replay_->plan), this](exec::Lane&) {
    {
      MutexLock lock(mutex_);
      help_called_ = false;
    }
    exec::Team::join_with(this);
  });
  helper.retire();
}

// ---- kernels that overlap ----------------------------------------------------------------------------------------

class ReadyQueueReplay::Overlap {
 public:
  Overlap(ReadyQueueReplay& all, uint32_t step) : all_(all), step_(step) {}

  kernel::Neighbours neighbours() {
    kernel::Neighbours neighbours;
    neighbours.context = this;
    neighbours.all_begun = [](void* self) { static_cast<Overlap*>(self)->announce(Point::begun); };
    neighbours.all_triggered = [](void* self) { static_cast<Overlap*>(self)->announce(Point::triggered); };
    neighbours.wait_for_upstream = [](void* self) { static_cast<Overlap*>(self)->wait_for_upstream(); };
    return neighbours;
  }
  // For a kernel that is disabled.
  void skip() {
    wait_for_upstream();
    announce(Point::begun);
    announce(Point::triggered);
  }

 private:
  void announce(Point point) { all_.reached(step_, point); }

  void wait_for_upstream() {
    const PlanLayout::Late* late = all_.layout_.late_of(step_);
    if (!late) return;
    MutexLock lock(all_.mutex_);
    for (uint32_t before : late->others) {
      while (!all_.done_[before]) all_.wait_for_change(true);
    }
  }

  ReadyQueueReplay& all_;
  const uint32_t step_;
};

void ReadyQueueReplay::run_overlapping(uint32_t step) {
  const KernelStep& kernel = static_cast<const KernelStep&>(*layout_.steps[step]);
  std::optional<diagnose::TraceScope> traced;
  if (diagnose::tracing && is_traced(kernel, *replay_)) traced.emplace(trace_event_of(kernel, *replay_));
  Overlap overlap(*this, step);
  if (!kernel.enabled) return overlap.skip();
  std::optional<RunningNode> running;
  if (memory::checks_memory()) running.emplace(kernel.node);
  kernel::Neighbours neighbours = overlap.neighbours();
  neighbours.graph = kernel::GridState::graph_of(&kernel.launch);
  kernel::run_programmatic_grid(*kernel.function, kernel.shape(), kernel.params, kernel.device, neighbours);
}

}  // namespace reprise_runtime::graph
