// Reads cudaGraphNodeParams, the structure that holds the parameters of a node of any type.
#pragma once

#include <driver_types.h>

#include <cstring>

#include "diagnose/refuse.h"
#include "graph/define/event_work.h"
#include "graph/define/work.h"

namespace reprise_runtime::graph {

// Requires the bytes that the node's type does not use to be 0, so that a later version can give them a meaning.
[[nodiscard]] cudaError_t check_unused_bytes(const cudaGraphNodeParams& parameters);
// Whether parameters.type is a type of node.
bool has_node_type(const cudaGraphNodeParams& parameters);
[[gnu::cold]] cudaError_t no_such_type(cudaGraphNodeType type);

Result<MemcpyWork> memcpy_work(const cudaMemcpyNodeParams& parameters);

// Converts between the two versions of a CUDA structure that have the same layout.
template <class To, class From>
To same_layout(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// Calls use(Result<T>), where T is the work of the node's type. Child graphs are not handled here.
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
      return diagnose::refuse(cudaErrorNotSupported, "the parameters of %s cannot change", describe(p.type));
    case cudaGraphNodeTypeConditional:
      return diagnose::refuse(cudaErrorNotSupported, "the parameters of a conditional node cannot change");
    default:
      return no_such_type(p.type);
  }
}

}  // namespace reprise_runtime::graph
