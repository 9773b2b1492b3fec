// Empty, host, event, semaphore and child graph nodes, and the calls for nodes of any type.
#include "api/graph/graph_entry.h"
#include "graph/define/access.h"
#include "graph/define/any_node.h"
#include "graph/define/clone.h"
#include "graph/define/event_work.h"

using namespace reprise_runtime;
using graph::ChildWork;
using graph::Node;
using graph::SignalWork;
using graph::WaitWork;

namespace {

// Stores the result of read(work) for a node whose work is a T.
template <class T, class Out, class Read>
cudaError_t read_work(cudaGraphNode_t node, Out& out, Read&& read) {
  return graph::with_work<T>(node, [&](Node&, T& work) {
    out = read(work);
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                  size_t count) {
  return api::entry_always(
      [&] { return graph::add_node(out, graph, dependencies, nullptr, count, Result<op::Empty>(op::Empty{})); },
      ARGUMENTS(out, graph, dependencies, count));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                 size_t count, const cudaHostNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](const cudaHostNodeParams& given) {
        return graph::add_node(out, graph, dependencies, nullptr, count,
                               op::HostFunction::build(given.fn, given.userData));
      },
      ARGUMENTS(out, graph, dependencies, count, parameters));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](cudaHostNodeParams& out) {
        return read_work<op::HostFunction>(
            node, out, [](op::HostFunction& work) { return cudaHostNodeParams{work.function, work.user_data}; });
      },
      ARGUMENTS(node, parameters));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](const cudaHostNodeParams& given) {
        return graph::set_work(node, op::HostFunction::build(given.fn, given.userData));
      },
      ARGUMENTS(node, parameters));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       size_t count, cudaGraph_t child) {
  return api::entry_always(
      [&] { return graph::add_child_node(out, graph, dependencies, nullptr, count, child, false); },
      ARGUMENTS(out, graph, dependencies, count, child));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child) {
  return api::graph_entry_with(
      child,
      [&](cudaGraph_t& out) {
        return read_work<ChildWork>(node, out, [](ChildWork& work) { return work.graph->as_user(); });
      },
      ARGUMENTS(node, child));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                        size_t count, cudaEvent_t event) {
  return api::entry_always(
      [&] {
        return graph::add_node(out, graph, dependencies, nullptr, count, graph::event_work<op::EventRecord>(event));
      },
      ARGUMENTS(out, graph, dependencies, count, event));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return api::graph_entry_with(
      event,
      [&](cudaEvent_t& out) {
        return read_work<op::EventRecord>(node, out, [](op::EventRecord& work) { return graph::event_of(work); });
      },
      ARGUMENTS(node, event));
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return api::entry_always([&] { return graph::set_work(node, graph::event_work<op::EventRecord>(event)); },
                           ARGUMENTS(node, event));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                      size_t count, cudaEvent_t event) {
  return api::entry_always(
      [&] {
        return graph::add_node(out, graph, dependencies, nullptr, count, graph::event_work<op::EventWait>(event));
      },
      ARGUMENTS(out, graph, dependencies, count, event));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return api::graph_entry_with(
      event,
      [&](cudaEvent_t& out) {
        return read_work<op::EventWait>(node, out, [](op::EventWait& work) { return graph::event_of(work); });
      },
      ARGUMENTS(node, event));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return api::entry_always([&] { return graph::set_work(node, graph::event_work<op::EventWait>(event)); },
                           ARGUMENTS(node, event));
}

cudaError_t cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                     const cudaGraphNode_t* dependencies, size_t count,
                                                     const cudaExternalSemaphoreSignalNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](const cudaExternalSemaphoreSignalNodeParams& given) {
        return graph::add_node(out, graph, dependencies, nullptr, count, SignalWork::build(given));
      },
      ARGUMENTS(out, graph, dependencies, count, parameters));
}

cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(cudaGraphNode_t node,
                                                           cudaExternalSemaphoreSignalNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](cudaExternalSemaphoreSignalNodeParams& out) {
        return read_work<SignalWork>(node, out, [](SignalWork& work) { return work.user_params(); });
      },
      ARGUMENTS(node, parameters));
}

cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(cudaGraphNode_t node,
                                                           const cudaExternalSemaphoreSignalNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](const cudaExternalSemaphoreSignalNodeParams& given) {
        return graph::set_work(node, SignalWork::build(given));
      },
      ARGUMENTS(node, parameters));
}

cudaError_t cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                   const cudaGraphNode_t* dependencies, size_t count,
                                                   const cudaExternalSemaphoreWaitNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](const cudaExternalSemaphoreWaitNodeParams& given) {
        return graph::add_node(out, graph, dependencies, nullptr, count, WaitWork::build(given));
      },
      ARGUMENTS(out, graph, dependencies, count, parameters));
}

cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t node,
                                                         cudaExternalSemaphoreWaitNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](cudaExternalSemaphoreWaitNodeParams& out) {
        return read_work<WaitWork>(node, out, [](WaitWork& work) { return work.user_params(); });
      },
      ARGUMENTS(node, parameters));
}

cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(cudaGraphNode_t node,
                                                         const cudaExternalSemaphoreWaitNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](const cudaExternalSemaphoreWaitNodeParams& given) { return graph::set_work(node, WaitWork::build(given)); },
      ARGUMENTS(node, parameters));
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* parameters) {
  return api::entry_always([&] { return graph::add_any_node(out, graph, dependencies, data, count, parameters); },
                           ARGUMENTS(out, graph, dependencies, data, count, parameters));
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return api::entry_always([&] { return graph::set_any_params(node, parameters); }, ARGUMENTS(node, parameters));
}
}
