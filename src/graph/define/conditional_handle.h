// Conditions: what conditional nodes decide by. A kernel sets one by its handle; a node of the same graph, or of a
// graph inside it, reads it.
//
// Thread safety: every function may be called from any thread. The value is set by one kernel at a time, as CUDA asks,
// and read by the node after the kernels it depends on.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <memory>

#include "base/handle_table.h"
#include "base/status.h"

namespace reprise_runtime::graph {

class Condition : public Handled<Condition>, public std::enable_shared_from_this<Condition> {
 public:
  static constexpr HandleType handle_type = HandleType::graph_condition;

  Condition(Handle graph, int device, size_t place, uint32_t initial, bool assigned)
      : graph_(graph), device_(device), place_(place), initial_(initial), assigned_(assigned) {}

  // The outermost graph that it was made for.
  Handle graph() const { return graph_; }
  // That was current when it was made: its node is on the same one.
  int device() const { return device_; }
  // In the order in which those of the outermost graph and of all inside were made: updates compare it.
  size_t place() const { return place_; }
  cudaGraphConditionalHandle as_user() const { return handle().bits; }

  uint32_t value() const { return value_.load(std::memory_order_relaxed); }
  void set(uint32_t value) { value_.store(value, std::memory_order_relaxed); }
  // A launch begins.
  void begin() {
    if (assigned_) set(initial_);
  }

  // A node takes it: false when another has it.
  bool take() { return !taken_.exchange(true, std::memory_order_acq_rel); }
  void give_back() { taken_.store(false, std::memory_order_release); }
  bool taken() const { return taken_.load(std::memory_order_acquire); }

 private:
  const Handle graph_;
  const int device_;
  const size_t place_;
  const uint32_t initial_;
  const bool assigned_;  // at each launch
  std::atomic<uint32_t> value_{0};
  std::atomic<bool> taken_{false};
};

// Held by the graph it was made for and by executable graphs that use it: as long as one of them lives, kernels may
// name it.
using HeldCondition = std::shared_ptr<Condition>;

inline HandleTable<Condition>& conditions() { return HandleTable<Condition>::instance(); }

[[nodiscard]] cudaError_t create_condition(cudaGraphConditionalHandle* out, cudaGraph_t graph, unsigned value,
                                           unsigned flags);

}  // namespace reprise_runtime::graph
