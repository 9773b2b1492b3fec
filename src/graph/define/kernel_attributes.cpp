#include "graph/define/kernel_attributes.h"

#include <algorithm>
#include <cstring>

#include "diagnose/refuse.h"
#include "graph/define/graph.h"
#include "graph/define/node.h"
#include "kernel/launch_shape.h"

namespace reprise_runtime::graph {

int priority_of(const KernelWork& work) {
  const cudaLaunchAttributeValue* set = work.op.attributes.find(cudaLaunchAttributePriority);
  return set ? set->priority : 0;
}

int priority_of(const Node& node) {
  const KernelWork* kernel = std::get_if<KernelWork>(&node.work);
  return kernel ? priority_of(*kernel) : 0;
}

namespace {

using diagnose::refuse;

constexpr int least_priority = 0, greatest_priority = -5;
constexpr unsigned memory_sync_domains = 4;

bool lists(cudaLaunchAttributeID id) {
  switch (id) {
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeCooperative:
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return true;
    default:
      return false;
  }
}

cudaLaunchAttributeValue default_of(cudaLaunchAttributeID id) {
  cudaLaunchAttributeValue value;
  std::memset(&value, 0, sizeof value);
  if (id == cudaLaunchAttributeMemSyncDomainMap) value.memSyncDomainMap.remote = 1;
  return value;
}

// Leaves the rest of the union as it is.
void copy_value(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& from, cudaLaunchAttributeValue& to) {
  switch (id) {
    case cudaLaunchAttributeAccessPolicyWindow:
      to.accessPolicyWindow = from.accessPolicyWindow;
      break;
    case cudaLaunchAttributeCooperative:
      to.cooperative = from.cooperative;
      break;
    case cudaLaunchAttributeClusterDimension:
      to.clusterDim = from.clusterDim;
      break;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      to.clusterSchedulingPolicyPreference = from.clusterSchedulingPolicyPreference;
      break;
    case cudaLaunchAttributePriority:
      to.priority = from.priority;
      break;
    case cudaLaunchAttributeMemSyncDomainMap:
      to.memSyncDomainMap = from.memSyncDomainMap;
      break;
    case cudaLaunchAttributeMemSyncDomain:
      to.memSyncDomain = from.memSyncDomain;
      break;
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      to.deviceUpdatableKernelNode.deviceUpdatable = from.deviceUpdatableKernelNode.deviceUpdatable;
      to.deviceUpdatableKernelNode.devNode = from.deviceUpdatableKernelNode.devNode;
      break;
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      to.sharedMemCarveout = from.sharedMemCarveout;
      break;
    default:
      break;
  }
}

cudaError_t check_cluster(const op::Kernel& kernel, const cudaLaunchAttributeValue& value) {
  const unsigned x = value.clusterDim.x, y = value.clusterDim.y, z = value.clusterDim.z;
  if (x == 0 && y == 0 && z == 0) return cudaSuccess;  // none
  const bool large = kernel.function->settings().non_portable_cluster.load(std::memory_order_relaxed);
  const uint64_t most = large ? kernel::max_cluster_blocks_opt_in : kernel::max_cluster_blocks;
  const dim3& grid = kernel.shape.grid;
  if (x == 0 || y == 0 || z == 0 || uint64_t{x} * y * z > most || grid.x % x || grid.y % y || grid.z % z) {
    return refuse(cudaErrorInvalidClusterSize,
                  "clusters of %u x %u x %u blocks do not divide a grid of %u x %u x %u blocks", x, y, z, grid.x,
                  grid.y, grid.z);
  }
  return cudaSuccess;
}

cudaError_t check_cooperative(const op::Kernel& kernel, bool cooperative) {
  kernel::LaunchShape shape = kernel.shape;
  shape.cooperative = cooperative;
  return kernel::validate(*kernel.function, *kernel.function->code(), shape);
}

cudaError_t check(const op::Kernel& kernel, cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
  switch (id) {
    case cudaLaunchAttributeAccessPolicyWindow:
      return kernel::check_policy_window(value.accessPolicyWindow);
    case cudaLaunchAttributeCooperative:
      return check_cooperative(kernel, value.cooperative);
    case cudaLaunchAttributeClusterDimension:
      return check_cluster(kernel, value);
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributePriority:
      return cudaSuccess;
    case cudaLaunchAttributeMemSyncDomainMap:
      return value.memSyncDomainMap.default_ < memory_sync_domains &&
                     value.memSyncDomainMap.remote < memory_sync_domains
                 ? cudaSuccess
                 : refuse(cudaErrorInvalidValue, "memSyncDomainMap names a domain that does not exist; there are %u",
                          memory_sync_domains);
    case cudaLaunchAttributeMemSyncDomain:
      return value.memSyncDomain == cudaLaunchMemSyncDomainDefault ||
                     value.memSyncDomain == cudaLaunchMemSyncDomainRemote
                 ? cudaSuccess
                 : refuse(cudaErrorInvalidValue, "memSyncDomain is %d, which is not a domain",
                          static_cast<int>(value.memSyncDomain));
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      return cudaSuccess;  // see set_updatable
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return value.sharedMemCarveout <= 100 || value.sharedMemCarveout == static_cast<unsigned>(-1)
                 ? cudaSuccess
                 : refuse(cudaErrorInvalidValue,
                          "the shared memory carveout is %u percent; it must be at most 100, or -1",
                          static_cast<unsigned>(value.sharedMemCarveout));
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
      return value.nvlinkUtilCentricScheduling <= 1
                 ? cudaSuccess
                 : refuse(cudaErrorInvalidValue, "nvlinkUtilCentricScheduling is %u; it must be 0 or 1",
                          value.nvlinkUtilCentricScheduling);
    default:
      return refuse(cudaErrorInvalidValue, "kernel nodes have no attribute %d", static_cast<int>(id));
  }
}

}  // namespace

cudaError_t get_attribute(const KernelWork& work, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value) {
  if (!lists(id))
    return refuse(cudaErrorInvalidValue, "kernel nodes have no attribute %d that can be read", static_cast<int>(id));
  const cudaLaunchAttributeValue* found = work.op.attributes.find(id);
  copy_value(id, found ? *found : default_of(id), *value);
  // Kept as the user set it, which is what updates compare.
  if (id == cudaLaunchAttributePriority)
    value->priority = std::clamp(value->priority, greatest_priority, least_priority);
  return cudaSuccess;
}

cudaError_t set_attribute(KernelWork& work, cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
  if (cudaError_t refused = check(work.op, id, value); refused != cudaSuccess) return refused;
  cudaLaunchAttributeValue kept = {};
  if (lists(id)) {
    kept = default_of(id);
    copy_value(id, value, kept);
  } else {
    // This attribute cannot be read back, but updates compare it.
    kept.nvlinkUtilCentricScheduling = value.nvlinkUtilCentricScheduling;
  }
  work.op.attributes.set(id, kept);
  if (id == cudaLaunchAttributeCooperative) work.op.shape.cooperative = kept.cooperative != 0;
  return cudaSuccess;
}

cudaError_t set_updatable(Graph& graph, KernelWork& work, const cudaLaunchAttributeValue& value,
                          cudaGraphDeviceNode_t& device_node) {
  const int wanted = value.deviceUpdatableKernelNode.deviceUpdatable;
  if (wanted != 0 && wanted != 1)
    return refuse(cudaErrorInvalidValue, "deviceUpdatable is %d; it must be 0 or 1", wanted);
  if (!wanted) {
    if (!work.updatable) return cudaSuccess;
    return refuse(cudaErrorNotSupported, "deviceUpdatable cannot be reset once it was set");
  }
  HeldUpdatable made = work.updatable ? work.updatable : make_updatable();
  if (!made) return cudaErrorMemoryAllocation;
  cudaLaunchAttributeValue kept = default_of(cudaLaunchAttributeDeviceUpdatableKernelNode);
  kept.deviceUpdatableKernelNode.deviceUpdatable = 1;
  device_node = kept.deviceUpdatableKernelNode.devNode = made->as_user();
  work.op.attributes.set(cudaLaunchAttributeDeviceUpdatableKernelNode, kept);
  work.updatable = std::move(made);
  graph.note_updatable();
  return cudaSuccess;
}

void adopt_updatable(Graph& graph, KernelWork& work) {
  const auto* value = work.op.attributes.find(cudaLaunchAttributeDeviceUpdatableKernelNode);
  if (!value || !value->deviceUpdatableKernelNode.deviceUpdatable) return;
  work.updatable = find_updatable(value->deviceUpdatableKernelNode.devNode);
  if (work.updatable) graph.note_updatable();
}

cudaError_t replace_attributes(KernelWork& work, const kernel::LaunchAttributes& attributes) {
  const cudaLaunchAttributeValue* cluster = attributes.find(cudaLaunchAttributeClusterDimension);
  if (cluster) {
    if (cudaError_t refused = check_cluster(work.op, *cluster); refused != cudaSuccess) return refused;
  }
  const cudaLaunchAttributeValue* cooperative = attributes.find(cudaLaunchAttributeCooperative);
  const bool together = cooperative && cooperative->cooperative;
  if (cudaError_t refused = check_cooperative(work.op, together); refused != cudaSuccess) return refused;
  work.op.attributes = attributes;
  work.op.shape.cooperative = together;
  return cudaSuccess;
}

}  // namespace reprise_runtime::graph
