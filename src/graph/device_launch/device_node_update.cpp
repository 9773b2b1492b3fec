// cudaGraphKernelNodeSetParam, SetEnabled and SetGridDim: device code changes kernel nodes of executable graphs.
#include <algorithm>
#include <cstring>

#include "base/export.h"
#include "graph/define/updatable_node.h"
#include "graph/device_launch/device_refusal.h"
#include "graph/plan/make_step.h"
#include "kernel/limits.h"

namespace reprise_runtime::graph {
namespace {

// Applies change(KernelStep&) to the node's step.
template <class Change>
Refusal change(uint64_t node, Change&& change) {
  Ref<UpdatableNode> found = updatable_nodes().find(Handle{node});
  if (!found) return "it is not a device-updatable node, or it was destroyed";
  return found->with_step(
      [&](KernelStep* step) -> Refusal { return step ? change(*step) : "its graph has no executable graph"; });
}

Refusal set_parameter(uint64_t node, uint64_t offset, const void* value, uint64_t size) {
  // Reading the value may fault, and a fault does not return. So the value is copied piecewise while no mutex is held.
  char piece[256];
  const char* from = static_cast<const char*>(value);
  do {
    const uint64_t bytes = std::min<uint64_t>(size, sizeof piece);
    std::memcpy(piece, from, bytes);
    const Refusal refused = change(node, [&](KernelStep& step) -> Refusal {
      const uint64_t all = step.function->code()->param_bytes;
      if (offset > all || size > all - offset) return "they are not within the kernel's parameters";
      std::memcpy(step.params + offset, piece, bytes);
      return nullptr;
    });
    if (refused) return refused;
    offset += bytes;
    from += bytes;
    size -= bytes;
  } while (size > 0);
  return nullptr;
}

Refusal set_enabled(uint64_t node, bool enabled) {
  return change(node, [&](KernelStep& step) -> Refusal {
    enable_step(step, cudaGraphNodeTypeKernel, enabled);
    return nullptr;
  });
}

Refusal set_grid(uint64_t node, const dim3& grid) {
  return change(node, [&](KernelStep& step) -> Refusal {
    kernel::LaunchShape shape = step.shape();
    shape.grid = grid;
    if (kernel::validate(*step.function, *step.function->code(), shape) != cudaSuccess) {
      return "the kernel cannot be launched with this grid";
    }
    step.launch.grid[0] = grid.x;
    step.launch.grid[1] = grid.y;
    step.launch.grid[2] = grid.z;
    step.launch.block_end = shape.blocks();
    return nullptr;
  });
}

}  // namespace
}  // namespace reprise_runtime::graph

using namespace reprise_runtime::graph;

extern "C" REPRISE_EXPORT int __reprise_graph_node_set_parameter(uint64_t node, uint64_t offset, const void* value,
                                                                 uint64_t size) {
  const Refusal refused = set_parameter(node, offset, value, size);
  if (!refused) return cudaSuccess;
  return refuse_device("cudaGraphKernelNodeSetParam", "device node 0x%llx, %llu bytes at %llu: %s",
                       static_cast<unsigned long long>(node), static_cast<unsigned long long>(size),
                       static_cast<unsigned long long>(offset), refused);
}

extern "C" REPRISE_EXPORT int __reprise_graph_node_set_enabled(uint64_t node, int enabled) {
  const Refusal refused = set_enabled(node, enabled != 0);
  if (!refused) return cudaSuccess;
  return refuse_device("cudaGraphKernelNodeSetEnabled", "device node 0x%llx: %s", static_cast<unsigned long long>(node),
                       refused);
}

extern "C" REPRISE_EXPORT int __reprise_graph_node_set_grid(uint64_t node, uint32_t x, uint32_t y, uint32_t z) {
  const Refusal refused = set_grid(node, dim3(x, y, z));
  if (!refused) return cudaSuccess;
  return refuse_device("cudaGraphKernelNodeSetGridDim", "device node 0x%llx, a grid of %u x %u x %u: %s",
                       static_cast<unsigned long long>(node), x, y, z, refused);
}
