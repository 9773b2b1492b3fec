// Lanes with work that nobody runs, the most urgent level first and in order of arrival within a level.
//
// Thread safety: any thread may call any function. mask() is changed with sequentially consistent operations, so a
// thread that pushes and then looks for somebody awake, and one that goes to sleep and then looks at the mask, cannot
// miss each other.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "base/mutex.h"

namespace reprise_runtime::exec {

class Lane;

class ReadyList {
 public:
  static constexpr int levels = 8;
  // Beyond all levels: lanes that their own waiting threads serve, looked at only now and then.
  static constexpr int later = levels;

  void push(Lane& lane, int level) REPRISE_EXCLUDES(mutex_);
  // The first lane of the most urgent level, or null.
  Lane* pop() REPRISE_EXCLUDES(mutex_);
  Lane* pop_later() REPRISE_EXCLUDES(mutex_);

  // Whether a lane that is looked at later has work, and nobody at it.
  bool any_left_alone() REPRISE_EXCLUDES(mutex_);

  bool empty() const { return mask_.load(std::memory_order_seq_cst) == 0; }
  bool urgent() const { return (mask_.load(std::memory_order_relaxed) & urgent_bits) != 0; }
  // Whether a lane of a level before this one waits.
  bool more_urgent_than(int level) const { return (mask_.load(std::memory_order_relaxed) & ((1u << level) - 1)) != 0; }
  // How many were taken so far: who watches the list sees by this whether it moves.
  uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t urgent_bits = (1u << levels) - 1;

  struct Queue {
    Lane* first = nullptr;
    Lane* last = nullptr;
  };

  Lane* pop_level(int level) REPRISE_REQUIRES(mutex_);

  std::atomic<uint32_t> mask_{0};
  std::atomic<uint64_t> taken_{0};
  Mutex mutex_;
  Queue queues_[levels + 1] REPRISE_GUARDED_BY(mutex_);
};

}  // namespace reprise_runtime::exec
