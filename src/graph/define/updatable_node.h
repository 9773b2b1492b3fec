// The name that device code has for a kernel node that it may change, and the step that such a node has become in its
// executable graph. graph/device_launch implements the changes.
//
// Thread safety: every function may be called from any thread. As in CUDA, a node must not be changed while it runs.
#pragma once

#include <driver_types.h>

#include <memory>

#include "base/handle_table.h"
#include "base/mutex.h"

namespace reprise_runtime::graph {

struct KernelStep;  // defined in graph/plan

class UpdatableNode : public Handled<UpdatableNode>, public std::enable_shared_from_this<UpdatableNode> {
 public:
  static constexpr HandleType handle_type = HandleType::graph_device_node;

  cudaGraphDeviceNode_t as_user() const { return handle().as<cudaGraphDeviceNode_t>(); }

  // Attached from the instantiation of an executable graph to its destruction.
  void attach(KernelStep& step) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    step_ = &step;
  }
  void detach(const KernelStep& step) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (step_ == &step) step_ = nullptr;
  }

  // Returns use(KernelStep*), with null if there is no executable graph. The step stays while `use` runs.
  template <class Use>
  auto with_step(Use&& use) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return use(step_);
  }

 private:
  Mutex mutex_;
  KernelStep* step_ REPRISE_GUARDED_BY(mutex_) = nullptr;
};

// Held by the node and by its executable graph; the handle is valid as long as one of them lives.
using HeldUpdatable = std::shared_ptr<UpdatableNode>;

inline HandleTable<UpdatableNode>& updatable_nodes() { return HandleTable<UpdatableNode>::instance(); }

// Null when there is no memory.
HeldUpdatable make_updatable();
// Null when the handle names none.
HeldUpdatable find_updatable(cudaGraphDeviceNode_t handle);

}  // namespace reprise_runtime::graph
