// How much memory a device has, and how much of it is taken.
//
// A CPU device's memory is the machine's: what the system has, or what REPRISE_MEMORY says, shared equally by the
// devices that REPRISE_DEVICES asks for. Linux hands out more addresses than it has memory, so the runtime counts.
#pragma once

#include <atomic>
#include <cstddef>

namespace reprise_runtime::memory {

class Capacity {
 public:
  // `taken_by_others` is what other programs held when this one started.
  explicit Capacity(std::size_t total, std::size_t taken_by_others = 0) : total_(total), others_(taken_by_others) {}

  // False, and nothing changed, when there is not so much left.
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
