// Several threads on one piece of work. A leader opens a team around a body and runs the body itself; idle threads join
// and run it too. No thread is certain to join, so the body must hand out its work as threads ask for it.
//
// Thread safety: join(), join_with() and join_any() may be called from any thread. A Team lives on its leader's stack;
// its other functions belong to the leader, except where they say otherwise.
//
// Invariants
//  1. A board slot's word is the number of members and an open bit. Threads become members only by a compare-and-swap
//     that finds the slot open, and read the team only while they are members.
//  2. A slot's lane is only a hint to look there; it may be read at any time.
//  3. The leader clears the open bit and then waits for the members to be 0 before it frees the slot.
#pragma once

#include <cstdint>
#include <memory>

#include "base/thread_local.h"

namespace reprise_runtime::exec {

class Lane;

// Work that comes in rounds, such as the replays of a graph. A worker that has helped with one round stands by for the
// next and joins it without a team, so that a round begins with a plain store. No round depends on a standby worker: it
// may leave at any time, and the leader does the work that it would have done.
class Standby {
 public:
  virtual ~Standby() = default;
  // Joins the round that has begun since the last call. Returns false if there is none.
  virtual bool join() = 0;
  // Whether there is a point in waiting for another round.
  virtual bool worthwhile() const = 0;
};

class Team {
 public:
  // Runs as body(context), on the leader and on each thread that joins.
  using Body = void (*)(void* context);

  enum class Opened { now, later };

  // At most `most` threads together, the leader included. The team is open to others from here on, or from open() on,
  Team(Body body, void* context, unsigned most, Opened opened = Opened::now);
  void open();
  // until it is closed here, at the latest, after the last member has left.
  ~Team() { close(); }
  void close();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Wakes up to `count` sleeping workers to join. Worth it only for work longer than a wake-up takes
  // (tuning::wake_up_ns).
  void invite(unsigned count);

  // Whether others can join: not while the body has no work to hand out. Any member may say so, one at a time.
  void open_door();
  void close_door();
  // Whether there are members beside the leader.
  bool has_others() const;
  bool door_closed() const;

  void run() { body_(context_); }

  // Joins a team that works for `lane`, the one with this context, or any team. Returns whether there was one.
  static bool join(const Lane* lane);
  static bool join_with(const void* context);
  // For workers: one that was woken on a leader's core, where the two would only take turns, first leaves that core.
  // `standby`, if given, receives what the body offered.
  static bool join_any(std::unique_ptr<Standby>* standby = nullptr);

  // For the body: offers the calling thread a round of work to stand by for. Calls make() only on a thread that can.
  template <class Make>
  static void offer_standby(Make&& make) {
    if (std::unique_ptr<Standby>* place = offered_; place && !*place) *place = make();
  }

  static bool open_for(const Lane* lane);
  static bool any_open();

 private:
  friend struct TeamBoard;

  static constexpr int no_slot = -1;

  static inline REPRISE_THREAD_LOCAL std::unique_ptr<Standby>* offered_ = nullptr;

  const Body body_;
  void* const context_;
  const unsigned most_;
  Lane* const lane_;  // that the leader runs
  const int core_;    // that the leader runs on
  int slot_;          // no_slot: the board was full, the leader is alone
  bool counted_ = false;
};

}  // namespace reprise_runtime::exec
