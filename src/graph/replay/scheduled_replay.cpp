#include "graph/replay/scheduled_replay.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/clock.h"
#include "base/cores.h"
#include "base/devices.h"
#include "base/tuning.h"
#include "exec/lane.h"
#include "exec/team.h"
#include "graph/replay/schedule.h"

namespace reprise_runtime::graph {

// ---- construction ------------------------------------------------------------------------------------------------

ScheduledReplay::ScheduledReplay(const PlanLayout& layout, const std::vector<float>& ns)
    : list_count_(static_cast<unsigned>(std::clamp<size_t>(static_cast<size_t>(core_count()), 1, ns.size()))) {
  std::vector<int8_t> priorities;
  if (layout.has_priorities) {
    for (const Step* step : layout.steps) priorities.push_back(step->priority);
  }
  Schedule schedule =
      make_schedule(layout.first_dependency, layout.dependencies, ns, list_count_, tuning::hand_over_ns, priorities);
  predicted_ns_ = schedule.ns + tuning::joining_ns;
  lists_ = std::make_unique<List[]>(list_count_);
  fill_slots(layout, schedule.lists, ns);
  done_.resize(slots_.size());
}

void ScheduledReplay::fill_slots(const PlanLayout& layout, const std::vector<std::vector<uint32_t>>& lists,
                                 const std::vector<float>& ns) {
  std::vector<uint32_t> slot_of(ns.size());
  size_t slots = 0;
  for (unsigned i = 0; i < list_count_; ++i) {
    slots = (slots + Words::line_words - 1) / Words::line_words * Words::line_words;
    lists_[i].first = static_cast<uint32_t>(slots);
    for (uint32_t step : lists[i]) slot_of[step] = static_cast<uint32_t>(slots++);
    lists_[i].end = static_cast<uint32_t>(slots);
  }
  slots_.resize(slots);
  // Slots of a list are taken in order. So when an earlier slot of this list depends on a slot of another list, that
  // one is done, and a later slot need not check it again: the check would read a cache line that another thread is
  // still writing to. A dependency within the list is kept, since the earlier slot may be in the same batch.
  constexpr unsigned none = ~0u;
  std::vector<unsigned> awaited_by(slots, none);
  for (unsigned i = 0; i < list_count_; ++i) {
    for (uint32_t step : lists[i]) {
      const uint32_t first = static_cast<uint32_t>(dependencies_.size());
      for (uint32_t k = layout.first_dependency[step]; k < layout.first_dependency[step + 1]; ++k) {
        const uint32_t before = slot_of[layout.dependencies[k]];
        const bool own = before >= lists_[i].first && before < lists_[i].end;
        if (own || std::exchange(awaited_by[before], i) != i) dependencies_.push_back(before);
      }
      slots_[slot_of[step]] = {layout.steps[step], first, static_cast<uint32_t>(dependencies_.size()), ns[step], 0};
    }
  }
  std::vector<bool> followed(ns.size());
  for (uint32_t before : layout.dependencies) followed[before] = true;
  for (uint32_t step = 0; step < ns.size(); ++step) {
    if (!followed[step]) last_slots_.push_back(slot_of[step]);
  }
  for (unsigned i = 0; i < list_count_; ++i) {
    float rest = 0;
    for (uint32_t slot = lists_[i].end; slot-- > lists_[i].first;) slots_[slot].rest_ns = rest += slots_[slot].ns;
  }
}

size_t ScheduledReplay::bytes() const {
  return sizeof *this + slots_.capacity() * sizeof(Slot) +
         (dependencies_.capacity() + last_slots_.capacity()) * sizeof(uint32_t) + slots_.size() * sizeof(uint32_t) +
         list_count_ * sizeof(List);
}

// ---- replay ------------------------------------------------------------------------------------------------------

// A worker that stays from one replay to the next, with a list of its own.
class ScheduledReplay::StandbyWorker : public exec::Standby {
 public:
  StandbyWorker(std::shared_ptr<ScheduledReplay> all, unsigned list, uint32_t seen)
      : all_(std::move(all)), list_(list), seen_(seen) {}
  ~StandbyWorker() override {
    all_->standby_lists_.fetch_and(~(1u << list_), std::memory_order_seq_cst);
    // A replay that has begun meanwhile may have counted this worker.
    if (!on_leaders_core_) (void)StandbyWorker::join();
  }

  bool join() override {
    const uint32_t number = all_->number_.load(std::memory_order_acquire);
    if (number == seen_) return false;
    seen_ = number;
    on_leaders_core_ = core_count() > 1 && all_->core_.load(std::memory_order_relaxed) == current_core();
    if (on_leaders_core_) return false;
    Worker{*all_, number, list_}.help();
    return true;
  }
  bool worthwhile() const override { return !on_leaders_core_; }

 private:
  const std::shared_ptr<ScheduledReplay> all_;
  const unsigned list_;
  uint32_t seen_;  // the number of the last replay that it has noticed
  bool on_leaders_core_ = false;
};

// Returns the list of a new standby worker; 0, which is the leader's, when every list has one.
unsigned ScheduledReplay::assign_list() {
  const unsigned end = std::min(list_count_, 32u);
  uint32_t seen = standby_lists_.load(std::memory_order_relaxed);
  for (;;) {
    const unsigned list = 1 + static_cast<unsigned>(std::countr_one(seen >> 1));
    if (list >= end) return 0;
    if (standby_lists_.compare_exchange_weak(seen, seen | 1u << list, std::memory_order_relaxed)) return list;
  }
}

// Before the first steps run there is no fence or read-modify-write operation, so the stores that start the replay
// travel to the other cores while this thread already works.
void ScheduledReplay::run(Replay& replay, bool frequent) {
  if (slots_.empty()) return;
  Worker leader{*this, number_.load(std::memory_order_relaxed) + 1, 0};
  replay_ = &replay;
  lane_ = exec::Lane::current();
  core_.store(current_core(), std::memory_order_relaxed);
  const Batch first = take_first(leader);
  const unsigned standby = static_cast<unsigned>(std::popcount(standby_lists_.load(std::memory_order_relaxed)));
  if (standby + 1 >= std::min(list_count_, 32u)) {
    number_.store(leader.number, std::memory_order_release);
    leader.run(first);
    leader.lead();
  } else {
    run_with_team(leader, first, frequent);
  }
  done_events_.notify_sleepers();
}

void ScheduledReplay::run_with_team(Worker& leader, const Batch& first, bool frequent) {
  using exec::Team;
  Team team(
      [](void* context) {
        const Worker& leader = *static_cast<Worker*>(context);
        ScheduledReplay& all = leader.all;
        unsigned list = 0;
        Team::offer_standby([&]() -> std::unique_ptr<exec::Standby> {
          list = all.assign_list();
          if (list == 0) return nullptr;
          return std::make_unique<StandbyWorker>(all.shared_from_this(), list, leader.number);
        });
        if (list == 0) list = all.joined_.fetch_add(1, std::memory_order_relaxed) % all.list_count_;
        Worker{all, leader.number, list}.help();
      },
      &leader, list_count_, Team::Opened::later);
  joined_.store(1, std::memory_order_relaxed);
  number_.store(leader.number, std::memory_order_release);
  team.open();
  if (predicted_ns_ > 2 * tuning::wake_up_ns || (frequent && invitation_due())) team.invite(list_count_ - 1);
  leader.run(first);
  leader.lead();
  // A worker that joins now finds nothing to do, and those that are here need not wait for more.
  team.close_door();
  if (team.has_others()) ended_.store(leader.number, std::memory_order_relaxed);
}

ScheduledReplay::Batch ScheduledReplay::take_first(const Worker& leader) {
  List& list = lists_[0];
  if (list.first == list.end || !leader.ready(list.first, list.first)) return {0, 0};
  const uint32_t end = leader.batch_end(list, list.first, own_batch);
  list.cursor.store(cursor_of(leader.number, end), std::memory_order_relaxed);
  return {list.first, end};
}

// A worker that has to be woken is too late for a short replay, but in time for the next one if that follows soon. From
// then on it stands by and needs no invitation.
bool ScheduledReplay::invitation_due() {
  const uint64_t now = ticks();
  if (ticks_to_ns(now - invited_) < tuning::wake_up_ns) return false;
  invited_ = now;
  return true;
}

}  // namespace reprise_runtime::graph
