#include "base/mutex.h"

#include "base/futex.h"
#include "base/pause.h"

namespace reprise_runtime {

void Mutex::lock_contended() {
  // About a microsecond: longer than any holder that is on a core, far shorter than a sleep and a wake-up.
  constexpr int spins = 40;
  for (int i = 0; i < spins; ++i) {
    if (word_.load(std::memory_order_relaxed) == unlocked && try_lock()) {
      return;
    }
    pause();
  }
  while (word_.exchange(contended, std::memory_order_acquire) != unlocked) futex::wait(word_, contended);
}

void Mutex::wake() { futex::wake_one(word_); }

}  // namespace reprise_runtime
