#include "exec/team.h"

#include <atomic>
#include <bit>

#include "base/cores.h"
#include "base/devices.h"
#include "base/futex.h"
#include "base/pause.h"
#include "exec/lane.h"
#include "exec/workers.h"

namespace reprise_runtime::exec {

struct TeamBoard {
  static constexpr int slots = 64;
  static constexpr uint32_t open = 1u << 31;
  static constexpr uint32_t awaited = 1u << 30;  // the leader sleeps until the members are gone
  static constexpr uint32_t member_mask = awaited - 1;

  // What changes with every team lies apart from what seldom changes: who only looks at that finds it in its own cache.
  // Two cache lines, since processors fetch them in pairs.
  static constexpr size_t apart = 128;
  struct alignas(apart) Slot {
    std::atomic<uint32_t> word{0};
    std::atomic<uint32_t> most{0};
    std::atomic<const Lane*> lane{nullptr};
    Team* team = nullptr;
    std::atomic<uint32_t> opened{0};  // how often
    alignas(apart) std::atomic<uint32_t> attendants{0};

    void note_opening() { opened.store(opened.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
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
      const uint32_t others = word & member_mask;
      bool welcome = others + 1 < team->most_ && wanted(*team);
      // With this one it is full: nobody need look here any more.
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
    uint32_t before = here.word.fetch_sub(1, std::memory_order_acq_rel);
    if (before == (awaited | 1)) futex::wake_all(here.word);
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
  bool enter_one(const Lane* lane) {
    return any(lane, [&](int index) { return enter(index, [&](Team& team) { return !lane || team.lane_ == lane; }); });
  }
  bool enter_with(const void* context) {
    return any(nullptr, [&](int index) { return enter(index, [&](Team& team) { return team.context_ == context; }); });
  }

  void wait_until_left(Slot& here) {
    uint32_t word = here.word.load(std::memory_order_acquire);
    if (word & open) word = here.word.fetch_and(~open, std::memory_order_acq_rel) & ~open;
    for (int i = 0; i < 1000 && word; ++i) {
      pause();
      word = here.word.load(std::memory_order_acquire);
    }
    // A member has lost its core: sleeping gives it this one.
    while (word & member_mask) {
      if (!(word & awaited)) {
        here.word.compare_exchange_weak(word, word | awaited, std::memory_order_acquire);
        continue;
      }
      futex::wait(here.word, word);
      word = here.word.load(std::memory_order_acquire);
    }
    if (word) here.word.store(0, std::memory_order_relaxed);
  }
};

namespace {
constinit TeamBoard board;
}

Team::Team(Body body, void* context, unsigned most, Call call)
    : body_(body),
      context_(context),
      most_(most),
      lane_(Lane::current()),
      core_(current_core()),
      slot_(board.take_slot()) {
  if (slot_ == no_slot) return;
  counted_ = Workers::instance().count_leader();
  if (call != Call::nobody) open(call);
}

void Team::open(Call call) {
  if (slot_ == no_slot) return;
  TeamBoard::Slot& here = board.slot[slot_];
  const bool attended = here.attendants.load(std::memory_order_relaxed) + 1 >= most_;
  here.team = this;
  here.lane.store(lane_, std::memory_order_relaxed);
  here.most.store(most_, std::memory_order_relaxed);
  here.note_opening();
  here.word.store(TeamBoard::open, std::memory_order_release);
  if (call == Call::everybody || !attended) board.joinable.fetch_or(uint64_t{1} << slot_, std::memory_order_seq_cst);
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
  board.slot[slot_].note_opening();
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
  return slot_ != no_slot && board.slot[slot_].word.load(std::memory_order_relaxed) & TeamBoard::member_mask;
}

bool Team::door_closed() const {
  return slot_ != no_slot && !(board.slot[slot_].word.load(std::memory_order_acquire) & TeamBoard::open);
}

void Team::invite(unsigned count) {
  if (slot_ != no_slot) Workers::instance().invite(count);
}

bool Team::join(const Lane* lane) { return board.enter_one(lane); }
bool Team::join_with(const void* context) { return board.enter_with(context); }

bool Team::join_any() {
  int slot = no_slot;
  return join_any(slot);
}

bool Team::join_any(int& slot) {
  const int core = current_core();
  bool in_the_way = false;
  auto elsewhere = [&](Team& team) {
    if (team.core_ != core || core_count() == 1) return true;
    in_the_way = true;
    return false;
  };
  auto enter = [&](auto&& wanted) {
    return board.any(nullptr, [&](int index) {
      slot = index;
      return board.enter(index, wanted);
    });
  };
  if (enter(elsewhere)) return true;
  if (!in_the_way) return false;
  leave_core(core);
  return enter([](Team&) { return true; });
}

bool Team::join_any(int& slot, std::unique_ptr<Attended>& attended) {
  wanted_ = &attended;
  const bool joined = join_any(slot);
  wanted_ = nullptr;
  return joined;
}

class Team::Attendance : public Attended {
 public:
  // Who opens a team before this one counts calls everybody.
  explicit Attendance(int slot) : slot_(slot), opened_(board.slot[slot].opened.load(std::memory_order_relaxed)) {
    board.slot[slot_].attendants.fetch_add(1, std::memory_order_relaxed);
  }
  ~Attendance() override {
    board.slot[slot_].attendants.fetch_sub(1, std::memory_order_seq_cst);
    // Who has opened a team meanwhile may have counted this one.
    if (!in_the_way_) (void)Attendance::join();
  }
  bool join() override;
  bool goes_on() const override { return !in_the_way_; }

 private:
  const int slot_;
  uint32_t opened_;          // the last opening of the slot that it knows: it joins no team twice
  bool in_the_way_ = false;  // on the core of the leader
};

std::unique_ptr<Attended> Team::attend_slot(int slot) { return std::make_unique<Attendance>(slot); }

bool Team::Attendance::join() {
  const TeamBoard::Slot& here = board.slot[slot_];
  const uint32_t word = here.word.load(std::memory_order_acquire), opened = here.opened.load(std::memory_order_relaxed);
  if (!(word & TeamBoard::open) || opened == opened_) return false;
  opened_ = opened;
  if ((word & TeamBoard::member_mask) + 1 >= here.most.load(std::memory_order_relaxed)) return false;
  return board.enter(slot_, [&](Team& team) {
    in_the_way_ = core_count() > 1 && team.core_ == current_core();
    return !in_the_way_;
  });
}

bool Team::open_for(const Lane* lane) {
  return board.any(lane, [](int) { return true; });
}
bool Team::any_open() { return board.joinable.load(std::memory_order_seq_cst) != 0; }

}  // namespace reprise_runtime::exec
