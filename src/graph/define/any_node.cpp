#include "graph/define/any_node.h"

#include <algorithm>
#include <cstring>

#include "graph/define/access.h"
#include "graph/define/clone.h"
#include "graph/define/event_work.h"
#include "graph/update/update_graph.h"
#include "graph/update/update_node.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

// Bytes of the union that a type of node uses; the rest must be zero, so that it can get a meaning one day.
size_t used_bytes(const cudaGraphNodeParams& parameters) {
  switch (parameters.type) {
    case cudaGraphNodeTypeKernel:
      return sizeof parameters.kernel;
    case cudaGraphNodeTypeMemcpy:
      return sizeof parameters.memcpy;
    case cudaGraphNodeTypeMemset:
      return sizeof parameters.memset;
    case cudaGraphNodeTypeHost:
      return sizeof parameters.host;
    case cudaGraphNodeTypeGraph:
      return sizeof parameters.graph;
    case cudaGraphNodeTypeWaitEvent:
      return sizeof parameters.eventWait;
    case cudaGraphNodeTypeEventRecord:
      return sizeof parameters.eventRecord;
    case cudaGraphNodeTypeExtSemaphoreSignal:
      return sizeof parameters.extSemSignal;
    case cudaGraphNodeTypeExtSemaphoreWait:
      return sizeof parameters.extSemWait;
    case cudaGraphNodeTypeMemAlloc:
      return sizeof parameters.alloc;
    case cudaGraphNodeTypeMemFree:
      return sizeof parameters.free;
    case cudaGraphNodeTypeConditional:
      return sizeof parameters.conditional;
    default:
      return 0;
  }
}

cudaError_t check_unused(const cudaGraphNodeParams& parameters) {
  auto zero = [](const void* from, size_t bytes) {
    auto* byte = static_cast<const unsigned char*>(from);
    return std::all_of(byte, byte + bytes, [](unsigned char value) { return value == 0; });
  };
  const size_t used = used_bytes(parameters);
  if (zero(parameters.reserved0, sizeof parameters.reserved0) && parameters.reserved2 == 0 &&
      zero(reinterpret_cast<const char*>(parameters.reserved1) + used, sizeof parameters.reserved1 - used)) {
    return cudaSuccess;
  }
  return refuse(cudaErrorInvalidValue, "bytes that %s does not use must be 0", describe(parameters.type));
}

template <class To, class From>
To same_layout(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

Result<MemcpyWork> memcpy_work(const cudaMemcpyNodeParams& parameters) {
  const bool clean =
      parameters.flags == 0 &&
      std::all_of(std::begin(parameters.reserved), std::end(parameters.reserved), [](int word) { return word == 0; });
  if (!clean) return refuse(cudaErrorInvalidValue, "flags and reserved fields of a copy must be 0");
  return MemcpyWork::build(parameters.copyParams);
}

bool exists(const cudaGraphNodeParams& parameters) {
  return parameters.type == cudaGraphNodeTypeEmpty || used_bytes(parameters) > 0;
}

cudaError_t no_such_type(cudaGraphNodeType type) {
  return refuse(cudaErrorInvalidValue, "type %d with these parameters makes no node", static_cast<int>(type));
}

bool cannot_be_set(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeConditional || type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree;
}

// Calls use(Result<T>) with the work of the node's type.
template <class Use>
cudaError_t build_work(const cudaGraphNodeParams& p, Use&& use) {
  switch (p.type) {
    case cudaGraphNodeTypeKernel:
      return use(KernelWork::build(same_layout<cudaKernelNodeParams>(p.kernel)));
    case cudaGraphNodeTypeMemcpy:
      return use(memcpy_work(p.memcpy));
    case cudaGraphNodeTypeMemset:
      return use(MemsetWork::build(same_layout<cudaMemsetParams>(p.memset)));
    case cudaGraphNodeTypeHost:
      return use(op::HostFunction::build(p.host.fn, p.host.userData));
    case cudaGraphNodeTypeEmpty:
      return use(Result<op::Empty>(op::Empty{}));
    case cudaGraphNodeTypeWaitEvent:
      return use(event_work<op::EventWait>(p.eventWait.event));
    case cudaGraphNodeTypeEventRecord:
      return use(event_work<op::EventRecord>(p.eventRecord.event));
    case cudaGraphNodeTypeExtSemaphoreSignal:
      return use(SignalWork::build(same_layout<cudaExternalSemaphoreSignalNodeParams>(p.extSemSignal)));
    case cudaGraphNodeTypeExtSemaphoreWait:
      return use(WaitWork::build(same_layout<cudaExternalSemaphoreWaitNodeParams>(p.extSemWait)));
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree:
      return refuse(cudaErrorNotSupported, "%s keeps what it was added with", describe(p.type));
    case cudaGraphNodeTypeConditional:
      return refuse(cudaErrorNotSupported, "a conditional node keeps its condition, type and size");
    default:
      return no_such_type(p.type);
  }
}

}  // namespace

cudaError_t add_any_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                         const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* parameters) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "no parameters");
  if (cudaError_t refused = check_unused(*parameters); refused != cudaSuccess) return refused;
  if (parameters->type == cudaGraphNodeTypeGraph) {
    return add_child_node(out, graph, dependencies, data, count, parameters->graph.graph,
                          parameters->graph.ownership == cudaGraphChildGraphOwnershipMove);
  }
  if (parameters->type == cudaGraphNodeTypeConditional) {
    return add_conditional_node(out, graph, dependencies, data, count, parameters->conditional);
  }
  if (parameters->type == cudaGraphNodeTypeMemAlloc) {
    cudaMemAllocNodeParams alloc = same_layout<cudaMemAllocNodeParams>(parameters->alloc);
    const cudaError_t added = add_alloc_node(out, graph, dependencies, data, count, alloc);
    parameters->alloc.dptr = alloc.dptr;
    return added;
  }
  if (parameters->type == cudaGraphNodeTypeMemFree) {
    return add_node(out, graph, dependencies, data, count, FreeWork::build(parameters->free.dptr));
  }
  return build_work(*parameters,
                    [&](auto work) { return add_node(out, graph, dependencies, data, count, std::move(work)); });
}

cudaError_t set_any_params(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "no parameters");
  if (cudaError_t refused = check_unused(*parameters); refused != cudaSuccess) return refused;
  const cudaError_t same = with_node(node, [&](Graph&, Node& there) {
    return there.type() == parameters->type ? cudaSuccess : other_type(there, parameters->type);
  });
  if (same != cudaSuccess) return same;
  if (parameters->type == cudaGraphNodeTypeGraph) return replace_child(node, parameters->graph.graph);
  if (parameters->type == cudaGraphNodeTypeKernel) {
    return set_kernel_params(node, same_layout<cudaKernelNodeParams>(parameters->kernel));
  }
  return build_work(*parameters, [&](auto work) { return set_work(node, std::move(work)); });
}

cudaError_t set_any_exec_params(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  if (!parameters) return no_parameters(node);
  if (cudaError_t refused = check_unused(*parameters); refused != cudaSuccess) return refuse_node(node, refused);
  if (cannot_be_set(parameters->type)) {
    return with_exec_node(exec, node, [&](ExecEditor&, Outline&, Outline::Entry& entry) {
      if (entry.type != parameters->type) return other_type_in_exec(node, entry.type, parameters->type);
      return refuse(cudaErrorNotSupported, "node %p, %s: its parameters cannot change in an executable graph",
                    static_cast<void*>(node), describe(parameters->type));
    });
  }
  if (!exists(*parameters)) return refuse_node(node, no_such_type(parameters->type));
  if (parameters->type == cudaGraphNodeTypeGraph) return set_exec_child(exec, node, parameters->graph.graph);
  if (parameters->type == cudaGraphNodeTypeKernel) {
    return set_exec_kernel(exec, node, same_layout<cudaKernelNodeParams>(parameters->kernel));
  }
  return build_work(*parameters, [&](const auto& work) { return set_exec_work(exec, node, work); });
}

}  // namespace reprise_runtime::graph
