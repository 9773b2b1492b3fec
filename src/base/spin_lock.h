// A lock for critical sections of nanoseconds that many calls enter. Releasing it is a plain store, half the price of
// releasing a Mutex. A thread that does not get the lock never sleeps, so the lock is not for long sections.
#pragma once

#include <atomic>

#include "base/thread_annotations.h"
#include "base/waiting.h"

namespace reprise_runtime {

class REPRISE_CAPABILITY("mutex") SpinLock {
 public:
  constexpr SpinLock() = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  void lock() REPRISE_ACQUIRE() {
    if (taken_.exchange(true, std::memory_order_acquire)) [[unlikely]]
      lock_contended();
  }
  void unlock() REPRISE_RELEASE() { taken_.store(false, std::memory_order_release); }

 private:
  void lock_contended() {
    spin_or_yield([this] {
      return !taken_.load(std::memory_order_relaxed) && !taken_.exchange(true, std::memory_order_acquire);
    });
  }

  std::atomic<bool> taken_{false};
};

class REPRISE_SCOPED_CAPABILITY SpinLockGuard {
 public:
  explicit SpinLockGuard(SpinLock& lock) REPRISE_ACQUIRE(lock) : lock_(lock) { lock_.lock(); }
  ~SpinLockGuard() REPRISE_RELEASE() { lock_.unlock(); }
  SpinLockGuard(const SpinLockGuard&) = delete;
  SpinLockGuard& operator=(const SpinLockGuard&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace reprise_runtime
