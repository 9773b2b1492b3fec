// Finding what users name, and holding it still while it is used.
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

// use(Graph&), with its mutex held.
template <class Use>
[[nodiscard]] cudaError_t with_graph(cudaGraph_t handle, Use&& use) {
  Ref<Graph> graph = graphs().find(Handle::from(handle));
  if (!graph) return no_such_graph(handle);
  MutexLock lock(graph->mutex());
  return use(*graph);
}

// use(Graph&, Node&), with the graph's mutex held.
template <class Use>
[[nodiscard]] cudaError_t with_node(cudaGraphNode_t handle, Use&& use) {
  Ref<Node> node = nodes().find(Handle::from(handle));
  Ref<Graph> graph = node ? graphs().find(node->graph()) : nullptr;
  if (!graph) return no_such_node(handle);
  MutexLock lock(graph->mutex());
  return node->attached ? use(*graph, *node) : no_such_node(handle);
}

// use(Node&, T&) for a node whose work is a T.
template <class T, class Use>
[[nodiscard]] cudaError_t with_work(cudaGraphNode_t handle, Use&& use) {
  return with_node(handle, [&](Graph&, Node& node) {
    if (T* work = std::get_if<T>(&node.work)) return use(node, *work);
    return other_type(node, type_for<T>());
  });
}

// The node's work, of the same type as before.
template <class T>
[[nodiscard]] cudaError_t set_work(cudaGraphNode_t handle, Result<T> work) {
  if (!work.ok()) return work.status();
  return with_work<T>(handle, [&](Node&, T& now) {
    now = std::move(*work);
    return cudaSuccess;
  });
}

// A kernel node keeps its attributes.
[[nodiscard]] cudaError_t set_kernel_params(cudaGraphNode_t handle, const cudaKernelNodeParams& parameters);

// Adds a node with the work, if that could be built.
template <class T>
[[nodiscard]] cudaError_t add_node(cudaGraphNode_t* out, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                                   const cudaGraphEdgeData* data, size_t count, Result<T> work) {
  if (!work.ok()) return work.status();
  if (!out) return diagnose::refuse(cudaErrorInvalidValue, "no place for the node");
  return with_graph(handle, [&](Graph& graph) {
    Result<Node*> added = graph.add(std::move(*work), current_device(), dependencies, data, count);
    if (added.ok()) *out = (*added)->as_user();
    return added.status();
  });
}

}  // namespace reprise_runtime::graph
