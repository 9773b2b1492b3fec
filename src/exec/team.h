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
#pragma once

#include <cstdint>

namespace reprise::exec {

class Lane;

class Team {
 public:
  // Runs as body(context), on the leader and on each thread that joins.
  using Body = void (*)(void* context);

  // At most `most` threads together, the leader included. The team is opened for others here...
  Team(Body body, void* context, unsigned most);
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

  void run() { body_(context_); }

  // Joins a team that works for `lane`, that with this context, or any team: true when there was one.
  static bool join(const Lane* lane);
  static bool join_with(const void* context);
  // For workers: one that was woken on a leader's core, where the two would only take turns, first leaves that core.
  static bool join_any();
  static bool open_for(const Lane* lane);
  static bool any_open();

  // What a sleeping thread takes to come, measured on common machines.
  static constexpr double wake_up_ns = 40'000;

 private:
  friend struct TeamBoard;

  const Body body_;
  void* const context_;
  const unsigned most_;
  const Lane* const lane_;  // what the leader was running
  const int core_;          // and where
  int slot_;                // -1: the board was full, the leader is alone
  bool counted_ = false;
};

}  // namespace reprise::exec
