#include "graph/replay/together.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/clock.h"
#include "base/cores.h"
#include "base/devices.h"
#include "base/last_error.h"
#include "base/tuning.h"
#include "base/waiting.h"
#include "exec/blocking.h"
#include "exec/lane.h"
#include "exec/team.h"
#include "graph/plan/make_step.h"
#include "graph/replay/schedule.h"
#include "kernel/fault.h"

namespace reprise_runtime::graph {
// ---- made once ---------------------------------------------------------------------------------------------------

Together::Together(Plan& plan, const std::vector<float>& ns)
    : plan_(plan),
      list_count_(static_cast<unsigned>(std::clamp<size_t>(static_cast<size_t>(core_count()), 1, ns.size()))) {
  std::vector<int8_t> priorities;
  if (plan.priorities_) {
    for (const Step* step : plan.steps_) priorities.push_back(step->priority);
  }
  Schedule schedule =
      make_schedule(plan.first_dependency_, plan.dependencies_, ns, list_count_, tuning::hand_over_ns, priorities);
  predicted_ns_ = schedule.ns + tuning::joining_ns;
  lists_ = std::make_unique<List[]>(list_count_);
  fill_slots(schedule.lists, ns);
  done_.resize(slots_.size());
}

void Together::fill_slots(const std::vector<std::vector<uint32_t>>& lists, const std::vector<float>& ns) {
  std::vector<uint32_t> slot_of(ns.size());
  size_t slots = 0;
  for (unsigned i = 0; i < list_count_; ++i) {
    slots = (slots + Words::line_words - 1) / Words::line_words * Words::line_words;
    lists_[i].first = static_cast<uint32_t>(slots);
    for (uint32_t step : lists[i]) slot_of[step] = static_cast<uint32_t>(slots++);
    lists_[i].end = static_cast<uint32_t>(slots);
  }
  slots_.resize(slots);
  // Slots of a list are taken in order: what an earlier one has waited for in another list was done when that one was
  // taken, and a later one need not look at it again. (Looking would cost a cache line that whoever did it is still
  // writing to.) Not so for what is in the same list: the earlier one may have been taken together with it, without
  // waiting.
  constexpr unsigned nobody = ~0u;
  std::vector<unsigned> awaited_by(slots, nobody);
  for (unsigned i = 0; i < list_count_; ++i) {
    for (uint32_t step : lists[i]) {
      const uint32_t first = static_cast<uint32_t>(dependencies_.size());
      for (uint32_t k = plan_.first_dependency_[step]; k < plan_.first_dependency_[step + 1]; ++k) {
        const uint32_t before = slot_of[plan_.dependencies_[k]];
        const bool own = before >= lists_[i].first && before < lists_[i].end;
        if (own || std::exchange(awaited_by[before], i) != i) dependencies_.push_back(before);
      }
      slots_[slot_of[step]] = {plan_.steps_[step], first, static_cast<uint32_t>(dependencies_.size()), ns[step], 0};
    }
  }
  std::vector<bool> followed(ns.size());
  for (uint32_t before : plan_.dependencies_) followed[before] = true;
  for (uint32_t step = 0; step < ns.size(); ++step) {
    if (!followed[step]) last_slots_.push_back(slot_of[step]);
  }
  for (unsigned i = 0; i < list_count_; ++i) {
    float rest = 0;
    for (uint32_t slot = lists_[i].end; slot-- > lists_[i].first;) slots_[slot].rest_ns = rest += slots_[slot].ns;
  }
}

size_t Together::bytes() const {
  return sizeof *this + slots_.capacity() * sizeof(Slot) +
         (dependencies_.capacity() + last_slots_.capacity()) * sizeof(uint32_t) + slots_.size() * sizeof(uint32_t) +
         list_count_ * sizeof(List);
}

// ---- a replay ----------------------------------------------------------------------------------------------------

// A thread that finds nothing ready: looks for a while, then sleeps until somebody is done with something.
class Together::Waiting {
 public:
  explicit Waiting(const Part& part) : together_(part.together), number_(part.number) {}

  // Looks at one thing alone for a moment; false when that was before.
  bool be_patient(const std::atomic<uint32_t>& word, double ns) {
    return be_patient(ns, [&] { return word.load(std::memory_order_acquire) == number_; });
  }
  template <class Over>
  bool be_patient(double ns, Over&& over) {
    if (since_ != 0 || core_count() == 1) return false;
    since_ = ticks();
    spin_until(deadline_after(ns), over);
    return true;
  }

  // Passes some time; returns early when `word` says that it is over, or, seen less often, `over()` does.
  template <class Over>
  void pass(const std::atomic<uint32_t>& word, Over&& over) {
    if (since_ == 0) since_ = ticks();
    if (core_count() > 1 && ticks_to_ns(ticks() - since_) < tuning::replay_spin_ns) {
      spin_times(tuning::replay_looks, [&] { return word.load(std::memory_order_acquire) == number_; });
      return;
    }
    exec::BlockingScope asleep;
    if (!together_.done_news_.sleep_until(over, nap_ns_)) nap_ns_ = std::min(2 * nap_ns_, tuning::longest_nap_ns);
  }
  void restart() {
    since_ = 0;
    nap_ns_ = tuning::shortest_nap_ns;
  }

 private:
  Together& together_;
  const uint32_t number_;
  uint64_t since_ = 0;
  int64_t nap_ns_ = tuning::shortest_nap_ns;
};

// A worker that stays with the plan from one replay to the next, with a list of its own.
class Together::StandbyPart : public exec::Standby {
 public:
  StandbyPart(std::shared_ptr<Together> together, unsigned list, uint32_t seen)
      : together_(std::move(together)), list_(list), seen_(seen) {}
  ~StandbyPart() override {
    together_->places_.fetch_and(~(1u << list_), std::memory_order_seq_cst);
    // Who has begun a replay meanwhile may have counted on this one.
    if (!in_the_way_) (void)StandbyPart::join();
  }

  bool join() override {
    const uint32_t number = together_->number_.load(std::memory_order_acquire);
    if (number == seen_) return false;
    seen_ = number;
    in_the_way_ = core_count() > 1 && together_->core_.load(std::memory_order_relaxed) == current_core();
    if (in_the_way_) return false;
    Part{*together_, number, list_}.help();
    return true;
  }
  bool worthwhile() const override { return !in_the_way_; }

 private:
  const std::shared_ptr<Together> together_;
  const unsigned list_;
  uint32_t seen_;            // the last replay that it knows
  bool in_the_way_ = false;  // on the core of the leader
};

// The list of a new standby worker; 0, the leader's, when every list has one.
unsigned Together::take_place() {
  const unsigned most = std::min(list_count_, 32u);
  uint32_t seen = places_.load(std::memory_order_relaxed);
  for (;;) {
    const unsigned list = 1 + static_cast<unsigned>(std::countr_one(seen >> 1));
    if (list >= most) return 0;
    if (places_.compare_exchange_weak(seen, seen | 1u << list, std::memory_order_relaxed)) return list;
  }
}

// Until the first steps run there is no operation that waits for what was written before it: that is on its way to
// where others look for it, and takes time.
void Together::run(Replay& replay, bool frequent) {
  if (plan_.steps_.empty()) return;
  Part leader{*this, number_.load(std::memory_order_relaxed) + 1, 0};
  replay_ = &replay;
  lane_ = exec::Lane::current();
  core_.store(current_core(), std::memory_order_relaxed);
  const Batch first = take_first(leader);
  const unsigned standby = static_cast<unsigned>(std::popcount(places_.load(std::memory_order_relaxed)));
  if (standby + 1 >= std::min(list_count_, 32u)) {
    number_.store(leader.number, std::memory_order_release);
    leader.run(first);
    leader.lead();
  } else {
    run_with_team(leader, first, frequent);
  }
  done_news_.notify_sleepers();
}

void Together::run_with_team(Part& leader, const Batch& first, bool frequent) {
  using exec::Team;
  Team team(
      [](void* context) {
        const Part& leader = *static_cast<Part*>(context);
        Together& together = leader.together;
        unsigned list = 0;
        Team::offer_standby([&]() -> std::unique_ptr<exec::Standby> {
          list = together.take_place();
          if (list == 0) return nullptr;
          return std::make_unique<StandbyPart>(together.shared_from_this(), list, leader.number);
        });
        if (list == 0) list = together.joined_.fetch_add(1, std::memory_order_relaxed) % together.list_count_;
        Part{together, leader.number, list}.help();
      },
      &leader, list_count_, Team::Opened::later);
  joined_.store(1, std::memory_order_relaxed);
  number_.store(leader.number, std::memory_order_release);
  team.open();
  if (predicted_ns_ > 2 * tuning::wake_up_ns || (frequent && invitation_due())) team.invite(list_count_ - 1);
  leader.run(first);
  leader.lead();
  // Who joined now would find nothing to do; who is here need not wait for more.
  team.close_door();
  if (team.has_others()) ended_.store(leader.number, std::memory_order_relaxed);
}

Together::Batch Together::take_first(const Part& leader) {
  List& list = lists_[0];
  if (list.first == list.end || !leader.ready(list.first, list.first)) return {0, 0};
  const uint32_t end = leader.batch_end(list, list.first, own_batch);
  list.cursor.store(cursor_of(leader.number, end), std::memory_order_relaxed);
  return {list.first, end};
}

// A worker that has to be woken comes too late for a short replay, but in time for the next if there is one soon; and
// from then on it comes by itself.
bool Together::invitation_due() {
  const uint64_t now = ticks();
  if (ticks_to_ns(now - invited_) < tuning::wake_up_ns) return false;
  invited_ = now;
  return true;
}

// ---- a thread's part ---------------------------------------------------------------------------------------------

// Until all is done.
void Together::Part::lead() {
  Waiting waiting(*this);
  const List& own = together.lists_[mine];
  size_t seen = 0;
  for (;;) {
    if (run_own()) {
      waiting.restart();
      continue;
    }
    const uint32_t next = front(own);
    const std::atomic<uint32_t>* awaited = next < own.end ? missing(next, next) : missing_at_the_end(seen);
    if (next < own.end) {
      if (!awaited || waiting.be_patient(*awaited, tuning::own_list_ns)) continue;
    } else if (!awaited) {
      return;
    }
    if (run_others()) {
      waiting.restart();
    } else {
      waiting.pass(*awaited, [&] { return awaited->load(std::memory_order_acquire) == number || any_ready(); });
    }
  }
}

// Until all is taken.
void Together::Part::help() {
  Waiting waiting(*this);
  const List& own = together.lists_[mine];
  for (;;) {
    if (run_own()) {
      waiting.restart();
      continue;
    }
    if (const uint32_t next = front(own); next < own.end) {
      const std::atomic<uint32_t>* awaited = missing(next, next);
      if (!awaited || waiting.be_patient(*awaited, tuning::own_list_ns)) continue;
    } else {
      if (waiting.be_patient(tuning::end_of_replay_ns, [&] { return over(); })) continue;
      if (over()) return;
    }
    if (run_others()) {
      waiting.restart();
    } else if (const std::atomic<uint32_t>* awaited = missing_anywhere()) {
      waiting.pass(*awaited, [&] { return all_taken() || any_ready(); });
    } else if (all_taken()) {
      return;
    }
  }
}

// The first slot of the list that is not taken; its end for who is late.
uint32_t Together::Part::front(const List& list, uint64_t cursor) const {
  const uint32_t replay = static_cast<uint32_t>(cursor >> 32);
  if (replay == number) return static_cast<uint32_t>(cursor);
  return static_cast<int32_t>(replay - number) < 0 ? list.first : list.end;
}

// What the front of the list, or of the next one that is not yet taken, waits for. Null when it is ready by now, or
// when all is taken.
const std::atomic<uint32_t>* Together::Part::missing_anywhere() const {
  for (unsigned i = 0; i < together.list_count_; ++i) {
    const List& list = together.lists_[(mine + i) % together.list_count_];
    if (const uint32_t next = front(list); next < list.end) return missing(next, next);
  }
  return nullptr;
}

// One of the last slots that is not done; null when the replay is over. The first `seen` are.
const std::atomic<uint32_t>* Together::Part::missing_at_the_end(size_t& seen) const {
  for (; seen < together.last_slots_.size(); ++seen) {
    if (!done(together.last_slots_[seen])) return &together.done_[together.last_slots_[seen]];
  }
  return nullptr;
}

bool Together::Part::all_taken() const {
  for (unsigned i = 0; i < together.list_count_; ++i) {
    if (front(together.lists_[i]) < together.lists_[i].end) return false;
  }
  return true;
}

bool Together::Part::any_ready() const {
  for (unsigned i = 0; i < together.list_count_; ++i) {
    const uint32_t next = front(together.lists_[i]);
    if (next < together.lists_[i].end && ready(next, next)) return true;
  }
  return false;
}

bool Together::Part::run_others() const {
  for (unsigned i = 1; i < together.list_count_; ++i) {
    if (run_from(together.lists_[(mine + i) % together.list_count_], others_batch)) return true;
  }
  return false;
}

bool Together::Part::run_from(List& list, const BatchSize& size) const {
  Batch batch;
  if (!take(list, size, batch)) return false;
  run(batch);
  return true;
}

void Together::Part::run(const Batch& batch) const {
  if (batch.first == batch.end) return;
  Replay& replay = *together.replay_;
  // For a standby worker, which no team has told. Not for longer: with the last slot done, the lane may be gone.
  exec::Lane::Helping helping(together.lane_);
  for (Batch rest = batch; rest.first < rest.end;) {
    Step& step = *together.slots_[rest.first].step;
    if (step.run == &run_kernel_step && static_cast<KernelStep&>(step).small) {
      rest.first = run_kernels(rest);
      continue;
    }
    step.run(step, replay);
    together.done_[rest.first++].store(number, std::memory_order_release);
  }
  together.done_news_.notify_sleepers();
}

namespace {

// As a thunk: so that one guard against faults is set up for many kernels.
template <class Each>
struct Guarded {
  static void run(const void* each, const reprise_launch*) { (*static_cast<const Each*>(each))(); }
};

}  // namespace

// Small kernels from the front of the batch, all on one device. The first slot that is not done.
uint32_t Together::Part::run_kernels(const Batch& batch) const {
  const int device = together.slots_[batch.first].step->device;
  volatile uint32_t reached = batch.first;
  const auto kernels = [&] {
    uint32_t slot = batch.first;
    for (; slot < batch.end; ++slot) {
      const Step& step = *together.slots_[slot].step;
      if (step.run != &run_kernel_step || step.device != device) break;
      const KernelStep& kernel = static_cast<const KernelStep&>(step);
      if (!kernel.small) break;
      reached = slot;
      if (sticky_error(device) == cudaSuccess) [[likely]]
        call_kernel(kernel);
      together.done_[slot].store(number, std::memory_order_release);
    }
    reached = slot;
  };
  const cudaError_t fault = kernel::run_guarded(&Guarded<decltype(kernels)>::run, &kernels, reprise_launch{});
  if (fault == cudaSuccess) [[likely]]
    return reached;
  // The others of the batch come to nothing when they are run.
  set_sticky_error(device, fault);
  together.done_[reached].store(number, std::memory_order_release);
  return reached + 1;
}

bool Together::Part::take(List& list, const BatchSize& size, Batch& batch) const {
  uint64_t cursor = list.cursor.load(std::memory_order_acquire);
  for (;;) {
    const uint32_t next = front(list, cursor);
    if (next >= list.end || !ready(next, next)) return false;
    const uint32_t end = batch_end(list, next, size);
    if (list.cursor.compare_exchange_weak(cursor, cursor_of(number, end), std::memory_order_acq_rel,
                                          std::memory_order_acquire)) {
      batch = {next, end};
      return true;
    }
  }
}

uint32_t Together::Part::batch_end(const List& list, uint32_t cursor, const BatchSize& size) const {
  const std::vector<Slot>& slots = together.slots_;
  const float limit = std::clamp(slots[cursor].rest_ns / 4, size.least_ns, size.most_ns);
  float ns = slots[cursor].ns;
  uint32_t end = cursor + 1;
  while (end < list.end && ns + slots[end].ns <= limit && ready(end, cursor)) ns += slots[end++].ns;
  return end;
}

// The word of something that the slot depends on and that is not done; null when it is ready.
const std::atomic<uint32_t>* Together::Part::missing(uint32_t slot, uint32_t batch_first) const {
  for (uint32_t i = together.slots_[slot].first; i < together.slots_[slot].end; ++i) {
    const uint32_t before = together.dependencies_[i];
    if (before >= batch_first && before < slot) continue;
    if (!done(before)) return &together.done_[before];
  }
  return nullptr;
}

}  // namespace reprise_runtime::graph
