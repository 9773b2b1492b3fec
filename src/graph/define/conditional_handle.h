// Conditions, by which conditional nodes choose what to run. A kernel sets a condition by its handle; a conditional
// node of the same graph, or of a graph inside it, reads it.
//
// Thread safety: every function may be called from any thread. As CUDA requires, one kernel at a time sets the value,
// and the node that reads it depends on that kernel.
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

  // The outermost graph around the one that it was created for.
  Handle graph() const { return graph_; }
  // The device that was current when it was created. Its node must be on the same one.
  int device() const { return device_; }
  // Its place in the order of creation among the conditions of graph() and of all graphs inside. Updates compare it.
  size_t place() const { return place_; }
  cudaGraphConditionalHandle as_user() const { return handle().bits; }

  uint32_t value() const { return value_.load(std::memory_order_relaxed); }
  void set(uint32_t value) { value_.store(value, std::memory_order_relaxed); }
  // Called when a launch begins.
  void begin() {
    if (assigned_) set(initial_);
  }

  // Reserves it for a node; false when another node has it.
  bool take() { return !taken_.exchange(true, std::memory_order_acq_rel); }
  void give_back() { taken_.store(false, std::memory_order_release); }
  bool taken() const { return taken_.load(std::memory_order_acquire); }

 private:
  const Handle graph_;
  const int device_;
  const size_t place_;
  const uint32_t initial_;
  const bool assigned_;  // the initial value is set at each launch
  std::atomic<uint32_t> value_{0};
  std::atomic<bool> taken_{false};
};

// Held by the graph that it was created for and by the executable graphs that use it. Its handle is valid as long as
// one of them lives.
using HeldCondition = std::shared_ptr<Condition>;

inline HandleTable<Condition>& conditions() { return HandleTable<Condition>::instance(); }

[[nodiscard]] cudaError_t create_condition(cudaGraphConditionalHandle* out, cudaGraph_t graph, unsigned value,
                                           unsigned flags);

}  // namespace reprise_runtime::graph
