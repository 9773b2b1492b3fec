// Thread block clusters. Device code here sees each block as a cluster of its own, so launches with larger clusters are
// refused: a program that shares memory between the blocks of a cluster would compute wrong results.
#pragma once

#include <driver_types.h>

#include "kernel/function.h"
#include "kernel/launch_attributes.h"

namespace reprise_runtime::kernel {

// The cluster size that __cluster_dims__ or cudaFuncSetAttribute sets for every launch of the function; zeros if
// neither does.
dim3 required_cluster(const Function& function);

[[nodiscard]] cudaError_t check_asked_cluster(const Function& function, const LaunchAttributes& attributes);

// Returns cudaErrorNotSupported if the function, or a launch with these attributes, has clusters of several blocks.
// Fast for the usual launch without clusters.
[[nodiscard]] inline cudaError_t check_cluster(const Function& function, const LaunchAttributes& attributes) {
  const auto& set = function.settings().required_cluster;
  auto size = [&](int i) { return set[i].load(std::memory_order_relaxed); };
  const bool silent = attributes.empty() && function.code()->cluster[0] == 0 && (size(0) | size(1) | size(2)) == 0;
  return silent ? cudaSuccess : check_asked_cluster(function, attributes);
}

}  // namespace reprise_runtime::kernel
