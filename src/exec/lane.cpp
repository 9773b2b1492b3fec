#include "exec/lane.h"

#include <vector>

#include "base/waiting.h"
#include "exec/workers.h"

namespace reprise_runtime::exec {
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
      static_cast<void>(lane->take_failure());
      return *lane;
    }
  }
  return *new Lane(level);
}

void Lane::retire() {
  // The next user may submit while this very task is still being completed: it is the same queue, in order.
  submit([](Lane& lane) { lane.put_back(); });
}

void Lane::put_back() {
  MutexLock lock(pool().mutex);
  pool().unused.push_back(this);
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
  // From `held` to `blocked` in one step, before any thread can unblock. Afterwards this thread must not touch the
  // lane.
  bool waits = marker.progress->add(
      waiter_, [this] { control_.fetch_xor(uint32_t{held} | uint32_t{blocked}, std::memory_order_seq_cst); });
  return waits ? Outcome::blocked : Outcome::done;
}

void Lane::unblock() {
  control_.fetch_and(~uint32_t{blocked}, std::memory_order_seq_cst);
  offer();
}

uint64_t Lane::lock_submissions() {
  // Another thread is writing a record, which takes nanoseconds unless it has lost its core.
  uint64_t seen = 0;
  spin_or_yield([&] {
    seen = submissions_.load(std::memory_order_relaxed);
    return !(seen & 1) && submissions_.compare_exchange_weak(seen, seen | 1, std::memory_order_acquire);
  });
  return seen;
}

void Lane::note_wait(uint64_t number, const Marker& marker) {
  MutexLock lock(waits_mutex_);
  if (waits_.size() % 16 == 15) std::erase_if(waits_, [](const Wait& wait) { return wait.marker.reached(); });
  waits_.push_back({number, marker});
}

std::vector<Marker> Lane::open_waits(uint64_t up_to) {
  std::vector<Marker> open;
  MutexLock lock(waits_mutex_);
  for (const Wait& wait : waits_) {
    if (wait.number <= up_to && !wait.marker.reached()) open.push_back(wait.marker);
  }
  return open;
}

bool Lane::follows(const Marker& marker) {
  if (marker.reached() || marker.progress == &progress_) return true;
  // Waits never form a cycle, but many paths may lead to one marker, so the search is limited.
  constexpr size_t most_markers = 256;
  std::vector<Marker> ahead = open_waits(published());
  for (size_t i = 0; i < ahead.size() && i < most_markers; ++i) {
    if (ahead[i].progress == marker.progress && ahead[i].value >= marker.value) return true;
    Lane* lane = ahead[i].progress->lane();
    if (!lane) continue;
    const std::vector<Marker> more = lane->open_waits(ahead[i].value);
    ahead.insert(ahead.end(), more.begin(), more.end());
  }
  return marker.reached();
}

Marker Lane::read_blocked_on() {
  MutexLock lock(blocked_mutex_);
  bool is_blocked = control_.load(std::memory_order_acquire) & blocked;
  return is_blocked ? blocked_on_ : Marker{};
}

}  // namespace reprise_runtime::exec
