// A spin lock for critical sections of tens of nanoseconds. Unlocking is a plain store, whereas a mutex needs an atomic
// read-modify-write to find sleeping threads. A waiting thread spins, then yields, then sleeps.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace reprise {

class SpinLock {
 public:
  void lock() {
    if (taken_.exchange(true, std::memory_order_acquire)) wait();
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  void wait() {
    constexpr int tries_awake = 100, tries_before_sleep = 1000;
    for (int tries = 0; taken_.load(std::memory_order_relaxed) || taken_.exchange(true, std::memory_order_acquire);
         ++tries) {
      if (tries < tries_awake) continue;
      if (tries < tries_before_sleep) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    }
  }

  std::atomic<bool> taken_{false};
};

}  // namespace reprise
