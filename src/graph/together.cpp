#include "graph/together.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/devices.h"
#include "base/futex.h"
#include "base/pause.h"
#include "exec/blocking.h"
#include "exec/lane.h"
#include "exec/team.h"
#include "graph/make_step.h"
#include "graph/schedule.h"
#include "kernel/programmatic.h"

namespace reprise::graph {
namespace {

// What one thread has done, another sees so much later.
constexpr double hand_over_ns = 150;
// Opening a team, and until the first has joined.
constexpr double joining_ns = 400;
// Steps are taken by several at once, so that taking costs little; but not so many that a list ends late.
constexpr float batch_ns = 4'000;
// A thread without a ready step looks for so long before it sleeps.
constexpr double spin_ns = 20'000;
// A sleeper looks again after this long, whatever it was told.
constexpr int64_t nap_ns = 1'000'000;

}  // namespace

// ---- made once ---------------------------------------------------------------------------------------------------

Together::Together(Plan& plan, const std::vector<float>& ns)
    : plan_(plan),
      list_count_(static_cast<unsigned>(std::clamp<size_t>(static_cast<size_t>(core_count()), 1, ns.size()))) {
  Schedule schedule = make_schedule(plan.first_dependency_, plan.dependencies_, ~Plan::early, ns, list_count_, hand_over_ns);
  predicted_ns_ = schedule.ns + joining_ns;
  lists_ = std::make_unique<List[]>(list_count_);
  fill_slots(schedule.lists, ns);
  done_ = std::make_unique<std::atomic<uint32_t>[]>(slots_.size());
  if (plan.late_.empty()) return;
  triggered_ = std::make_unique<std::atomic<uint32_t>[]>(slots_.size());
  begun_ = std::make_unique<std::atomic<uint32_t>[]>(slots_.size());
}

void Together::fill_slots(const std::vector<std::vector<uint32_t>>& lists, const std::vector<float>& ns) {
  std::vector<uint32_t> slot_of(ns.size()), step_of;
  step_of.reserve(ns.size());
  for (unsigned i = 0; i < list_count_; ++i) {
    lists_[i].first = static_cast<uint32_t>(step_of.size());
    for (uint32_t step : lists[i]) {
      slot_of[step] = static_cast<uint32_t>(step_of.size());
      step_of.push_back(step);
    }
    lists_[i].end = static_cast<uint32_t>(step_of.size());
  }
  slots_.reserve(step_of.size());
  dependencies_.reserve(plan_.dependencies_.size());
  for (uint32_t step : step_of) {
    const uint32_t first = static_cast<uint32_t>(dependencies_.size());
    for (uint32_t i = plan_.first_dependency_[step]; i < plan_.first_dependency_[step + 1]; ++i) {
      const uint32_t entry = plan_.dependencies_[i];
      dependencies_.push_back(slot_of[entry & ~Plan::early] | (entry & Plan::early));
    }
    slots_.push_back({plan_.steps_[step], first, static_cast<uint32_t>(dependencies_.size()), ns[step], 0});
  }
  for (unsigned i = 0; i < list_count_; ++i) {
    float rest = 0;
    for (uint32_t slot = lists_[i].end; slot-- > lists_[i].first;) slots_[slot].rest_ns = rest += slots_[slot].ns;
  }
  if (plan_.late_.empty()) return;
  upstream_.resize(slots_.size());
  for (const Plan::Late& late : plan_.late_) {
    for (uint32_t step : late.others) upstream_[slot_of[late.step]].push_back(slot_of[step]);
  }
}

size_t Together::bytes() const {
  return sizeof *this + slots_.capacity() * sizeof(Slot) + dependencies_.capacity() * sizeof(uint32_t) +
         slots_.size() * sizeof(uint32_t) * (triggered_ ? 3 : 1) + list_count_ * sizeof(List);
}

// ---- a replay ----------------------------------------------------------------------------------------------------

// A thread that finds nothing ready: looks for a while, then sleeps until somebody is done with something.
class Together::Waiting {
 public:
  explicit Waiting(Together& together) : together_(together) {}

  // Passes some time; returns early when `over()`.
  template <class Over>
  void pass(Over&& over) {
    if (since_ == 0) since_ = ticks();
    if (core_count() > 1 && ticks_to_ns(ticks() - since_) < spin_ns) {
      for (int i = 0; i < 8 && !over(); ++i) pause();
      return;
    }
    together_.waiting_.fetch_add(1, std::memory_order_seq_cst);
    const uint32_t news = together_.news_.load(std::memory_order_seq_cst);
    if (!over()) {
      exec::BlockingScope asleep;
      futex::wait(together_.news_, news, nap_ns);
    }
    together_.waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  void restart() { since_ = 0; }

 private:
  Together& together_;
  uint64_t since_ = 0;
};

void Together::run(Replay& replay) {
  if (slots_.empty()) return;
  ++number_;
  lane_ = exec::Lane::current();
  joined_.store(0, std::memory_order_relaxed);
  for (unsigned i = 0; i < list_count_; ++i) lists_[i].cursor.store(lists_[i].first, std::memory_order_relaxed);
  struct Shared {
    Together& together;
    Replay& replay;
  } shared{*this, replay};
  // Threads that steps wait for are needed whether there are cores for them or not.
  const unsigned most = plan_.only_together_ ? 64 : list_count_;
  exec::Team team(
      [](void* context) {
        Shared& here = *static_cast<Shared*>(context);
        here.together.take_part(here.replay);
      },
      &shared, most);
  if (predicted_ns_ > 2 * exec::Team::wake_up_ns) team.invite(list_count_ - 1);
  team.run();
  wake_waiting();
}

void Together::take_part(Replay& replay) {
  const unsigned mine = joined_.fetch_add(1, std::memory_order_relaxed) % list_count_;
  Waiting waiting(*this);
  bool idle = false;
  for (;;) {
    if (run_some(mine, replay, idle)) {
      waiting.restart();
      continue;
    }
    if (!std::exchange(idle, true)) idle_.fetch_add(1, std::memory_order_seq_cst);
    if (all_taken()) break;
    waiting.pass([&] { return all_taken() || any_ready(); });
  }
  idle_.fetch_sub(1, std::memory_order_relaxed);
}

bool Together::all_taken() const {
  for (unsigned i = 0; i < list_count_; ++i) {
    if (lists_[i].cursor.load(std::memory_order_acquire) < lists_[i].end) return false;
  }
  return true;
}

bool Together::any_ready() const {
  for (unsigned i = 0; i < list_count_; ++i) {
    const uint32_t front = lists_[i].cursor.load(std::memory_order_acquire);
    if (front < lists_[i].end && ready(front, front)) return true;
  }
  return false;
}

bool Together::run_some(unsigned mine, Replay& replay, bool& idle) {
  Batch batch;
  for (unsigned i = 0; i < list_count_; ++i) {
    if (!take(lists_[(mine + i) % list_count_], batch)) continue;
    if (std::exchange(idle, false)) idle_.fetch_sub(1, std::memory_order_seq_cst);
    for (uint32_t slot = batch.first; slot < batch.end; ++slot) {
      run_slot(slot, replay);
      finish(slot, slot + 1 == batch.end);
    }
    return true;
  }
  return false;
}

bool Together::take(List& list, Batch& batch) {
  uint32_t cursor = list.cursor.load(std::memory_order_acquire);
  for (;;) {
    if (cursor >= list.end || !ready(cursor, cursor)) return false;
    uint32_t end = cursor + 1;
    const Slot& first = slots_[cursor];
    auto alone = [&](uint32_t slot) { return slots_[slot].step->may_block || slots_[slot].step->overlaps; };
    if (!alone(cursor)) {
      const float limit = std::min(batch_ns, first.rest_ns / 4);
      float ns = first.ns;
      while (end < list.end && ns + slots_[end].ns <= limit && !alone(end) && ready(end, cursor)) ns += slots_[end++].ns;
    }
    if (list.cursor.compare_exchange_weak(cursor, end, std::memory_order_acq_rel, std::memory_order_acquire)) {
      batch = {cursor, end};
      return true;
    }
  }
}

bool Together::ready(uint32_t slot, uint32_t batch_first) const {
  for (uint32_t i = slots_[slot].first; i < slots_[slot].end; ++i) {
    const uint32_t entry = dependencies_[i], before = entry & ~Plan::early;
    if (before >= batch_first && before < slot) continue;
    const std::atomic<uint32_t>& word = entry & Plan::when_triggered ? triggered_[before]
                                        : entry & Plan::when_begun   ? begun_[before]
                                                                     : done_[before];
    if (word.load(std::memory_order_acquire) != number_) return false;
  }
  return true;
}

void Together::run_slot(uint32_t slot, Replay& replay) {
  Step& step = *slots_[slot].step;
  if ((step.may_block && blocks(step, replay)) || step.overlaps) call_for_help();
  if (step.overlaps) return run_overlapping(slot);
  step.run(step, replay);
}

// Whoever sleeps counts itself before it looks whether something is ready, and the last of a batch is marked before
// anybody is looked for, both sequentially consistent: one sees the other.
void Together::finish(uint32_t slot, bool last) {
  if (!last) return done_[slot].store(number_, std::memory_order_release);
  done_[slot].exchange(number_, std::memory_order_seq_cst);
  wake_waiting();
}

void Together::wake_waiting() {
  if (waiting_.load(std::memory_order_seq_cst) == 0) [[likely]] return;
  news_.fetch_add(1, std::memory_order_seq_cst);
  futex::wake_all(news_);
}

// ---- steps that wait for others ----------------------------------------------------------------------------------

bool Together::blocks(const Step& step, const Replay& replay) const {
  return step.kind != Step::Kind::event_wait || plan_.waits_for_event(step, replay);
}

// A task in a lane of its own is run by some worker even when all of them are busy for long.
void Together::call_for_help() {
  if (all_taken() || idle_.load(std::memory_order_seq_cst) > 0) return;
  if (help_is_coming_.exchange(true, std::memory_order_acq_rel)) return;
  exec::Lane& helper = exec::Lane::acquire(lane_ ? lane_->level() : 0);
  helper.submit([plan = Ref<Plan>(&plan_), this, lane = lane_](exec::Lane&) {
    help_is_coming_.store(false, std::memory_order_release);
    exec::Team::join(lane);
  });
  helper.retire();
}

struct Together::Overlap {
  Together& together;
  uint32_t slot;

  void mark(std::unique_ptr<std::atomic<uint32_t>[]>& words) {
    words[slot].exchange(together.number_, std::memory_order_seq_cst);
    together.wake_waiting();
  }
  void wait_for_upstream() {
    Waiting waiting(together);
    for (uint32_t before : together.upstream_[slot]) {
      while (!together.is_done(before)) waiting.pass([&] { return together.is_done(before); });
    }
  }
};

void Together::run_overlapping(uint32_t slot) {
  const KernelStep& step = static_cast<const KernelStep&>(*slots_[slot].step);
  Overlap overlap{*this, slot};
  if (!step.enabled) {
    overlap.wait_for_upstream();
    overlap.mark(begun_);
    return overlap.mark(triggered_);
  }
  kernel::Neighbours neighbours;
  neighbours.context = &overlap;
  neighbours.all_begun = [](void* context) {
    Overlap& self = *static_cast<Overlap*>(context);
    self.mark(self.together.begun_);
  };
  neighbours.all_triggered = [](void* context) {
    Overlap& self = *static_cast<Overlap*>(context);
    self.mark(self.together.triggered_);
  };
  neighbours.wait_for_upstream = [](void* context) { static_cast<Overlap*>(context)->wait_for_upstream(); };
  kernel::run_programmatic_grid(*step.function, step.shape(), step.params, step.device, neighbours);
}

}  // namespace reprise::graph
