// A kernel node that device code may change in its executable graph: parameters, grid, whether it does anything.
//
// Thread safety: every function may be called from any thread. A node is not changed while it runs, as CUDA asks.
#pragma once

#include <driver_types.h>

#include <memory>

#include "base/handle_table.h"
#include "base/mutex.h"
#include "graph/device_launch/device_refusal.h"
#include "graph/plan/step.h"

namespace reprise_runtime::graph {

class UpdatableNode : public Handled<UpdatableNode>, public std::enable_shared_from_this<UpdatableNode> {
 public:
  static constexpr HandleType handle_type = HandleType::graph_device_node;

  cudaGraphDeviceNode_t as_user() const { return handle().as<cudaGraphDeviceNode_t>(); }

  // What it became in the executable graph, until that is gone.
  void attach(KernelStep& step) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    step_ = &step;
  }
  void detach(const KernelStep& step) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (step_ == &step) step_ = nullptr;
  }

  [[nodiscard]] Refusal set_parameter(uint64_t offset, const void* value, uint64_t size) REPRISE_EXCLUDES(mutex_);
  [[nodiscard]] Refusal set_enabled(bool enabled) REPRISE_EXCLUDES(mutex_);
  [[nodiscard]] Refusal set_grid(const dim3& grid) REPRISE_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  KernelStep* step_ REPRISE_GUARDED_BY(mutex_) = nullptr;
};

// Held by the node and by its executable graph: as long as one of them lives, kernels may name it.
using HeldUpdatable = std::shared_ptr<UpdatableNode>;

inline HandleTable<UpdatableNode>& updatable_nodes() { return HandleTable<UpdatableNode>::instance(); }

// Null when there is no memory.
HeldUpdatable make_updatable();
// Null when the handle names none.
HeldUpdatable find_updatable(cudaGraphDeviceNode_t handle);

}  // namespace reprise_runtime::graph
