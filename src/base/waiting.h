// Waiting for another thread: spin for a short while, then sleep. Every wait in the runtime is built from these tools,
// from the shortest wait to the longest:
//
//   spin_or_yield     until a critical section of nanoseconds ends; never sleeps
//   spin_times        a fixed number of looks
//   spin_until        looks until a deadline
//   EventCount        sleeps until a condition holds that other threads change
//   WakeFlag          sleeps until one thread sets the flag, once
//   poll_until        looks at intervals, for a condition that no thread announces
//
// A wait that is often short spins first (spin_times or spin_until) and then sleeps (EventCount). On a machine with one
// core spin_until looks only once: the thread waited for needs the core.
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//  1. A sleeper raises sleepers_, then reads epoch_, then evaluates its condition, and then sleeps while epoch_ keeps
//     the value it read. A notifier changes what the condition reads, then raises epoch_, then reads sleepers_. All of
//     these are sequentially consistent, so either the notifier sees the sleeper and wakes it, or the sleeper sees the
//     new epoch or the condition. No wake-up is lost.
//  2. notify_sleepers() reads sleepers_ first and raises epoch_ only if there are any. Invariant 1 then holds only if
//     the notifier changed the condition by a sequentially consistent read-modify-write. After a plain store a wake-up
//     may be lost, so such sleepers must give a timeout.
//  3. The store in WakeFlag::set() is its last access to the flag: the waiter may destroy the flag at once.
//  4. Only this header, its source and Mutex call the futex functions.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "base/devices.h"
#include "base/futex.h"
#include "base/tuning.h"

namespace reprise_runtime {

// Tells the core that this is a spin loop, which saves power and leaves the time to the sibling hyperthread.
inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  __asm__ volatile("yield");
#endif
}

inline void pause_times(int count) {
  for (int i = 0; i < count; ++i) pause();
}

// Lets another thread have the core, if one wants it.
inline void yield_core() { sched_yield(); }

// Looks at most `looks` times. Returns whether the condition held.
template <class Condition>
bool spin_times(int looks, Condition&& condition) {
  for (int i = 0; i < looks; ++i) {
    if (condition()) return true;
    pause();
  }
  return false;
}

// The value that ticks() has `ns` from now.
inline uint64_t deadline_after(double ns) { return ticks() + static_cast<uint64_t>(ns / ns_per_tick()); }

// Looks until ticks() passes the deadline. Returns whether the condition held.
template <class Condition>
bool spin_until(uint64_t deadline, Condition&& condition) {
  if (core_count() == 1) return condition();
  do {
    if (condition()) return true;
    pause();
  } while (ticks() < deadline);
  return false;
}

// Looks until the condition holds: with pauses at first; later the thread waited for has probably lost its core, and
// each look lets another thread run.
template <class Condition>
void spin_or_yield(Condition&& condition) {
  if (spin_times(tuning::spin_lock_looks, condition)) return;
  while (!condition()) yield_core();
}

// Lets threads sleep until a condition holds that other threads change and announce by a notification.
// Constant-initialised. Scope::shared: for memory that several processes map, where all bytes zero is a valid object.
template <futex::Scope scope>
class BasicEventCount {
 public:
  constexpr BasicEventCount() = default;
  BasicEventCount(const BasicEventCount&) = delete;
  BasicEventCount& operator=(const BasicEventCount&) = delete;

  // How many notifications there have been. A thread that waits for any notification compares two readings.
  uint32_t epoch() const { return epoch_.load(std::memory_order_acquire); }

  // Sleeps until condition() holds, at most `timeout_ns` (negative: without limit). Returns whether it holds.
  template <class Condition>
  bool sleep_until(Condition&& condition, int64_t timeout_ns = -1) {
    const uint64_t start = timeout_ns < 0 ? 0 : now_ns();
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    bool holds = false;
    for (int64_t left = timeout_ns;;) {
      const uint32_t seen = epoch_.load(std::memory_order_seq_cst);
      if ((holds = condition()) || left == 0) break;
      futex::wait(epoch_, seen, left, scope);
      if (timeout_ns < 0) continue;
      const int64_t passed = static_cast<int64_t>(now_ns() - start);
      left = passed < timeout_ns ? timeout_ns - passed : 0;
    }
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
    return holds;
  }

  void notify_all() { notify(all); }
  // For conditions that one sleeper consumes. Every sleeper must be able to make use of the notification.
  void notify_one() { notify(1); }
  // As notify_all(), at the price of a load while no thread sleeps. See invariant 2.
  void notify_sleepers() {
    if (sleepers_.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      notify(all);
  }

 private:
  static constexpr int all = INT32_MAX;

  void notify(int count) {
    epoch_.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      futex::wake(epoch_, count, scope);
  }

  std::atomic<uint32_t> epoch_{0};
  std::atomic<uint32_t> sleepers_{0};
};

using EventCount = BasicEventCount<futex::Scope::process>;
using SharedEventCount = BasicEventCount<futex::Scope::shared>;

// One thread sleeps until another sets the flag.
class WakeFlag {
 public:
  void set() {
    word_.store(1, std::memory_order_release);
    futex::wake_one(word_);  // By its address alone: the flag may be gone. A wake-up without a sleeper is harmless.
  }
  bool is_set() const { return word_.load(std::memory_order_acquire) != 0; }
  // At most `timeout_ns`; may return early.
  void sleep(int64_t timeout_ns) {
    if (!is_set()) futex::wait(word_, 0, timeout_ns);
  }

 private:
  std::atomic<uint32_t> word_{0};
};

// Sleeps `interval_ns` between looks. Returns whether the condition held before `limit_ns` had passed.
template <class Condition>
bool poll_until(Condition&& condition, int64_t interval_ns, uint64_t limit_ns) {
  EventCount never_notified;
  for (const uint64_t start = now_ns(); !never_notified.sleep_until(condition, interval_ns);) {
    if (now_ns() - start >= limit_ns) return false;
  }
  return true;
}

}  // namespace reprise_runtime
