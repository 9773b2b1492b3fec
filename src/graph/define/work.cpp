#include "graph/define/work.h"

#include "graph/define/graph.h"

namespace reprise_runtime::graph {
namespace {

// The parameters that queries return have no flags and keys.
template <class Semaphores>
Semaphores semaphores_of(op::SemaphoreList list) {
  Semaphores work;
  for (const op::SemaphoreValue& item : list) {
    work.handles.push_back(item.semaphore->handle().template as<cudaExternalSemaphore_t>());
    work.parameters.emplace_back();
    work.parameters.back().params.fence.value = item.value;
  }
  work.op.semaphores = std::move(list);
  return work;
}

struct AsWork {
  Work operator()(op::Kernel op) const {
    KernelWork work;
    work.op = std::move(op);
    return work;
  }
  Work operator()(op::Memcpy op) const { return MemcpyWork::of(std::move(op)); }
  Work operator()(op::Memset op) const { return MemsetWork::of(std::move(op)); }
  Work operator()(op::SemaphoreSignal op) const { return semaphores_of<SignalWork>(std::move(op.semaphores)); }
  Work operator()(op::SemaphoreWait op) const { return semaphores_of<WaitWork>(std::move(op.semaphores)); }
  template <class Same>
  Work operator()(Same op) const {
    return op;
  }
};

}  // namespace

ChildWork::ChildWork(Ref<Graph> child) : graph(std::move(child)) {}
ChildWork::ChildWork(const ChildWork&) = default;
ChildWork::ChildWork(ChildWork&&) noexcept = default;
ChildWork& ChildWork::operator=(ChildWork other) noexcept {
  std::swap(graph, other.graph);
  return *this;
}
ChildWork::~ChildWork() = default;

const char* describe(cudaGraphNodeType type) {
  if (type == batch_mem_op_type) return "a batch memory operation node";
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "a kernel node";
    case cudaGraphNodeTypeMemcpy:
      return "a memcpy node";
    case cudaGraphNodeTypeMemset:
      return "a memset node";
    case cudaGraphNodeTypeHost:
      return "a host node";
    case cudaGraphNodeTypeGraph:
      return "a child graph node";
    case cudaGraphNodeTypeEmpty:
      return "an empty node";
    case cudaGraphNodeTypeWaitEvent:
      return "an event wait node";
    case cudaGraphNodeTypeEventRecord:
      return "an event record node";
    case cudaGraphNodeTypeExtSemaphoreSignal:
      return "a semaphore signal node";
    case cudaGraphNodeTypeExtSemaphoreWait:
      return "a semaphore wait node";
    case cudaGraphNodeTypeMemAlloc:
      return "a memory allocation node";
    case cudaGraphNodeTypeMemFree:
      return "a memory free node";
    case cudaGraphNodeTypeConditional:
      return "a conditional node";
    default:
      return "a node of unknown type";
  }
}

Work work_of(op::Op op) {
  return std::visit([](auto&& alternative) { return AsWork{}(std::move(alternative)); }, std::move(op));
}

}  // namespace reprise_runtime::graph
