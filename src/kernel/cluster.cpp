#include "kernel/cluster.h"

#include "diagnose/refuse.h"

namespace reprise_runtime::kernel {
namespace {

// A dimension of 0 counts as 1.
bool several_blocks(const dim3& size) { return size.x > 1 || size.y > 1 || size.z > 1; }

[[gnu::cold]] cudaError_t not_supported(const dim3& size) {
  return diagnose::refuse(cudaErrorNotSupported,
                          "clusters of %u x %u x %u blocks are not supported (cudaDevAttrClusterLaunch is 0); launch "
                          "without clusters, or with clusters of one block",
                          size.x, size.y, size.z);
}

}  // namespace

dim3 required_cluster(const Function& function) {
  const auto& set = function.settings().required_cluster;
  const uint32_t* compiled = function.code()->cluster;
  auto size = [&](int i) {
    const int chosen = set[i].load(std::memory_order_relaxed);
    return chosen ? static_cast<uint32_t>(chosen) : compiled[i];
  };
  return dim3(size(0), size(1), size(2));
}

cudaError_t check_asked_cluster(const Function& function, const LaunchAttributes& attributes) {
  const dim3 required = required_cluster(function);
  if (several_blocks(required)) return not_supported(required);
  const cudaLaunchAttributeValue* asked = attributes.find(cudaLaunchAttributeClusterDimension);
  if (!asked) return cudaSuccess;
  const dim3 size(asked->clusterDim.x, asked->clusterDim.y, asked->clusterDim.z);
  return several_blocks(size) ? not_supported(size) : cudaSuccess;
}

}  // namespace reprise_runtime::kernel
