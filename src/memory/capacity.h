// How much memory a device has, and how much of it is taken.
//
// A CPU device's memory is the machine's: what the system has, or what REPRISE_MEMORY says, shared equally by the
// devices that REPRISE_DEVICES asks for. Linux hands out more addresses than it has memory, so the runtime counts.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string_view>

namespace reprise::memory {

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

struct MachineMemory {
  std::size_t total;      // what this process may use at most: physical memory, or its control group's limit
  std::size_t available;  // of that, what no one uses now
};
MachineMemory read_machine_memory();

// "8G", "512M", "1048576": bytes with an optional K, M, G or T (powers of 1024). Nothing for anything else or for 0.
std::optional<std::size_t> parse_bytes(std::string_view text);

}  // namespace reprise::memory
