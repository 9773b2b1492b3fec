#include "exec/team.h"

#include <atomic>
#include <bit>

#include "base/cores.h"
#include "base/devices.h"
#include "base/tuning.h"
#include "base/waiting.h"
#include "exec/lane.h"
#include "exec/workers.h"

namespace reprise_runtime::exec {

struct TeamBoard {
  static constexpr int slots = 64;
  static constexpr uint32_t open = 1u << 31;

  // Each slot and each mask has cache lines of its own.
  static constexpr size_t apart = tuning::separate_bytes;
  struct alignas(apart) Slot {
    std::atomic<uint32_t> word{0};
    std::atomic<const Lane*> lane{nullptr};
    Team* team = nullptr;
    EventCount left;  // The leader sleeps until the last member has left.
  };

  alignas(apart) std::atomic<uint64_t> taken{0};  // slots that belong to a leader
  alignas(apart) std::atomic<uint64_t> joinable{0};
  Slot slot[slots];

  int take_slot() {
    uint64_t seen = taken.load(std::memory_order_relaxed);
    while (~seen) {
      int index = std::countr_one(seen);
      if (taken.compare_exchange_weak(seen, seen | uint64_t{1} << index, std::memory_order_acquire)) return index;
    }
    return Team::no_slot;
  }
  bool is_joinable(int index) const { return joinable.load(std::memory_order_relaxed) >> index & 1; }
  void make_unjoinable(int index) {
    if (is_joinable(index)) joinable.fetch_and(~(uint64_t{1} << index), std::memory_order_relaxed);
  }

  template <class Wanted>
  bool enter(int index, Wanted&& wanted) {
    Slot& here = slot[index];
    uint32_t word = here.word.load(std::memory_order_relaxed);
    while (word & open) {
      if (!here.word.compare_exchange_weak(word, word + 1, std::memory_order_acquire)) continue;
      Team* team = here.team;
      const uint32_t others = word & ~open;
      bool welcome = others + 1 < team->most_ && wanted(*team);
      // With this member the team is full: no other thread need look here.
      if (welcome && others + 2 >= team->most_) make_unjoinable(index);
      if (welcome) {
        Lane::Helping helping(team->lane_);
        team->run();
      }
      leave(here);
      return welcome;
    }
    return false;
  }

  void leave(Slot& here) {
    if (here.word.fetch_sub(1, std::memory_order_seq_cst) == 1) here.left.notify_sleepers();
  }

  // Calls look(index) for the joinable slots that work for the lane (null: for any), until it is true.
  template <class Look>
  bool any(const Lane* lane, Look&& look) {
    for (uint64_t rest = joinable.load(std::memory_order_relaxed); rest; rest &= rest - 1) {
      int index = std::countr_zero(rest);
      if (lane && slot[index].lane.load(std::memory_order_relaxed) != lane) continue;
      if (look(index)) return true;
    }
    return false;
  }
  template <class Wanted>
  bool enter_any(const Lane* lane, Wanted&& wanted) {
    return any(lane, [&](int index) { return enter(index, wanted); });
  }

  void wait_until_left(Slot& here) {
    uint32_t word = here.word.load(std::memory_order_acquire);
    if (word & open) word = here.word.fetch_and(~open, std::memory_order_acq_rel) & ~open;
    if (word == 0) return;
    const auto empty = [&] { return here.word.load(std::memory_order_acquire) == 0; };
    if (spin_times(tuning::looks_for_members, empty)) return;
    here.left.sleep_until(empty);  // A member has lost its core: sleeping gives it this one.
  }
};

namespace {
constinit TeamBoard board;
}

Team::Team(Body body, void* context, unsigned most, Opened opened)
    : body_(body),
      context_(context),
      most_(most),
      lane_(Lane::current()),
      core_(current_core()),
      slot_(board.take_slot()) {
  if (slot_ == no_slot) return;
  counted_ = Workers::instance().count_leader();
  if (opened == Opened::now) open();
}

void Team::open() {
  if (slot_ == no_slot) return;
  TeamBoard::Slot& here = board.slot[slot_];
  here.team = this;
  here.lane.store(lane_, std::memory_order_relaxed);
  here.word.store(TeamBoard::open, std::memory_order_release);
  board.joinable.fetch_or(uint64_t{1} << slot_, std::memory_order_seq_cst);
}

void Team::close() {
  if (slot_ == no_slot) return;
  board.make_unjoinable(slot_);
  board.wait_until_left(board.slot[slot_]);
  board.taken.fetch_and(~(uint64_t{1} << slot_), std::memory_order_release);
  slot_ = no_slot;
  if (counted_) Workers::instance().uncount_leader();
}

void Team::open_door() {
  if (slot_ == no_slot) return;
  board.slot[slot_].word.fetch_or(TeamBoard::open, std::memory_order_release);
  board.joinable.fetch_or(uint64_t{1} << slot_, std::memory_order_seq_cst);
}

void Team::close_door() {
  if (slot_ == no_slot) return;
  board.make_unjoinable(slot_);
  std::atomic<uint32_t>& word = board.slot[slot_].word;
  if (word.load(std::memory_order_relaxed) & TeamBoard::open) {
    word.fetch_and(~TeamBoard::open, std::memory_order_relaxed);
  }
}

bool Team::has_others() const {
  return slot_ != no_slot && board.slot[slot_].word.load(std::memory_order_relaxed) & ~TeamBoard::open;
}

bool Team::door_closed() const {
  return slot_ != no_slot && !(board.slot[slot_].word.load(std::memory_order_acquire) & TeamBoard::open);
}

void Team::invite(unsigned count) {
  if (slot_ != no_slot) Workers::instance().invite(count);
}

bool Team::join(const Lane* lane) {
  return board.enter_any(lane, [&](Team& team) { return team.lane_ == lane; });
}
bool Team::join_with(const void* context) {
  return board.enter_any(nullptr, [&](Team& team) { return team.context_ == context; });
}

bool Team::join_any(std::unique_ptr<Standby>* standby) {
  offered_ = standby;
  const int core = current_core();
  bool in_the_way = false;
  bool joined = board.enter_any(nullptr, [&](Team& team) {
    if (team.core_ != core || core_count() == 1) return true;
    in_the_way = true;
    return false;
  });
  if (!joined && in_the_way) {
    leave_core(core);
    joined = board.enter_any(nullptr, [](Team&) { return true; });
  }
  offered_ = nullptr;
  return joined;
}

bool Team::open_for(const Lane* lane) {
  return board.any(lane, [](int) { return true; });
}
bool Team::any_open() { return board.joinable.load(std::memory_order_seq_cst) != 0; }

}  // namespace reprise_runtime::exec
