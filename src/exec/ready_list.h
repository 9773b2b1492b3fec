// The ready queue: lanes with tasks that no thread runs, the most urgent level first, first in first out within a
// level.
//
// Thread safety: any thread may call any function. mask() is changed with sequentially consistent operations, so a
// thread that pushes a lane and then looks for an awake worker, and a worker that goes to sleep and then looks at the
// mask, cannot miss each other.
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
  // Beyond all levels: self-served lanes (see Lane), which workers inspect at intervals.
  static constexpr int later = levels;

  void push(Lane& lane, int level) REPRISE_EXCLUDES(mutex_);
  // The first lane of the most urgent level, or null.
  Lane* pop() REPRISE_EXCLUDES(mutex_);
  Lane* pop_later() REPRISE_EXCLUDES(mutex_);

  // Whether a self-served lane has tasks and no thread runs it.
  bool any_left_alone() REPRISE_EXCLUDES(mutex_);

  bool empty() const { return mask_.load(std::memory_order_seq_cst) == 0; }
  bool urgent() const { return (mask_.load(std::memory_order_relaxed) & urgent_bits) != 0; }
  // Whether a lane of a level before this one waits.
  bool more_urgent_than(int level) const { return (mask_.load(std::memory_order_relaxed) & ((1u << level) - 1)) != 0; }
  // The number of lanes taken so far, which shows whether the queue makes progress.
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
