// Several threads on one piece of work. A leader opens a team around a body, runs the body itself, and whoever is idle
// joins and runs it too; nobody may come, so the body must hand out its work as threads ask for it.
//
// Thread safety: join() and join_any() may be called from any thread. A Team lives on its leader's stack.
//
// Invariants
//  1. A board slot's word is members | open bit. Threads become members only by a compare-and-swap that finds the slot
//     open, and read the team only while they are members.
//  2. A slot's lane is only a hint to look there; it may be read at any time.
//  3. The leader clears the open bit and then waits for the members to be 0 before it frees the slot.
//  4. A worker that has just helped attends the slot for a moment: it watches the slot's word, and joins whatever team
//     opens there next. Most leaders find the slot they had before, so with an attendant a team opens by plain stores
//     to one cache line. The count of attendants may be out of date, and an attendant be gone: nobody is counted on.
//     Where the work has something better to attend, it offers that.
#pragma once

#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "base/pause.h"
#include "base/thread_local.h"

namespace reprise_runtime::exec {

class Lane;

// Work of which piece follows piece, where a worker that has helped with one joins the next without a team. The leader
// of such work says how one joins.
class Attended {
 public:
  virtual ~Attended() = default;
  // Joins the piece that has begun since the last call; false when there is none.
  virtual bool join() = 0;
  // False when there is no point in waiting for more.
  virtual bool goes_on() const = 0;
};

class Team {
 public:
  // Runs as body(context), on the leader and on each thread that joins.
  using Body = void (*)(void* context);

  // Who is told of a team: everybody, or no one else where attendants are enough to fill it. Then by a mishap nobody
  // may come at all, which is worth the time saved only for work of microseconds.
  enum class Call { nobody, everybody, attendants };

  // At most `most` threads together, the leader included. The team is opened for others here, or, when nobody is
  // called, later ...
  Team(Body body, void* context, unsigned most, Call call = Call::everybody);
  void open(Call call);
  // ... and closed here, at the latest, after the last member has left.
  ~Team() { close(); }
  void close();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Wakes up to `count` sleeping workers to join. Worth it only for work longer than wake_up_ns.
  void invite(unsigned count);

  // Whether others can join: not while the body has no work to hand out. Any member may say so, one at a time.
  void open_door();
  void close_door();
  // Whether there are members beside the leader.
  bool has_others() const;
  bool door_closed() const;

  void run() { body_(context_); }

  // Joins a team that works for `lane`, that with this context, or any team: true when there was one.
  static bool join(const Lane* lane);
  static bool join_with(const void* context);
  // For workers: one that was woken on a leader's core, where the two would only take turns, first leaves that core.
  static bool join_any();
  // The same, and then attends the slot of that team, for `ns` after each that it has joined, or until `enough()`.
  template <class Enough>
  static bool join_and_attend(double ns, Enough&& enough) {
    int slot = no_slot;
    std::unique_ptr<Attended> attended;
    if (!join_any(slot, attended)) return false;
    if (!attended) attended = attend_slot(slot);
    for (uint64_t since = ticks(); !enough() && attended->goes_on() && ticks_to_ns(ticks() - since) < ns;) {
      if (attended->join() || (any_open() && join_any())) since = ticks();
      pause();
    }
    return true;
  }
  // For the body, on a thread that has joined: what that attends afterwards instead of the slot. make() gives it, and
  // is called only if the thread attends anything.
  template <class Make>
  static void offer_to_attend(Make&& make) {
    if (std::unique_ptr<Attended>* place = wanted_; place && !*place) *place = make();
  }
  static bool open_for(const Lane* lane);
  static bool any_open();

  // What a sleeping thread takes to come, measured on common machines.
  static constexpr double wake_up_ns = 40'000;

 private:
  friend struct TeamBoard;

  static constexpr int no_slot = -1;
  static bool join_any(int& slot);
  static bool join_any(int& slot, std::unique_ptr<Attended>& attended);
  static std::unique_ptr<Attended> attend_slot(int slot);

  class Attendance;

  static inline REPRISE_THREAD_LOCAL std::unique_ptr<Attended>* wanted_ = nullptr;

  const Body body_;
  void* const context_;
  const unsigned most_;
  Lane* const lane_;  // what the leader was running
  const int core_;    // and where
  int slot_;          // no_slot: the board was full, the leader is alone
  bool counted_ = false;
};

}  // namespace reprise_runtime::exec
