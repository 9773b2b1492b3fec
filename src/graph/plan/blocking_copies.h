// The copies of a plan that cudaGraphLaunch waits for; see op::Memcpy::blocks_host(). As on an H200, a launch returns
// when these copies are done, which may be before the rest of the graph is.
//
// Thread safety: change(), count() and begin_launch() need the mutex of the executable graph. The launch that runs
// calls start(), note_done() and finish(); its steps may call note_done() on several threads at once.
//
// Invariants
//  1. count() is the number of such copies that the next launch makes, with all queued changes.
//  2. The marker of a launch is reached when that many copies are done, at the latest when the launch ends.
#pragma once

#include <atomic>
#include <cstdint>

#include "exec/progress.h"

namespace reprise_runtime::graph {

class BlockingCopies {
 public:
  BlockingCopies() = default;
  BlockingCopies(const BlockingCopies&) = delete;
  BlockingCopies& operator=(const BlockingCopies&) = delete;
  ~BlockingCopies();

  uint32_t count() const { return count_; }
  // A copy of the next launch blocks from now on, or no longer does.
  void change(bool blocked, bool blocks) noexcept { count_ += uint32_t{blocks} - uint32_t{blocked}; }

  // A launch with such copies.
  struct Launch {
    exec::Marker done;   // reached when they are done; a default one for a launch without any
    uint32_t count = 0;  // of the copies
  };
  Launch begin_launch();

  // Before the first step and after the last one.
  void start(const Launch& launch) noexcept {
    running_ = launch.done;
    left_.store(launch.count, std::memory_order_relaxed);
  }
  void finish(const Launch& launch) noexcept;
  // A step has made such a copy. In the body of a conditional node no launch waits for it.
  void note_done() noexcept {
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) running_.progress->complete(running_.value);
  }

 private:
  uint32_t count_ = 0;
  exec::Progress* progress_ = nullptr;  // null until the first launch with such copies
  uint64_t launches_ = 0;               // the value that the progress has after the last launch so far
  exec::Marker running_;
  std::atomic<int64_t> left_{0};
};

}  // namespace reprise_runtime::graph
