// The attributes of a kernel node: which there are, what they start with, which values they take.
#pragma once

#include "graph/define/kernel_work.h"

namespace reprise_runtime::graph {

class Graph;
class Node;

// The priority that the user gave, 0 if none.
int priority_of(const KernelWork& work);
// 0 for a node that is no kernel.
int priority_of(const Node& node);
// Whether cudaLaunchAttributeNvlinkUtilCentricScheduling is set.
inline bool is_link_centric(const KernelWork& work) {
  const cudaLaunchAttributeValue* set = work.op.attributes.find(cudaLaunchAttributeNvlinkUtilCentricScheduling);
  return set && set->nvlinkUtilCentricScheduling;
}

// Writes only the bytes that the attribute has.
[[nodiscard]] cudaError_t get_attribute(const KernelWork& work, cudaLaunchAttributeID id,
                                        cudaLaunchAttributeValue* value);
[[nodiscard]] cudaError_t set_attribute(KernelWork& work, cudaLaunchAttributeID id,
                                        const cudaLaunchAttributeValue& value);
// Device code may change the node from now on. `told` is its name there.
[[nodiscard]] cudaError_t set_updatable(Graph& graph, KernelWork& work, const cudaLaunchAttributeValue& value,
                                        cudaGraphDeviceNode_t& told);
// For a node that was made with the attribute, whose value names what stands for it.
void adopt_updatable(Graph& graph, KernelWork& work);

// All of `attributes`, which another node has, instead of its own. What does not fit this node's launch is refused.
[[nodiscard]] cudaError_t replace_attributes(KernelWork& work, const kernel::LaunchAttributes& attributes);

}  // namespace reprise_runtime::graph
