// The memory of a device, and how much of it is in use. Thread safety: all calls may be made from any thread.
//
// A CPU device has the machine's memory, or the size that REPRISE_MEMORY sets, divided equally among the devices of
// REPRISE_DEVICES. Linux overcommits memory, so the runtime keeps count.
#pragma once

#include <atomic>
#include <cstddef>

namespace reprise_runtime::memory {

class Capacity {
 public:
  // `taken_by_others` is the memory that other programs held when this one started.
  explicit Capacity(std::size_t total, std::size_t taken_by_others = 0) : total_(total), others_(taken_by_others) {}

  // Returns false and changes nothing if less than that is left.
  bool charge(std::size_t bytes);
  void refund(std::size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  std::size_t total() const { return total_; }
  std::size_t used() const { return used_.load(std::memory_order_relaxed); }
  std::size_t free() const;

 private:
  const std::size_t total_;
  const std::size_t others_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace reprise_runtime::memory
