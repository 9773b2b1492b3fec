// Kernel nodes: adding, parameters, attributes.
#include "api/graph/graph_entry.h"
#include "graph/define/access.h"
#include "graph/define/kernel_attributes.h"

using namespace reprise_runtime;
using graph::KernelWork;
using graph::Node;

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaKernelNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](const cudaKernelNodeParams& given) {
        return graph::add_node(out, graph, dependencies, nullptr, count, KernelWork::build(given));
      },
      ARGUMENTS(out, graph, dependencies, count, parameters));
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](cudaKernelNodeParams& out) {
        return graph::with_work<KernelWork>(node, [&](Node&, KernelWork& work) {
          out = work.user_params();
          return cudaSuccess;
        });
      },
      ARGUMENTS(node, parameters));
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  return api::graph_entry_with(
      parameters, [&](const cudaKernelNodeParams& given) { return graph::set_kernel_params(node, given); },
      ARGUMENTS(node, parameters));
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue* value) {
  return api::graph_entry_with(
      value,
      [&](cudaLaunchAttributeValue& out) {
        return graph::with_work<KernelWork>(
            node, [&](Node&, KernelWork& work) { return graph::get_attribute(work, id, &out); });
      },
      ARGUMENTS(node, id, value));
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue* value) {
  return api::graph_entry_with(
      value,
      [&](const cudaLaunchAttributeValue& given) {
        return graph::with_node(node, [&](graph::Graph& graph, Node& found) {
          KernelWork* work = std::get_if<KernelWork>(&found.work);
          if (!work) return graph::other_type(found, cudaGraphNodeTypeKernel);
          if (id != cudaLaunchAttributeDeviceUpdatableKernelNode) return graph::set_attribute(*work, id, given);
          // As in CUDA, the value returns the node's device handle, although its type is const.
          return graph::set_updatable(graph, *work, given,
                                      const_cast<cudaLaunchAttributeValue&>(given).deviceUpdatableKernelNode.devNode);
        });
      },
      ARGUMENTS(node, id, value));
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return api::entry_always(
      [&] {
        kernel::LaunchAttributes attributes;
        const auto refuse_updatable = [] {
          return diagnose::refuse(cudaErrorNotSupported,
                                  "attributes of a node that device code may change cannot be copied");
        };
        const cudaError_t read = graph::with_work<KernelWork>(from, [&](Node&, KernelWork& work) {
          if (work.updatable) return refuse_updatable();
          attributes = work.op.attributes;
          return cudaSuccess;
        });
        if (read != cudaSuccess) return read;
        return graph::with_work<KernelWork>(to, [&](Node&, KernelWork& work) {
          return work.updatable ? refuse_updatable() : graph::replace_attributes(work, attributes);
        });
      },
      ARGUMENTS(to, from));
}
}
