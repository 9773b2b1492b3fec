// The attributes of a kernel node: which exist, their default values, and the values that they accept.
#pragma once

#include "graph/define/kernel_work.h"

namespace reprise_runtime::graph {

class Graph;
class Node;

// The priority that the user set; 0 if none.
int priority_of(const KernelWork& work);
// 0 for a node that is not a kernel node.
int priority_of(const Node& node);
// Whether cudaLaunchAttributeNvlinkUtilCentricScheduling is set.
inline bool is_link_centric(const KernelWork& work) {
  const cudaLaunchAttributeValue* set = work.op.attributes.find(cudaLaunchAttributeNvlinkUtilCentricScheduling);
  return set && set->nvlinkUtilCentricScheduling;
}

// Writes only the bytes of `value` that the attribute uses.
[[nodiscard]] cudaError_t get_attribute(const KernelWork& work, cudaLaunchAttributeID id,
                                        cudaLaunchAttributeValue* value);
[[nodiscard]] cudaError_t set_attribute(KernelWork& work, cudaLaunchAttributeID id,
                                        const cudaLaunchAttributeValue& value);
// Lets device code change the node. Stores in `device_node` the handle that it uses.
[[nodiscard]] cudaError_t set_updatable(Graph& graph, KernelWork& work, const cudaLaunchAttributeValue& value,
                                        cudaGraphDeviceNode_t& device_node);
// For a captured node whose launch had the attribute: its value is the handle that device code uses.
void adopt_updatable(Graph& graph, KernelWork& work);

// Replaces all attributes by those of another node. Refuses those that do not fit this node's launch.
[[nodiscard]] cudaError_t replace_attributes(KernelWork& work, const kernel::LaunchAttributes& attributes);

}  // namespace reprise_runtime::graph
