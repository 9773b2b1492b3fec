// The threads that run lanes nobody waits for. They come when there is work and end up asleep when there is none.
//
// A worker without work spins for a moment, then one of them dozes (looks at the list every now and then), and the
// rest sleep. Giving work to one that spins or dozes costs the giver nothing; only when all are asleep or busy does it
// pay for a wake-up. As many workers run lanes as there are cores; when none of them has taken a ready lane for a
// while (they run kernels that wait for something, say), one more joins.
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//  1. running_ counts the workers inside a lane or a team, and leaders of teams, except those in a BlockingScope.
//  2. awake_ counts the workers that will look at the list by themselves: spinning, dozing, or woken and on their way.
//     While a lane in the list has work that nobody is at, awake_ is not 0, or some thread is about to make it so:
//     adding to the list raises the mask and then reads awake_, leaving lowers awake_ and then reads the mask,
//     sequentially consistent both. A worker that gets busy may leave lanes behind that have no work, or are held, or
//     blocked: whoever submits to such a lane, releases or unblocks it reads awake_ again (Lane::offer, Lane::release).
//  3. asleep_ counts the sleepers that no permit has been given to. Who takes one from asleep_ gives one permit.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/waiting.h"
#include "exec/ready_list.h"

namespace reprise_runtime::exec {

class Lane;
class Standby;

class Workers {
 public:
  static Workers& instance();

  // A lane that has just been marked as listed.
  void add_ready(Lane& lane);

  // Sees to it that some worker looks at the list.
  void ensure_awake();

  // Wakes up to `count` workers to join a team, those that spin not counted.
  void invite(unsigned count);

  // Lanes wait, and nobody who is awake looks at them just now: for threads that are busy with other work and notice.
  bool neglects_lanes() const { return ready_.urgent() && someone_dozes_.load(std::memory_order_relaxed); }
  // Has the dozing worker look at once.
  void nudge();

  // A team's leader takes a core too; workers are counted already (false).
  bool count_leader();
  void uncount_leader() { running_.fetch_sub(1, std::memory_order_relaxed); }

  // The calling thread may block for long; see BlockingScope.
  void begin_blocking();
  void end_blocking();

  // No worker starts another task. Waits a little for those that run now. For the end of the process.
  void stop();

  // In the child of a fork there are no workers any more. `tell` is called there if the parent had any.
  void at_fork(void (*tell)()) { tell_of_fork_.store(tell, std::memory_order_relaxed); }

  // For tests and diagnosis.
  int total() const { return total_.load(std::memory_order_relaxed); }
  int running() const { return running_.load(std::memory_order_relaxed); }
  int asleep() const { return asleep_.load(std::memory_order_relaxed); }

 private:
  class Idle;

  Workers();
  void in_forked_child();
  static void* start(void* self);

  void work();
  bool run_ready(Idle& idle);
  void run_lane(Lane& lane);
  bool inspect_later();
  bool could_join() const;
  bool join_team();
  void stand_by(Standby* next_round);
  void become_busy();
  void become_idle() { awake_.fetch_add(1, std::memory_order_seq_cst); }
  class Slice;

  void wake_or_start();
  bool wake_sleeper();
  void start_one();
  bool sleep();
  bool take_permit();
  bool leave_sleepers();
  bool doze(int64_t ns);

  ReadyList ready_;
  alignas(64) std::atomic<int> awake_{0};
  std::atomic<int> asleep_{0};
  std::atomic<int> running_{0};
  std::atomic<int> total_{0};
  std::atomic<int> spinning_{0};
  std::atomic<bool> someone_dozes_{false};
  std::atomic<uint32_t> permits_{0};  // for sleepers to go on
  EventCount new_permits_;
  EventCount nudges_;  // what a dozing worker waits for
  std::atomic<bool> stopping_{false};
  std::atomic<bool> abandoned_{false};
  std::atomic<void (*)()> tell_of_fork_{nullptr};
  const int cores_;
};

}  // namespace reprise_runtime::exec
