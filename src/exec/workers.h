// The worker threads, which run lanes that no thread waits for.
//
// A worker without work spins for a moment; then one worker dozes (it looks at the ready queue at intervals) and the
// others sleep. A submitter pays for a wake-up only if all workers sleep or are busy. As many workers run lanes as
// there are cores. When the ready queue makes no progress for a while, for example because the lanes run kernels that
// wait for something, one more joins.
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//  1. running_ counts the workers inside a lane or a team, and leaders of teams, except those in a BlockingScope.
//  2. awake_ counts the workers that will look at the ready queue without being woken: spinning, dozing, or just woken.
//     While a listed lane has tasks that no thread runs, awake_ is not 0, or some thread is about to raise it: adding
//     to the queue raises its mask and then reads awake_; a leaving worker lowers awake_ and then reads the mask, both
//     sequentially consistent. A worker that gets busy may leave lanes in the queue that have no tasks, or are held or
//     blocked: a thread that submits to such a lane, releases or unblocks it reads awake_ again (Lane::offer,
//     Lane::release).
//  3. asleep_ counts the sleepers without a permit. A thread that lowers asleep_ for a sleeper gives one permit.
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

  // Adds a lane that has just been marked as listed.
  void add_ready(Lane& lane);

  // Ensures that some worker looks at the ready queue.
  void ensure_awake();

  // Wakes up to `count` workers to join a team. Spinning workers count among them.
  void invite(unsigned count);

  // Whether lanes are ready while the only awake worker dozes. For busy threads, which may then nudge() it.
  bool neglects_lanes() const { return ready_.urgent() && someone_dozes_.load(std::memory_order_relaxed); }
  // Makes the dozing worker look at once.
  void nudge();

  // A team's leader takes a core too; workers are counted already (false).
  bool count_leader();
  void uncount_leader() { running_.fetch_sub(1, std::memory_order_relaxed); }

  // The calling thread may block for long; see BlockingScope.
  void begin_blocking();
  void end_blocking();

  // For the exit of the process: no worker starts another task. Waits a limited time for running tasks.
  void stop();

  // Whether stop() was called: from then on, threads that wait for work must do it.
  bool stopped() const { return stopping_.load(std::memory_order_relaxed); }

  // `tell` is called in the child of a fork if the parent had workers, since the child has none.
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
