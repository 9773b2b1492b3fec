#include "kernel/attributes.h"

#include "diagnose/refuse.h"
#include "kernel/cluster.h"

namespace reprise_runtime::kernel {
namespace {

// A CPU has no such figure; programs divide by it.
constexpr int nominal_registers = 32;
// The capability of the device, which all code is finally compiled for.
constexpr int binary_version = 90;

// Stores a value within [least, most].
cudaError_t store(std::atomic<int>& to, int value, int least, int most) {
  if (value < least || value > most) {
    return diagnose::refuse(cudaErrorInvalidValue, "the value must be %d to %d, not %d", least, most, value);
  }
  to.store(value, std::memory_order_relaxed);
  return cudaSuccess;
}

}  // namespace

cudaFuncAttributes attributes_of(const Function& function) {
  const reprise_kernel& code = *function.code();
  const Function::Settings& settings = function.settings();
  auto get = [](const std::atomic<int>& value) { return value.load(std::memory_order_relaxed); };
  cudaFuncAttributes out = {};
  out.sharedSizeBytes = code.static_shared;
  out.localSizeBytes = code.local_bytes;
  out.maxThreadsPerBlock = static_cast<int>(function.max_threads());
  out.numRegs = nominal_registers;
  out.ptxVersion = static_cast<int>(code.architecture);
  out.binaryVersion = binary_version;
  out.maxDynamicSharedSizeBytes = static_cast<int>(function.max_dynamic_shared());
  out.preferredShmemCarveout = get(settings.preferred_carveout);
  const dim3 cluster = required_cluster(function);
  out.requiredClusterWidth = static_cast<int>(cluster.x);
  out.requiredClusterHeight = static_cast<int>(cluster.y);
  out.requiredClusterDepth = static_cast<int>(cluster.z);
  out.clusterDimMustBeSet = out.requiredClusterWidth || out.requiredClusterHeight || out.requiredClusterDepth;
  out.clusterSchedulingPolicyPreference = get(settings.cluster_scheduling);
  out.nonPortableClusterSizeAllowed = get(settings.non_portable_cluster);
  return out;
}

cudaError_t set_attribute(const Function& function, cudaFuncAttribute attribute, int value) {
  Function::Settings& settings = function.settings();
  constexpr int most_cluster = max_cluster_blocks_opt_in;
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      return store(settings.max_dynamic_shared, value, 0,
                   static_cast<int>(max_shared_opt_in) - static_cast<int>(function.code()->static_shared));
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      return store(settings.preferred_carveout, value, cudaSharedmemCarveoutDefault, cudaSharedmemCarveoutMaxShared);
    case cudaFuncAttributeRequiredClusterWidth:
      return store(settings.required_cluster[0], value, 0, most_cluster);
    case cudaFuncAttributeRequiredClusterHeight:
      return store(settings.required_cluster[1], value, 0, most_cluster);
    case cudaFuncAttributeRequiredClusterDepth:
      return store(settings.required_cluster[2], value, 0, most_cluster);
    case cudaFuncAttributeNonPortableClusterSizeAllowed:  // any value but zero allows it; no value is refused
      settings.non_portable_cluster.store(value != 0, std::memory_order_relaxed);
      return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      return store(settings.cluster_scheduling, value, cudaClusterSchedulingPolicyDefault,
                   cudaClusterSchedulingPolicyLoadBalancing);
    default:  // cudaFuncAttributeClusterDimMustBeSet can only be read
      return diagnose::refuse(cudaErrorInvalidValue, "attribute %d of a function cannot be set",
                              static_cast<int>(attribute));
  }
}

}  // namespace reprise_runtime::kernel
