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
// Steps are taken by several at once, so that taking costs little; but not so many that a list ends late.
constexpr float batch_ns = 4'000;
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
  Schedule schedule = make_schedule(plan.first_dependency_, plan.dependencies_, ns, list_count_, hand_over_ns);
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

void Together::run(Replay& replay, bool frequent) {
  if (plan_.steps_.empty()) return;
  ++number_;
  team_.store(nullptr, std::memory_order_relaxed);
  const unsigned came = joined_.exchange(0, std::memory_order_relaxed);
  for (unsigned i = 0; i < list_count_; ++i) lists_[i].cursor.store(lists_[i].first, std::memory_order_relaxed);
  struct Shared {
    Together& together;
    Replay& replay;
  } shared{*this, replay};
  exec::Team team(
      [](void* context) {
        Shared& here = *static_cast<Shared*>(context);
        here.together.take_part(here.replay);
      },
      &shared, list_count_);
  team_.store(&team, std::memory_order_release);
  if (predicted_ns_ > 2 * exec::Team::wake_up_ns || (frequent && came < list_count_ && invitation_due())) {
    team.invite(list_count_ - 1);
  }
  team.run();
  wake_waiting();
}

// A worker that has to be woken comes too late for a short replay, but in time for the next if there is one soon; and
// from then on it comes by itself.
bool Together::invitation_due() {
  const uint64_t now = ticks();
  if (ticks_to_ns(now - invited_) < exec::Team::wake_up_ns) return false;
  invited_ = now;
  return true;
}

void Together::take_part(Replay& replay) {
  const unsigned mine = joined_.fetch_add(1, std::memory_order_relaxed) % list_count_;
  Waiting waiting(*this);
  for (;;) {
    if (run_some(mine, replay)) {
      waiting.restart();
    } else if (const std::atomic<uint32_t>* missing = missing_in(mine)) {
      waiting.pass(*missing, [&] { return all_taken() || any_ready(); });
    } else if (all_taken()) {
      break;
    }
  }
  // Who joined now would find nothing to do, and join again.
  if (exec::Team* team = team_.load(std::memory_order_acquire)) team->close_door();
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

bool Together::run_some(unsigned mine, Replay& replay) {
  Batch batch;
  for (unsigned i = 0; i < list_count_; ++i) {
    if (!take(lists_[(mine + i) % list_count_], batch)) continue;
    for (uint32_t slot = batch.first; slot < batch.end; ++slot) {
      Step& step = *slots_[slot].step;
      step.run(step, replay);
      done_[slot].store(number_, std::memory_order_release);
    }
    wake_waiting();
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
    const float limit = std::min(batch_ns, first.rest_ns / 4);
    float ns = first.ns;
    while (end < list.end && ns + slots_[end].ns <= limit && ready(end, cursor)) ns += slots_[end++].ns;
    if (list.cursor.compare_exchange_weak(cursor, end, std::memory_order_acq_rel, std::memory_order_acquire)) {
      batch = {cursor, end};
      return true;
    }
  }
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
