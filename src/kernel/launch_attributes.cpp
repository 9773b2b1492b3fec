#include "kernel/launch_attributes.h"

#include "kernel/limits.h"

namespace reprise::kernel {
namespace {

bool fits_a_cluster(unsigned x, unsigned y, unsigned z) {
  return x > 0 && y > 0 && z > 0 && uint64_t{x} * y * z <= max_cluster_blocks_opt_in;
}

cudaError_t check(const cudaLaunchAttribute& attribute) {
  const cudaLaunchAttributeValue& value = attribute.val;
  switch (attribute.id) {
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeCooperative:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
    case cudaLaunchAttributeProgrammaticEvent:
    case cudaLaunchAttributeLaunchCompletionEvent:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributePreferredClusterDimension:
      return fits_a_cluster(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z) ? cudaSuccess
                                                                                       : cudaErrorInvalidClusterSize;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

Result<LaunchAttributes> read_launch_attributes(const cudaLaunchAttribute* attributes, unsigned count) {
  LaunchAttributes read;
  for (unsigned i = 0; i < count; ++i) {
    if (cudaError_t refused = check(attributes[i]); refused != cudaSuccess) return refused;
    if (attributes[i].id != cudaLaunchAttributeIgnore) read.set(attributes[i].id, attributes[i].val);
  }
  return read;
}

}  // namespace reprise::kernel
