// A counter that only grows, with its waiters. A Marker is a value that it will reach.
//
// Thread safety: any thread may read, add or remove waiters. complete() is called by one thread at a time, with rising
// values: the lane's runner, or the owner of the counter.
//
// Invariants
//  1. Progress objects are never freed. Owners recycle them and go on counting, so a marker stays readable for ever,
//  and
//     a marker of an earlier owner is reached.
//  2. watched_ is at most the smallest value in waiters_ (or `unwatched`). It is lowered before completed_ is read
//  again
//     under the mutex, and completed_ is raised before watched_ is read, both sequentially consistent: either the
//     completing thread sees the waiter, or the waiter sees the completion.
//  3. A waiter is notified at most once, with the mutex held, and is out of the list by then.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/mutex.h"

namespace reprise_runtime::exec {

class Lane;

// Intrusive list entry. The owner keeps it alive until it is notified or removed. notify() must not call back into
// Progress, and its last access to the waiter is the one that lets the owner continue.
struct Waiter {
  void (*notify)(Waiter& waiter) = nullptr;
  uint64_t value = 0;
  Waiter* next = nullptr;
};

class Progress {
 public:
  // `lane` is the one whose tasks advance this counter, which waiting threads may run; null if they cannot help.
  explicit Progress(Lane* lane = nullptr) : lane_(lane) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  uint64_t completed() const { return completed_.load(std::memory_order_acquire); }
  Lane* lane() const { return lane_; }

  void complete(uint64_t value) {
    completed_.exchange(value, std::memory_order_seq_cst);
    if (watched_.load(std::memory_order_seq_cst) <= value) [[unlikely]]
      notify(value);
  }

  // Adds `waiter` for `waiter.value` unless that is reached already (false). `when_added` runs before any notification.
  template <class WhenAdded>
  bool add(Waiter& waiter, WhenAdded&& when_added) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (!insert(waiter)) return false;
    when_added();
    return true;
  }
  bool add(Waiter& waiter) {
    return add(waiter, [] {});
  }

  // Returns false if the waiter has been notified.
  bool remove(Waiter& waiter) REPRISE_EXCLUDES(mutex_);

 private:
  static constexpr uint64_t unwatched = ~uint64_t{0};

  bool insert(Waiter& waiter) REPRISE_REQUIRES(mutex_);
  void notify(uint64_t value) REPRISE_EXCLUDES(mutex_);
  void update_watched() REPRISE_REQUIRES(mutex_);

  std::atomic<uint64_t> completed_{0};
  std::atomic<uint64_t> watched_{unwatched};
  Lane* const lane_;
  Mutex mutex_;
  Waiter* waiters_ REPRISE_GUARDED_BY(mutex_) = nullptr;
};

// Reached when the progress completes `value`. Trivial to copy; a default one is reached.
struct Marker {
  Progress* progress = nullptr;
  uint64_t value = 0;

  bool reached() const { return !progress || progress->completed() >= value; }
  friend bool operator==(const Marker&, const Marker&) = default;
};

}  // namespace reprise_runtime::exec
