// The events of one thread on their way to the writer.
//
// Thread safety: the owner calls push(), begin() and end(); the writer calls take() and begun_long_ago().
//
// Invariants
//  1. Events [taken, pushed) are the writer's to read; the owner writes only behind them.
//  2. A slot of `open` is the owner's while its state is `free`. The owner publishes it as `open`. The writer may claim
//     it, read the event, and leave it as `shown`. The owner takes it back, but not while it is claimed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/waiting.h"
#include "diagnose/trace.h"

namespace reprise_runtime::diagnose {

class TraceBuffer {
 public:
  static constexpr uint64_t capacity = 1 << 15;
  static constexpr uint32_t deepest = 16;

  TraceBuffer(int thread, bool worker) : thread_(thread), worker_(worker), events_(new TraceEvent[capacity]) {}

  int thread() const { return thread_; }
  bool worker() const { return worker_; }

  // ---- for the owner --------------------------------------------------------------------------------------------

  void push(const TraceEvent& event) {
    const uint64_t at = pushed_.load(std::memory_order_relaxed);
    if (at - taken_seen_ >= capacity) [[unlikely]] {
      taken_seen_ = taken_.load(std::memory_order_acquire);
      if (at - taken_seen_ >= capacity) return static_cast<void>(dropped_.fetch_add(1, std::memory_order_relaxed));
    }
    events_[at % capacity] = event;
    pushed_.store(at + 1, std::memory_order_release);
  }

  // Returns the slot for end().
  uint32_t begin(const TraceEvent& event) {
    const uint32_t depth = depth_++;
    if (depth >= deepest) return depth;
    open_[depth].event = event;
    open_[depth].start.store(event.start, std::memory_order_relaxed);
    open_[depth].state.store(++turn_ << 2 | is_open, std::memory_order_release);
    return depth;
  }
  // Whether the writer has shown that the event began.
  bool end(uint32_t depth) {
    --depth_;
    if (depth >= deepest) return false;
    std::atomic<uint64_t>& state = open_[depth].state;
    uint64_t seen = state.load(std::memory_order_acquire);
    do {
      if ((seen & 3) == is_claimed) [[unlikely]]
        spin_or_yield([&] { return ((seen = state.load(std::memory_order_acquire)) & 3) != is_claimed; });
    } while (!state.compare_exchange_weak(seen, is_free, std::memory_order_acq_rel, std::memory_order_acquire));
    return (seen & 3) == is_shown;
  }

  // ---- for the writer -------------------------------------------------------------------------------------------

  template <class Use>
  void take(Use&& use) {
    const uint64_t end = pushed_.load(std::memory_order_acquire);
    uint64_t at = taken_.load(std::memory_order_relaxed);
    for (; at != end; ++at) use(events_[at % capacity]);
    taken_.store(at, std::memory_order_release);
  }
  // use(event) for events that began before `limit` and are still open, once for each.
  template <class Use>
  void begun_long_ago(uint64_t limit, Use&& use) {
    for (Open& open : open_) {
      uint64_t state = open.state.load(std::memory_order_acquire);
      if ((state & 3) != is_open || open.start.load(std::memory_order_relaxed) > limit) continue;
      const uint64_t turn = state & ~uint64_t{3};
      // Fails if the slot was reused meanwhile.
      if (!open.state.compare_exchange_strong(state, turn | is_claimed, std::memory_order_acq_rel)) continue;
      use(open.event);
      open.state.store(turn | is_shown, std::memory_order_release);
    }
  }
  uint64_t take_dropped() { return dropped_.exchange(0, std::memory_order_relaxed); }

 private:
  enum : uint64_t { is_free, is_open, is_claimed, is_shown };
  struct Open {
    // In the lowest two bits; above them is a number that each use of the slot raises.
    std::atomic<uint64_t> state{is_free};
    std::atomic<uint64_t> start{0};  // of the event, for a look before the claim
    TraceEvent event;
  };

  const int thread_;
  const bool worker_;
  const std::unique_ptr<TraceEvent[]> events_;
  uint64_t taken_seen_ = 0;  // the owner's view of taken_
  uint64_t turn_ = 0;
  uint32_t depth_ = 0;
  alignas(64) std::atomic<uint64_t> pushed_{0};
  alignas(64) std::atomic<uint64_t> taken_{0};
  std::atomic<uint64_t> dropped_{0};
  Open open_[deepest];
};

}  // namespace reprise_runtime::diagnose
