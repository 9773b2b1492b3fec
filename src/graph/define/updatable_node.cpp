#include "graph/define/updatable_node.h"

#include <algorithm>
#include <cstring>

#include "base/export.h"
#include "graph/update/plan_change.h"
#include "kernel/limits.h"

namespace reprise_runtime::graph {
namespace {

constexpr Refusal no_executable = "its graph has no executable graph, or no longer";

}  // namespace

Refusal UpdatableNode::set_parameter(uint64_t offset, const void* value, uint64_t size) {
  // The value may lie where a kernel must not read. That must not happen with the mutex held, since the fault is not
  // returned from; so it is first copied, in pieces.
  char piece[256];
  const char* from = static_cast<const char*>(value);
  do {
    const uint64_t bytes = std::min<uint64_t>(size, sizeof piece);
    std::memcpy(piece, from, bytes);
    MutexLock lock(mutex_);
    if (!step_) return no_executable;
    const uint64_t all = step_->function->code()->param_bytes;
    if (offset > all || size > all - offset) return "they do not lie within the kernel's parameters";
    std::memcpy(step_->params + offset, piece, bytes);
    offset += bytes;
    from += bytes;
    size -= bytes;
  } while (size > 0);
  return nullptr;
}

Refusal UpdatableNode::set_enabled(bool enabled) {
  MutexLock lock(mutex_);
  if (!step_) return no_executable;
  PlanChange::enable(*step_, cudaGraphNodeTypeKernel, enabled);
  return nullptr;
}

Refusal UpdatableNode::set_grid(const dim3& grid) {
  MutexLock lock(mutex_);
  if (!step_) return no_executable;
  kernel::LaunchShape shape = step_->shape();
  shape.grid = grid;
  if (kernel::validate(*step_->function, *step_->function->code(), shape) != cudaSuccess) {
    return "the kernel cannot be launched with it";
  }
  step_->launch.grid[0] = grid.x;
  step_->launch.grid[1] = grid.y;
  step_->launch.grid[2] = grid.z;
  step_->launch.block_end = shape.blocks();
  return nullptr;
}

HeldUpdatable make_updatable() {
  Ref<UpdatableNode> made = updatable_nodes().create();
  if (!made) return nullptr;
  return {made.detach(), [](UpdatableNode* gone) {
            updatable_nodes().erase(gone->handle());
            gone->release();
          }};
}

HeldUpdatable find_updatable(cudaGraphDeviceNode_t handle) {
  Ref<UpdatableNode> found = updatable_nodes().find(Handle::from(handle));
  return found ? found->weak_from_this().lock() : nullptr;
}

namespace {

template <class Change>
Refusal change(uint64_t node, Change&& change) {
  Ref<UpdatableNode> found = updatable_nodes().find(Handle{node});
  return found ? change(*found) : "it is none that device code may change: it was destroyed, or never was one";
}

}  // namespace
}  // namespace reprise_runtime::graph

using reprise_runtime::graph::Refusal;
using reprise_runtime::graph::UpdatableNode;

extern "C" REPRISE_EXPORT int __reprise_graph_node_set_parameter(uint64_t node, uint64_t offset, const void* value,
                                                                 uint64_t size) {
  const Refusal refused = reprise_runtime::graph::change(
      node, [&](UpdatableNode& found) { return found.set_parameter(offset, value, size); });
  if (!refused) return cudaSuccess;
  return reprise_runtime::graph::refuse_device(
      "cudaGraphKernelNodeSetParam", "device node 0x%llx, %llu bytes at %llu: %s",
      static_cast<unsigned long long>(node), static_cast<unsigned long long>(size),
      static_cast<unsigned long long>(offset), refused);
}

extern "C" REPRISE_EXPORT int __reprise_graph_node_set_enabled(uint64_t node, int enabled) {
  const Refusal refused =
      reprise_runtime::graph::change(node, [&](UpdatableNode& found) { return found.set_enabled(enabled != 0); });
  if (!refused) return cudaSuccess;
  return reprise_runtime::graph::refuse_device("cudaGraphKernelNodeSetEnabled", "device node 0x%llx: %s",
                                               static_cast<unsigned long long>(node), refused);
}

extern "C" REPRISE_EXPORT int __reprise_graph_node_set_grid(uint64_t node, uint32_t x, uint32_t y, uint32_t z) {
  const Refusal refused =
      reprise_runtime::graph::change(node, [&](UpdatableNode& found) { return found.set_grid(dim3(x, y, z)); });
  if (!refused) return cudaSuccess;
  return reprise_runtime::graph::refuse_device("cudaGraphKernelNodeSetGridDim",
                                               "device node 0x%llx, a grid of %u x %u x %u: %s",
                                               static_cast<unsigned long long>(node), x, y, z, refused);
}
