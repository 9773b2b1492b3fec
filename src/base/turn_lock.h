// A lock for critical sections of nanoseconds that many calls go through: giving it up is a plain store, half the price
// of a Mutex. Who does not get it looks again and lets others run; nobody sleeps, so that it is not for long waits.
#pragma once

#include <atomic>
#include <thread>

#include "base/pause.h"
#include "base/thread_annotations.h"

namespace reprise_runtime {

class REPRISE_CAPABILITY("mutex") TurnLock {
 public:
  constexpr TurnLock() = default;
  TurnLock(const TurnLock&) = delete;
  TurnLock& operator=(const TurnLock&) = delete;

  void lock() REPRISE_ACQUIRE() {
    if (taken_.exchange(true, std::memory_order_acquire)) [[unlikely]]
      wait_for_turn();
  }
  void unlock() REPRISE_RELEASE() { taken_.store(false, std::memory_order_release); }

 private:
  void wait_for_turn() {
    for (int tries = 0; taken_.load(std::memory_order_relaxed) || taken_.exchange(true, std::memory_order_acquire);
         ++tries) {
      if (tries < 100) {
        pause();
      } else {
        std::this_thread::yield();
      }
    }
  }

  std::atomic<bool> taken_{false};
};

class REPRISE_SCOPED_CAPABILITY TurnGuard {
 public:
  explicit TurnGuard(TurnLock& lock) REPRISE_ACQUIRE(lock) : lock_(lock) { lock_.lock(); }
  ~TurnGuard() REPRISE_RELEASE() { lock_.unlock(); }
  TurnGuard(const TurnGuard&) = delete;
  TurnGuard& operator=(const TurnGuard&) = delete;

 private:
  TurnLock& lock_;
};

}  // namespace reprise_runtime
