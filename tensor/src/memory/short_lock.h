// A lock that is held for tens of nanoseconds: taken by one locked operation and left by a plain store, where a mutex
// needs a locked one to learn whether somebody sleeps. Who finds it taken tries again, gives up its turn, and at last
// sleeps a little.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace reprise {

class ShortLock {
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
