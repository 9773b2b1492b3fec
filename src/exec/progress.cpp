#include "exec/progress.h"

#include <algorithm>

namespace reprise_runtime::exec {

bool Progress::insert(Waiter& waiter) {
  if (completed() >= waiter.value) return false;
  uint64_t watched = watched_.load(std::memory_order_relaxed);
  watched_.exchange(std::min(watched, waiter.value), std::memory_order_seq_cst);
  if (completed_.load(std::memory_order_seq_cst) >= waiter.value) {
    update_watched();
    return false;
  }
  waiter.next = waiters_;
  waiters_ = &waiter;
  return true;
}

bool Progress::remove(Waiter& waiter) {
  MutexLock lock(mutex_);
  for (Waiter** link = &waiters_; *link; link = &(*link)->next) {
    if (*link != &waiter) continue;
    *link = waiter.next;
    update_watched();
    return true;
  }
  return false;
}

void Progress::notify(uint64_t value) {
  MutexLock lock(mutex_);
  Waiter* due = nullptr;
  for (Waiter** link = &waiters_; *link;) {
    Waiter* waiter = *link;
    if (waiter->value > value) {
      link = &waiter->next;
      continue;
    }
    *link = waiter->next;
    waiter->next = due;
    due = waiter;
  }
  update_watched();
  while (due) {
    Waiter* waiter = due;
    due = due->next;
    waiter->notify(*waiter);
  }
}

void Progress::update_watched() {
  uint64_t least = unwatched;
  for (Waiter* waiter = waiters_; waiter; waiter = waiter->next) least = std::min(least, waiter->value);
  watched_.store(least, std::memory_order_seq_cst);
}

}  // namespace reprise_runtime::exec
