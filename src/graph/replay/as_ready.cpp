#include "graph/replay/as_ready.h"

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
#include "graph/plan/traced_step.h"
#include "kernel/grid_state.h"
#include "kernel/programmatic.h"

namespace reprise_runtime::graph {
namespace {

// Threads that steps wait for are needed whether there are cores for them or not.
constexpr unsigned most_members = 4096;

}  // namespace

// ---- made once ---------------------------------------------------------------------------------------------------

AsReady::AsReady(Plan& plan) : plan_(plan) { find_dependents(); }

void AsReady::find_dependents() {
  const size_t steps = plan_.steps_.size();
  first_dependent_.assign(steps + 2, 0);
  for (uint32_t entry : plan_.dependencies_) ++first_dependent_[(entry & ~Plan::early) + 2];
  for (size_t i = 2; i < first_dependent_.size(); ++i) first_dependent_[i] += first_dependent_[i - 1];
  dependents_.resize(plan_.dependencies_.size());
  for (uint32_t step = 0; step < steps; ++step) {
    for (uint32_t i = plan_.first_dependency_[step]; i < plan_.first_dependency_[step + 1]; ++i) {
      const uint32_t entry = plan_.dependencies_[i];
      const Moment moment = entry & Plan::when_triggered ? Moment::triggered
                            : entry & Plan::when_begun   ? Moment::begun
                                                         : Moment::done;
      dependents_[first_dependent_[(entry & ~Plan::early) + 1]++] = {step, moment};
    }
  }
}

size_t AsReady::bytes() const {
  return sizeof *this + first_dependent_.capacity() * sizeof(uint32_t) + dependents_.capacity() * sizeof(Dependent) +
         plan_.steps_.size() * 2 * sizeof(uint32_t);
}

// ---- a replay ----------------------------------------------------------------------------------------------------

void AsReady::begin() {
  const uint32_t steps = static_cast<uint32_t>(plan_.steps_.size());
  MutexLock lock(mutex_);
  missing_.resize(steps);
  done_.assign(steps, false);
  ready_.clear();
  left_ = steps;
  team_ = nullptr;
  door_open_ = true;
  // The last in the list is taken first.
  for (uint32_t step = steps; step-- > 0;) {
    missing_[step] = plan_.first_dependency_[step + 1] - plan_.first_dependency_[step];
    if (missing_[step] == 0) ready_.push_back(step);
  }
}

// The last, or the last of the highest priority.
uint32_t AsReady::take_ready() {
  if (plan_.priorities_) [[unlikely]] {
    auto first = std::min_element(ready_.rbegin(), ready_.rend(), [&](uint32_t a, uint32_t b) {
      return plan_.steps_[a]->priority < plan_.steps_[b]->priority;
    });
    std::swap(*first, ready_.back());
  }
  const uint32_t step = ready_.back();
  ready_.pop_back();
  return step;
}

// Until every step is taken. The leader stays; others leave when there is nothing for them to do.
void AsReady::take_part(Replay& replay, bool leader) {
  MutexLock lock(mutex_);
  while (left_ > 0) {
    if (ready_.empty()) {
      ++idle_;
      const bool changed = await_change(leader);
      --idle_;
      // What has become ready meanwhile may count on this thread.
      if (!changed && !leader && ready_.empty()) break;
      continue;
    }
    const uint32_t step = take_ready();
    if (--left_ == 0) changes_.notify_all();
    update_door();
    const Step& next = *plan_.steps_[step];
    if (next.overlaps || blocks(next, replay)) call_for_help();
    mutex_.unlock();
    run_step(step, replay);
    mutex_.lock();
  }
}

// With the mutex held before and after. Who is not patient gives up after a while: false.
bool AsReady::await_change(bool patient) {
  const uint32_t seen = changes_.epoch();
  const auto has_changed = [&] { return changes_.epoch() != seen; };
  mutex_.unlock();
  const bool changed = spin_until(deadline_after(tuning::replay_spin_ns), has_changed);
  if (!changed && patient) {
    exec::BlockingScope asleep;
    changes_.sleep_until(has_changed);
  }
  mutex_.lock();
  return changed || patient;
}

void AsReady::run(Replay& replay) {
  if (plan_.steps_.empty()) return;
  if (const exec::Lane* lane = exec::Lane::current()) level_ = lane->level();
  begin();
  replay_ = &replay;
  const uint64_t start = ticks();
  {
    exec::Team team(
        [](void* context) {
          AsReady& all = *static_cast<AsReady*>(context);
          all.take_part(*all.replay_, false);
        },
        this, most_members);
    {
      MutexLock lock(mutex_);
      team_ = &team;
    }
    if (last_ns_ > 2 * tuning::wake_up_ns) team.invite(static_cast<unsigned>(core_count()) - 1);
    take_part(replay, true);
  }
  last_ns_ = ticks_to_ns(ticks() - start);
}

void AsReady::run_step(uint32_t step, Replay& replay) {
  Step& here = *plan_.steps_[step];
  if (here.overlaps) {
    run_overlapping(step);
  } else {
    here.run(here, replay);
  }
  reached(step, Moment::done);
}

void AsReady::reached(uint32_t step, Moment moment) {
  MutexLock lock(mutex_);
  for (uint32_t i = first_dependent_[step]; i < first_dependent_[step + 1]; ++i) {
    const auto [dependent, when] = dependents_[i];
    if (when == moment && --missing_[dependent] == 0) ready_.push_back(dependent);
  }
  if (moment == Moment::done) done_[step] = true;
  changes_.notify_all();
  update_door();
  // The kernel goes on, and with it this thread.
  if (moment != Moment::done) call_for_help();
}

void AsReady::update_door() {
  const bool open = ready_.size() > idle_;
  if (open == door_open_ || !team_) return;
  door_open_ = open;
  open ? team_->open_door() : team_->close_door();
}

bool AsReady::blocks(const Step& step, const Replay& replay) const {
  if (step.kind == Step::Kind::event_wait) return plan_.waits_for_event(step, replay);
  return step.may_block;
}

// A task in a lane of its own is run by some worker even when all of them are busy for long.
void AsReady::call_for_help() {
  if (ready_.size() <= idle_ || help_is_coming_) return;
  help_is_coming_ = true;
  exec::Lane& helper = exec::Lane::acquire(level_);
  helper.submit([plan = Ref<Plan>(&plan_), this](exec::Lane&) {
    {
      MutexLock lock(mutex_);
      help_is_coming_ = false;
    }
    exec::Team::join_with(this);
  });
  helper.retire();
}

// ---- kernels that overlap ----------------------------------------------------------------------------------------

class AsReady::Overlap {
 public:
  Overlap(AsReady& all, uint32_t step) : all_(all), step_(step) {}

  kernel::Neighbours neighbours() {
    kernel::Neighbours neighbours;
    neighbours.context = this;
    neighbours.all_begun = [](void* self) { static_cast<Overlap*>(self)->tell(Moment::begun); };
    neighbours.all_triggered = [](void* self) { static_cast<Overlap*>(self)->tell(Moment::triggered); };
    neighbours.wait_for_upstream = [](void* self) { static_cast<Overlap*>(self)->wait_for_upstream(); };
    return neighbours;
  }
  // For a kernel that is not to run now.
  void skip() {
    wait_for_upstream();
    tell(Moment::begun);
    tell(Moment::triggered);
  }

 private:
  void tell(Moment moment) { all_.reached(step_, moment); }

  void wait_for_upstream() {
    const Plan::Late* late = all_.plan_.late_of(step_);
    if (!late) return;
    MutexLock lock(all_.mutex_);
    for (uint32_t before : late->others) {
      while (!all_.done_[before]) all_.await_change(true);
    }
  }

  AsReady& all_;
  const uint32_t step_;
};

void AsReady::run_overlapping(uint32_t step) {
  const KernelStep& kernel = static_cast<const KernelStep&>(*plan_.steps_[step]);
  TracedStep traced(kernel, plan_);
  Overlap overlap(*this, step);
  if (!kernel.enabled) return overlap.skip();
  std::optional<RunningNode> watched;
  if (memory::checks_memory()) watched.emplace(kernel.node);
  kernel::Neighbours neighbours = overlap.neighbours();
  neighbours.graph = kernel::GridState::graph_of(&kernel.launch);
  kernel::run_programmatic_grid(*kernel.function, kernel.shape(), kernel.params, kernel.device, neighbours);
}

}  // namespace reprise_runtime::graph
