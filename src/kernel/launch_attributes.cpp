#include "kernel/launch_attributes.h"

#include "diagnose/refuse.h"
#include "kernel/limits.h"

namespace reprise_runtime::kernel {
namespace {

using diagnose::refuse;

// All zero means no cluster. Otherwise the cluster size must divide the grid.
bool fits(const cudaLaunchAttributeValue& cluster, const dim3& grid, uint32_t most_blocks) {
  uint32_t x = cluster.clusterDim.x, y = cluster.clusterDim.y, z = cluster.clusterDim.z;
  if (x == 0 && y == 0 && z == 0) return true;
  if (x == 0 || y == 0 || z == 0 || uint64_t{x} * y * z > most_blocks) return false;
  return grid.x % x == 0 && grid.y % y == 0 && grid.z % z == 0;
}

cudaError_t valid_if(bool valid, const char* rule) {
  return valid ? cudaSuccess : diagnose::refuse(cudaErrorInvalidValue, "%s", rule);
}

[[gnu::cold]] cudaError_t refuse_cluster(const cudaLaunchAttributeValue& cluster, const dim3& grid, uint32_t most) {
  const auto& size = cluster.clusterDim;
  return diagnose::refuse(cudaErrorInvalidClusterSize,
                          "clusters of %u x %u x %u blocks in a grid of %u x %u x %u: a cluster has at most %u blocks, "
                          "and the grid consists of whole clusters",
                          size.x, size.y, size.z, grid.x, grid.y, grid.z, most);
}

cudaError_t check(const cudaLaunchAttribute& attribute, const dim3& grid, uint32_t most_cluster_blocks) {
  const cudaLaunchAttributeValue& value = attribute.val;
  switch (attribute.id) {
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeCooperative:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
    case cudaLaunchAttributeProgrammaticEvent:
    case cudaLaunchAttributeLaunchCompletionEvent:
    case cudaLaunchAttributeDeviceUpdatableKernelNode:  // checked by captures
      return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow:
      return check_policy_window(value.accessPolicyWindow);
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributePreferredClusterDimension:
      return fits(value, grid, most_cluster_blocks) ? cudaSuccess : refuse_cluster(value, grid, most_cluster_blocks);
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      return valid_if(value.clusterSchedulingPolicyPreference <= cudaClusterSchedulingPolicyLoadBalancing,
                      "unknown cluster scheduling policy");
    case cudaLaunchAttributeMemSyncDomainMap:
      return valid_if(value.memSyncDomainMap.default_ < sync_domains && value.memSyncDomainMap.remote < sync_domains,
                      "the memory synchronization domain map names a domain that the device does not have");
    case cudaLaunchAttributeMemSyncDomain:
      return valid_if(value.memSyncDomain <= cudaLaunchMemSyncDomainRemote, "unknown memory synchronization domain");
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return valid_if(value.sharedMemCarveout <= cudaSharedmemCarveoutMaxShared ||
                          static_cast<int>(value.sharedMemCarveout) == cudaSharedmemCarveoutDefault,
                      "the preferred carveout must be -1 or a percentage");
    default:  // cudaLaunchAttributeSynchronizationPolicy is a stream's alone
      return diagnose::refuse(cudaErrorInvalidValue, "a launch has no attribute %d", static_cast<int>(attribute.id));
  }
}

}  // namespace

cudaError_t check_policy_window(const cudaAccessPolicyWindow& window) {
  if (!(window.hitRatio >= 0 && window.hitRatio <= 1)) {
    return refuse(cudaErrorInvalidValue, "the hit ratio of the access-policy window is %g; it must be from 0 to 1",
                  static_cast<double>(window.hitRatio));
  }
  if (window.missProp == cudaAccessPropertyPersisting) {
    return refuse(cudaErrorInvalidValue,
                  "missProp of the access-policy window must not be cudaAccessPropertyPersisting");
  }
  if (window.num_bytes > max_policy_window) {
    return refuse(cudaErrorInvalidValue, "an access-policy window of %zu bytes; accessPolicyMaxWindowSize is %zu",
                  window.num_bytes, max_policy_window);
  }
  return cudaSuccess;
}

Result<LaunchAttributes> read_launch_attributes(const cudaLaunchConfig_t& config, const Function* function) {
  bool large = function && function->settings().non_portable_cluster.load(std::memory_order_relaxed) != 0;
  LaunchAttributes read;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    cudaError_t refused = check(attribute, config.gridDim, large ? max_cluster_blocks_opt_in : max_cluster_blocks);
    if (refused != cudaSuccess) return refused;
    if (attribute.id != cudaLaunchAttributeIgnore) read.set(attribute.id, attribute.val);
  }
  return read;
}

}  // namespace reprise_runtime::kernel
