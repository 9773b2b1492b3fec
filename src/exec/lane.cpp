#include "exec/lane.h"

#include <thread>
#include <vector>

#include "base/pause.h"
#include "exec/workers.h"

namespace reprise::exec {
namespace {

struct LanePool {
  Mutex mutex;
  std::vector<Lane*> unused REPRISE_GUARDED_BY(mutex);
};

LanePool& pool() {
  static LanePool* pool = new LanePool;  // Never destroyed, like the lanes.
  return *pool;
}

}  // namespace

Lane& Lane::acquire(int level) {
  {
    MutexLock lock(pool().mutex);
    if (!pool().unused.empty()) {
      Lane* lane = pool().unused.back();
      pool().unused.pop_back();
      lane->set_level(level);
      lane->set_self_served(false);
      return *lane;
    }
  }
  return *new Lane(level);
}

void Lane::retire() {
  // The next user may submit while this very task is still being completed: it is the same queue, in order.
  submit([](Lane& lane) {
    MutexLock lock(pool().mutex);
    pool().unused.push_back(&lane);
  });
}

void Lane::list() {
  if (!(control_.fetch_or(listed, std::memory_order_seq_cst) & listed)) Workers::instance().add_ready(*this);
}

void Lane::remind() { Workers::instance().ensure_awake(); }

Outcome Lane::block_on(const Marker& marker) {
  if (marker.reached()) return Outcome::done;
  waiter_.value = marker.value;
  {
    MutexLock lock(blocked_mutex_);
    blocked_on_ = marker;
  }
  // From `held` to `blocked` in one step, before anybody can unblock: from then on the lane is not ours to touch.
  bool waits = marker.progress->add(
      waiter_, [this] { control_.fetch_xor(uint32_t{held} | uint32_t{blocked}, std::memory_order_seq_cst); });
  return waits ? Outcome::blocked : Outcome::done;
}

void Lane::unblock() {
  control_.fetch_and(~uint32_t{blocked}, std::memory_order_seq_cst);
  offer();
}

uint64_t Lane::wait_for_turn() {
  // Another thread is writing a record, which takes nanoseconds unless it has lost its core.
  for (int tries = 0;; ++tries) {
    uint64_t seen = submissions_.load(std::memory_order_relaxed);
    if (!(seen & 1) && submissions_.compare_exchange_weak(seen, seen | 1, std::memory_order_acquire)) return seen;
    if (tries < 100) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
}

Marker Lane::read_blocked_on() {
  MutexLock lock(blocked_mutex_);
  bool is_blocked = control_.load(std::memory_order_acquire) & blocked;
  return is_blocked ? blocked_on_ : Marker{};
}

}  // namespace reprise::exec
