// Finds graphs and nodes by their handles, and holds the graph's mutex while they are used.
#pragma once

#include <driver_types.h>

#include "base/devices.h"
#include "diagnose/refuse.h"
#include "graph/define/graph.h"
#include "graph/define/node.h"

namespace reprise_runtime::graph {

[[gnu::cold]] cudaError_t no_such_graph(cudaGraph_t handle);
[[gnu::cold]] cudaError_t no_such_node(cudaGraphNode_t handle);
[[gnu::cold]] cudaError_t other_type(const Node& node, cudaGraphNodeType wanted);

// Returns use(Graph&), called with the graph's mutex held.
template <class Use>
[[nodiscard]] cudaError_t with_graph(cudaGraph_t handle, Use&& use) {
  Ref<Graph> graph = graphs().find(Handle::from(handle));
  if (!graph) return no_such_graph(handle);
  MutexLock lock(graph->mutex());
  return use(*graph);
}

// Returns use(Graph&, Node&), called with the graph's mutex held.
template <class Use>
[[nodiscard]] cudaError_t with_node(cudaGraphNode_t handle, Use&& use) {
  Ref<Node> node = nodes().find(Handle::from(handle));
  Ref<Graph> graph = node ? graphs().find(node->graph()) : nullptr;
  if (!graph) return no_such_node(handle);
  MutexLock lock(graph->mutex());
  return node->attached ? use(*graph, *node) : no_such_node(handle);
}

// Returns use(Node&, T&) for a node whose work is a T.
template <class T, class Use>
[[nodiscard]] cudaError_t with_work(cudaGraphNode_t handle, Use&& use) {
  return with_node(handle, [&](Graph&, Node& node) {
    if (T* work = std::get_if<T>(&node.work)) return use(node, *work);
    return other_type(node, type_for<T>());
  });
}

// Replaces the node's work by work of the same type.
template <class T>
[[nodiscard]] cudaError_t set_work(cudaGraphNode_t handle, Result<T> work) {
  if (!work.ok()) return work.status();
  return with_work<T>(handle, [&](Node&, T& now) {
    now = std::move(*work);
    return cudaSuccess;
  });
}

// Replaces the parameters of a kernel node, which keeps its attributes.
[[nodiscard]] cudaError_t set_kernel_params(cudaGraphNode_t handle, const cudaKernelNodeParams& parameters);

// Adds a node that does `work`; returns the error of `work` if that is one.
template <class T>
[[nodiscard]] cudaError_t add_node(cudaGraphNode_t* out, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                                   const cudaGraphEdgeData* data, size_t count, Result<T> work) {
  if (!work.ok()) return work.status();
  if (!out) return diagnose::refuse(cudaErrorInvalidValue, "the output pointer is null");
  return with_graph(handle, [&](Graph& graph) {
    Result<Node*> added = graph.add(std::move(*work), current_device(), dependencies, data, count);
    if (added.ok()) *out = (*added)->as_user();
    return added.status();
  });
}

}  // namespace reprise_runtime::graph
