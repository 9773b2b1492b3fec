#include "graph/together.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/devices.h"
#include "base/futex.h"
#include "base/pause.h"
#include "exec/blocking.h"
#include "exec/team.h"
#include "graph/schedule.h"

namespace reprise::graph {
namespace {

// What one thread has done, another sees so much later.
constexpr double hand_over_ns = 150;
// Opening a team, and until the first has joined.
constexpr double joining_ns = 400;
// A look at another's list costs its owner the time of a hand-over. So who waits for something that the own list needs,
// or has done all of it, looks there only after this time: mostly it has what it needs, or all is done, by then.
constexpr double patience_ns = 1'200, patience_at_the_end_ns = 500;
// A thread without a ready step looks for so long before it sleeps.
constexpr double spin_ns = 20'000;
// A sleeper looks again by itself: it may have missed the news by falling asleep just then. Making sure that it cannot
// would cost every step a fence.
constexpr int64_t shortest_nap_ns = 200'000, longest_nap_ns = 10'000'000;

}  // namespace

// ---- made once ---------------------------------------------------------------------------------------------------

Together::Together(Plan& plan, const std::vector<float>& ns)
    : plan_(plan),
      list_count_(static_cast<unsigned>(std::clamp<size_t>(static_cast<size_t>(core_count()), 1, ns.size()))) {
  std::vector<int8_t> priorities;
  if (plan.priorities_) {
    for (const Step* step : plan.steps_) priorities.push_back(step->priority);
  }
  Schedule schedule = make_schedule(plan.first_dependency_, plan.dependencies_, ns, list_count_, hand_over_ns, priorities);
  predicted_ns_ = schedule.ns + joining_ns;
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
  // Slots of a list are taken in order: what an earlier one has waited for, a later one need not look at again. (Looking
  // would cost a cache line that whoever did it is still writing to.)
  constexpr unsigned nobody = ~0u;
  std::vector<unsigned> awaited_by(slots, nobody);
  for (unsigned i = 0; i < list_count_; ++i) {
    for (uint32_t step : lists[i]) {
      const uint32_t first = static_cast<uint32_t>(dependencies_.size());
      for (uint32_t k = plan_.first_dependency_[step]; k < plan_.first_dependency_[step + 1]; ++k) {
        const uint32_t before = slot_of[plan_.dependencies_[k]];
        if (std::exchange(awaited_by[before], i) != i) dependencies_.push_back(before);
      }
      slots_[slot_of[step]] = {plan_.steps_[step], first, static_cast<uint32_t>(dependencies_.size()), ns[step], 0};
    }
  }
  for (unsigned i = 0; i < list_count_; ++i) {
    float rest = 0;
    for (uint32_t slot = lists_[i].end; slot-- > lists_[i].first;) slots_[slot].rest_ns = rest += slots_[slot].ns;
  }
}

size_t Together::bytes() const {
  return sizeof *this + slots_.capacity() * sizeof(Slot) + dependencies_.capacity() * sizeof(uint32_t) +
         slots_.size() * sizeof(uint32_t) + list_count_ * sizeof(List);
}

// ---- a replay ----------------------------------------------------------------------------------------------------

// A thread that finds nothing ready: looks for a while, then sleeps until somebody is done with something.
class Together::Waiting {
 public:
  explicit Waiting(Together& together) : together_(together) {}

  // Looks at `word` alone for a moment; false when that was before.
  bool be_patient(const std::atomic<uint32_t>& word, double ns) {
    if (since_ != 0 || core_count() == 1) return false;
    since_ = ticks();
    while (word.load(std::memory_order_acquire) != together_.number_ && ticks_to_ns(ticks() - since_) < ns) pause();
    return true;
  }

  // Passes some time; returns early when `word` says that it is over, or, seen less often, `over()` does.
  template <class Over>
  void pass(const std::atomic<uint32_t>& word, Over&& over) {
    if (since_ == 0) since_ = ticks();
    if (core_count() > 1 && ticks_to_ns(ticks() - since_) < spin_ns) {
      for (int i = 0; i < 16 && word.load(std::memory_order_acquire) != together_.number_; ++i) pause();
      return;
    }
    together_.waiting_.fetch_add(1, std::memory_order_seq_cst);
    const uint32_t news = together_.news_.load(std::memory_order_seq_cst);
    if (!over()) {
      exec::BlockingScope asleep;
      futex::wait(together_.news_, news, nap_ns_);
      nap_ns_ = std::min(2 * nap_ns_, longest_nap_ns);
    }
    together_.waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  void restart() {
    since_ = 0;
    nap_ns_ = shortest_nap_ns;
  }

 private:
  Together& together_;
  uint64_t since_ = 0;
  int64_t nap_ns_ = shortest_nap_ns;
};

// Until the first steps run there is no operation that waits for what was written before it: that is on its way to where
// others look for it, and takes time.
void Together::run(Replay& replay, bool frequent) {
  if (plan_.steps_.empty()) return;
  struct Shared {
    Together& together;
    Replay& replay;
  } shared{*this, replay};
  using exec::Team;
  Team team(
      [](void* context) {
        Shared& here = *static_cast<Shared*>(context);
        Together& together = here.together;
        const unsigned number = together.joined_.fetch_add(1, std::memory_order_relaxed);
        together.take_part(number % together.list_count_, false, here.replay);
      },
      &shared, list_count_, Team::Call::nobody);
  ++number_;
  const unsigned came = joined_.load(std::memory_order_relaxed);
  joined_.store(1, std::memory_order_relaxed);
  for (unsigned i = 0; i < list_count_; ++i) lists_[i].cursor.store(lists_[i].first, std::memory_order_relaxed);
  team_.store(&team, std::memory_order_relaxed);
  const Batch first = take_first();
  team.open(predicted_ns_ > Team::wake_up_ns ? Team::Call::everybody : Team::Call::attendants);
  if (predicted_ns_ > 2 * Team::wake_up_ns || (frequent && came < list_count_ && invitation_due())) {
    team.invite(list_count_ - 1);
  }
  run(first, replay);
  take_part(0, true, replay);
  // Mostly they have gone, and the store would have to wait for the line that they have watched.
  if (team.has_others()) over_.store(number_, std::memory_order_relaxed);
  wake_waiting();
}

Together::Batch Together::take_first() {
  List& list = lists_[0];
  if (list.first == list.end || !ready(list.first, list.first)) return {0, 0};
  const uint32_t end = batch_end(list, list.first, own_batch);
  list.cursor.store(end, std::memory_order_relaxed);
  return {list.first, end};
}

// A worker that has to be woken comes too late for a short replay, but in time for the next if there is one soon; and
// from then on it comes by itself.
bool Together::invitation_due() {
  const uint64_t now = ticks();
  if (ticks_to_ns(now - invited_) < exec::Team::wake_up_ns) return false;
  invited_ = now;
  return true;
}

void Together::take_part(unsigned mine, bool leads, Replay& replay) {
  exec::Team& team = *team_.load(std::memory_order_relaxed);
  Waiting waiting(*this);
  for (;;) {
    if (run_own(mine, replay)) {
      waiting.restart();
      continue;
    }
    const List& own = lists_[mine];
    const uint32_t front = own.cursor.load(std::memory_order_acquire);
    if (front < own.end) {
      const std::atomic<uint32_t>* awaited = missing(front, front);
      if (!awaited || waiting.be_patient(*awaited, patience_ns)) continue;
    } else {
      if (!leads && waiting.be_patient(over_, patience_at_the_end_ns)) continue;
      if (leads ? team.door_closed() : over_.load(std::memory_order_relaxed) == number_) break;
    }
    if (run_others(mine, replay)) {
      waiting.restart();
    } else if (const std::atomic<uint32_t>* missing = missing_in(mine)) {
      waiting.pass(*missing, [&] { return all_taken() || any_ready(); });
    } else if (all_taken()) {
      break;
    }
  }
  // Who joined now would find nothing to do, and join again. So a closed door says that all is taken.
  team.close_door();
}

// What the front of the list, or of the next one that is not yet taken, waits for. Null when it is ready by now, or when
// all is taken.
const std::atomic<uint32_t>* Together::missing_in(unsigned mine) const {
  for (unsigned i = 0; i < list_count_; ++i) {
    const List& list = lists_[(mine + i) % list_count_];
    const uint32_t front = list.cursor.load(std::memory_order_acquire);
    if (front < list.end) return missing(front, front);
  }
  return nullptr;
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

bool Together::run_others(unsigned mine, Replay& replay) {
  for (unsigned i = 1; i < list_count_; ++i) {
    if (run_from(lists_[(mine + i) % list_count_], others_batch, replay)) return true;
  }
  return false;
}

bool Together::run_from(List& list, const BatchSize& size, Replay& replay) {
  Batch batch;
  if (!take(list, size, batch)) return false;
  run(batch, replay);
  return true;
}

void Together::run(const Batch& batch, Replay& replay) {
  for (uint32_t slot = batch.first; slot < batch.end; ++slot) {
    Step& step = *slots_[slot].step;
    step.run(step, replay);
    done_[slot].store(number_, std::memory_order_release);
  }
  wake_waiting();
}

bool Together::take(List& list, const BatchSize& size, Batch& batch) {
  uint32_t cursor = list.cursor.load(std::memory_order_acquire);
  for (;;) {
    if (cursor >= list.end || !ready(cursor, cursor)) return false;
    const uint32_t end = batch_end(list, cursor, size);
    if (list.cursor.compare_exchange_weak(cursor, end, std::memory_order_acq_rel, std::memory_order_acquire)) {
      batch = {cursor, end};
      return true;
    }
  }
}

uint32_t Together::batch_end(const List& list, uint32_t cursor, const BatchSize& size) const {
  const float limit = std::clamp(slots_[cursor].rest_ns / 4, size.least_ns, size.most_ns);
  float ns = slots_[cursor].ns;
  uint32_t end = cursor + 1;
  while (end < list.end && ns + slots_[end].ns <= limit && ready(end, cursor)) ns += slots_[end++].ns;
  return end;
}

// The word of something that the slot depends on and that is not done; null when it is ready.
const std::atomic<uint32_t>* Together::missing(uint32_t slot, uint32_t batch_first) const {
  for (uint32_t i = slots_[slot].first; i < slots_[slot].end; ++i) {
    const uint32_t before = dependencies_[i];
    if (before >= batch_first && before < slot) continue;
    const std::atomic<uint32_t>& word = done_[before];
    if (word.load(std::memory_order_acquire) != number_) return &word;
  }
  return nullptr;
}

void Together::wake_waiting() {
  if (waiting_.load(std::memory_order_relaxed) == 0) [[likely]] return;
  news_.fetch_add(1, std::memory_order_seq_cst);
  futex::wake_all(news_);
}

}  // namespace reprise::graph
