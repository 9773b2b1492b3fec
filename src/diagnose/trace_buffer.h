// The events of one thread on their way to the writer.
//
// Thread safety: the owner calls push(), begin() and end(); the writer calls take() and begun_long_ago().
//
// Invariants
//  1. Events [taken, pushed) are the writer's to read; the owner writes only behind them.
//  2. A slot of `open` is the owner's while its state is `free`. The owner publishes it as `open`; the writer may turn
//     `open` into `shown` after it has copied the event; the owner takes it back by an exchange that tells which it
//     was.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

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
    open_[depth].state.store(++turn_ << 2 | is_open, std::memory_order_release);
    return depth;
  }
  // Whether the writer has shown that the event began.
  bool end(uint32_t depth) {
    --depth_;
    return depth < deepest && (open_[depth].state.exchange(is_free, std::memory_order_acq_rel) & 3) == is_shown;
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
      if ((state & 3) != is_open) continue;
      const TraceEvent event = open.event;
      // The copy is whole if the slot was not reused meanwhile, which changes the turn.
      if (event.start > limit) continue;
      if (open.state.compare_exchange_strong(state, (state & ~uint64_t{3}) | is_shown, std::memory_order_acq_rel))
        use(event);
    }
  }
  uint64_t take_dropped() { return dropped_.exchange(0, std::memory_order_relaxed); }

 private:
  enum : uint64_t { is_free, is_open, is_shown };
  struct Open {
    std::atomic<uint64_t> state{is_free};
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
