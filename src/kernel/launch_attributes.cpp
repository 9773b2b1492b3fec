#include "kernel/launch_attributes.h"

#include "kernel/limits.h"

namespace reprise_runtime::kernel {
namespace {

// All zero means no cluster. Otherwise the grid must be made up of whole ones.
bool fits(const cudaLaunchAttributeValue& cluster, const dim3& grid, uint32_t most_blocks) {
  uint32_t x = cluster.clusterDim.x, y = cluster.clusterDim.y, z = cluster.clusterDim.z;
  if (x == 0 && y == 0 && z == 0) return true;
  if (x == 0 || y == 0 || z == 0 || uint64_t{x} * y * z > most_blocks) return false;
  return grid.x % x == 0 && grid.y % y == 0 && grid.z % z == 0;
}

bool is_window(const cudaAccessPolicyWindow& window) {
  return window.hitRatio >= 0 && window.hitRatio <= 1 && window.missProp != cudaAccessPropertyPersisting;
}

cudaError_t valid_if(bool valid) { return valid ? cudaSuccess : cudaErrorInvalidValue; }

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
    case cudaLaunchAttributeDeviceUpdatableKernelNode:  // a capture's, which looks at it
      return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow:
      return valid_if(is_window(value.accessPolicyWindow));
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributePreferredClusterDimension:
      return fits(value, grid, most_cluster_blocks) ? cudaSuccess : cudaErrorInvalidClusterSize;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      return valid_if(value.clusterSchedulingPolicyPreference <= cudaClusterSchedulingPolicyLoadBalancing);
    case cudaLaunchAttributeMemSyncDomainMap:
      return valid_if(value.memSyncDomainMap.default_ < sync_domains && value.memSyncDomainMap.remote < sync_domains);
    case cudaLaunchAttributeMemSyncDomain:
      return valid_if(value.memSyncDomain <= cudaLaunchMemSyncDomainRemote);
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return valid_if(value.sharedMemCarveout <= cudaSharedmemCarveoutMaxShared ||
                      static_cast<int>(value.sharedMemCarveout) == cudaSharedmemCarveoutDefault);
    default:  // cudaLaunchAttributeSynchronizationPolicy is a stream's alone
      return cudaErrorInvalidValue;
  }
}

}  // namespace

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
