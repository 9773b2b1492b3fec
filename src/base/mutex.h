// A four-byte mutex for short critical sections. Uncontended, locking and unlocking take one locked instruction each;
// contended, a thread spins briefly and then sleeps. Not recursive. Constant-initialised, so usable before and after
// main.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/thread_annotations.h"

namespace reprise_runtime {

class REPRISE_CAPABILITY("mutex") Mutex {
 public:
  constexpr Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() REPRISE_ACQUIRE() {
    uint32_t expected = unlocked;
    if (!word_.compare_exchange_strong(expected, locked, std::memory_order_acquire, std::memory_order_relaxed)) {
      lock_contended();
    }
  }

  bool try_lock() REPRISE_TRY_ACQUIRE(true) {
    uint32_t expected = unlocked;
    return word_.compare_exchange_strong(expected, locked, std::memory_order_acquire, std::memory_order_relaxed);
  }

  // A full fence: callers may rely on it to order what follows after the critical section.
  void unlock() REPRISE_RELEASE() {
    if (word_.exchange(unlocked, std::memory_order_seq_cst) == contended) wake();
  }

 private:
  enum : uint32_t { unlocked, locked, contended };

  void lock_contended() REPRISE_NO_THREAD_SAFETY_ANALYSIS;
  void wake();

  std::atomic<uint32_t> word_{unlocked};
};

class REPRISE_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) REPRISE_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() REPRISE_RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace reprise_runtime
