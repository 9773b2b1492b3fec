#include "exec/ready_list.h"

#include <utility>

#include "exec/lane.h"

namespace reprise_runtime::exec {

void ReadyList::push(Lane& lane, int level) {
  MutexLock lock(mutex_);
  Queue& queue = queues_[level];
  lane.next_ready_ = nullptr;
  if (queue.last) {
    queue.last->next_ready_ = &lane;
  } else {
    queue.first = &lane;
    mask_.fetch_or(1u << level, std::memory_order_seq_cst);
  }
  queue.last = &lane;
}

Lane* ReadyList::pop() {
  MutexLock lock(mutex_);
  uint32_t urgent = mask_.load(std::memory_order_relaxed) & urgent_bits;
  return urgent ? pop_level(std::countr_zero(urgent)) : nullptr;
}

Lane* ReadyList::pop_later() {
  MutexLock lock(mutex_);
  return queues_[later].first ? pop_level(later) : nullptr;
}

bool ReadyList::any_left_alone() {
  if (!(mask_.load(std::memory_order_seq_cst) & 1u << later)) return false;
  MutexLock lock(mutex_);
  for (Lane* lane = queues_[later].first; lane; lane = lane->next_ready_) {
    if (lane->claimable() && lane->has_work()) return true;
  }
  return false;
}

Lane* ReadyList::pop_level(int level) {
  Queue& queue = queues_[level];
  Lane* lane = queue.first;
  queue.first = std::exchange(lane->next_ready_, nullptr);
  if (!queue.first) {
    queue.last = nullptr;
    mask_.fetch_and(~(1u << level), std::memory_order_seq_cst);
  }
  taken_.fetch_add(1, std::memory_order_relaxed);
  return lane;
}

}  // namespace reprise_runtime::exec
