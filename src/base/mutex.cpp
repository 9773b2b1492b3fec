#include "base/mutex.h"

#include "base/futex.h"
#include "base/tuning.h"
#include "base/waiting.h"

namespace reprise_runtime {

void Mutex::lock_contended() {
  if (spin_times(tuning::mutex_looks,
                 [this] { return word_.load(std::memory_order_relaxed) == unlocked && try_lock(); })) {
    return;
  }
  while (word_.exchange(contended, std::memory_order_acquire) != unlocked) futex::wait(word_, contended);
}

void Mutex::wake() { futex::wake_one(word_); }

}  // namespace reprise_runtime
