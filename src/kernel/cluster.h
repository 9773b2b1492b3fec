// Thread block clusters. Device code here sees each block as a cluster by itself, so what asks for larger ones is
// refused: a program that shares memory between the blocks of a cluster would only give wrong results.
#pragma once

#include <driver_types.h>

#include "kernel/function.h"
#include "kernel/launch_attributes.h"

namespace reprise_runtime::kernel {

// What __cluster_dims__ or cudaFuncSetAttribute asks of every launch of the function; zeros where neither does.
dim3 required_cluster(const Function& function);

[[nodiscard]] cudaError_t check_asked_cluster(const Function& function, const LaunchAttributes& attributes);

// cudaErrorNotSupported where the function, or a launch with these attributes, has clusters of several blocks. Most
// launches say nothing of clusters.
[[nodiscard]] inline cudaError_t check_cluster(const Function& function, const LaunchAttributes& attributes) {
  const auto& set = function.settings().required_cluster;
  auto size = [&](int i) { return set[i].load(std::memory_order_relaxed); };
  const bool silent = attributes.empty() && function.code()->cluster[0] == 0 && (size(0) | size(1) | size(2)) == 0;
  return silent ? cudaSuccess : check_asked_cluster(function, attributes);
}

}  // namespace reprise_runtime::kernel
