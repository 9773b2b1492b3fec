// The work of a node: an operation, with the parameters that queries return, or a graph inside the node.
#pragma once

#include <cuda.h>
#include <driver_types.h>

#include <iterator>
#include <type_traits>
#include <variant>

#include "graph/define/conditional_work.h"
#include "graph/define/kernel_work.h"
#include "graph/define/memory_node.h"
#include "graph/define/memory_work.h"
#include "graph/define/semaphore_work.h"
#include "op/op.h"

namespace reprise_runtime::graph {

class Graph;

// The graph belongs to the node. A copy of this object refers to the same graph; clone.h makes another.
struct ChildWork {
  Ref<Graph> graph;

  explicit ChildWork(Ref<Graph> child = {});
  ChildWork(const ChildWork&);
  ChildWork(ChildWork&&) noexcept;
  ChildWork& operator=(ChildWork) noexcept;
  ~ChildWork();
};

using Work = std::variant<op::Empty,         // nothing; other nodes depend on it
                          KernelWork,        // a grid of blocks
                          op::HostFunction,  // a user's function on the host
                          MemcpyWork,        // a box of bytes copied
                          MemsetWork,        // a box of memory set
                          op::EventRecord,   // an event recorded
                          op::EventWait,     // a wait for an event
                          SignalWork,        // external semaphores signalled
                          WaitWork,          // a wait for external semaphores
                          op::BatchMemOp,    // values in memory written and waited for
                          ChildWork,         // a graph inside the graph
                          ConditionalWork,   // graphs inside the graph, run by a condition
                          AllocWork,         // graph memory allocated
                          FreeWork>;         // graph memory freed

// Only the driver API has a name for this type.
inline constexpr auto batch_mem_op_type = static_cast<cudaGraphNodeType>(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);

// The types of nodes, in the order of the alternatives.
inline constexpr cudaGraphNodeType work_types[] = {cudaGraphNodeTypeEmpty,
                                                   cudaGraphNodeTypeKernel,
                                                   cudaGraphNodeTypeHost,
                                                   cudaGraphNodeTypeMemcpy,
                                                   cudaGraphNodeTypeMemset,
                                                   cudaGraphNodeTypeEventRecord,
                                                   cudaGraphNodeTypeWaitEvent,
                                                   cudaGraphNodeTypeExtSemaphoreSignal,
                                                   cudaGraphNodeTypeExtSemaphoreWait,
                                                   batch_mem_op_type,
                                                   cudaGraphNodeTypeGraph,
                                                   cudaGraphNodeTypeConditional,
                                                   cudaGraphNodeTypeMemAlloc,
                                                   cudaGraphNodeTypeMemFree};
static_assert(std::size(work_types) == std::variant_size_v<Work>);

// The index of T among the alternatives.
template <class T, size_t i = 0>
constexpr size_t find_alternative() {
  if constexpr (std::is_same_v<T, std::variant_alternative_t<i, Work>>) {
    return i;
  } else {
    return find_alternative<T, i + 1>();
  }
}
template <class T>
inline constexpr size_t alternative_of = find_alternative<T>();

inline cudaGraphNodeType type_of(const Work& work) { return work_types[work.index()]; }

inline bool is_memory(const Work& work) {
  return std::holds_alternative<AllocWork>(work) || std::holds_alternative<FreeWork>(work);
}

// The type of a node whose work is a T.
template <class T>
constexpr cudaGraphNodeType type_for() {
  return work_types[alternative_of<T>];
}

// Calls use(Graph&) for each graph inside.
template <class Use>
void for_each_inside(const Work& work, Use&& use) {
  if (const ChildWork* child = std::get_if<ChildWork>(&work)) use(*child->graph);
  if (const ConditionalWork* conditional = std::get_if<ConditionalWork>(&work)) {
    for (const Ref<Graph>& body : conditional->bodies) use(*body);
  }
}

// "a kernel node", "a memset node", ...
const char* describe(cudaGraphNodeType type);

// The work for an operation captured from a stream.
Work work_of(op::Op op);

}  // namespace reprise_runtime::graph
