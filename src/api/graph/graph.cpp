// Graphs: creating, cloning, querying, dependencies, user objects, and DOT output.
#include "graph/define/graph.h"

#include "api/graph/graph_entry.h"
#include "graph/define/access.h"
#include "graph/define/clone.h"
#include "graph/define/dot.h"
#include "graph/define/held_objects.h"
#include "graph/define/lists.h"

using namespace reprise_runtime;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned flags) {
  return api::entry_always([&] { return graph::create_graph(out, flags); }, ARGUMENTS(out, flags));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api::entry_always([&] { return graph::destroy_graph(graph); }, ARGUMENTS(graph));
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return api::entry_always(
      [&] {
        return graph::with_node(node, [](graph::Graph& graph, graph::Node& found) {
          if (graph.capturing()) return graph.refuse_while_capturing();
          if (cudaError_t refused = graph::refuse_capture_inside(found); refused != cudaSuccess) return refused;
          if (graph.has_memory()) return graph::refuse_with_memory(graph, "destroying a node");
          if (const auto* kernel = std::get_if<graph::KernelWork>(&found.work); kernel && kernel->updatable) {
            return diagnose::refuse(cudaErrorNotSupported, "a node that device code may change cannot be destroyed");
          }
          graph.remove(found);
          return cudaSuccess;
        });
      },
      ARGUMENTS(node));
}

cudaError_t cudaGraphClone(cudaGraph_t* out, cudaGraph_t original) {
  return api::entry_always([&] { return graph::clone_graph(out, original); }, ARGUMENTS(out, original));
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t original, cudaGraph_t clone) {
  return api::entry_always([&] { return graph::find_in_clone(out, original, clone); }, ARGUMENTS(out, original, clone));
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return api::graph_entry_with(
      type,
      [&](cudaGraphNodeType& out) {
        return graph::with_node(node, [&](graph::Graph&, graph::Node& found) {
          if (found.type() == graph::batch_mem_op_type) {
            // As on an H200.
            return diagnose::refuse(cudaErrorUnknown, "the runtime API has no name for %s; use cuGraphNodeGetType",
                                    graph::describe(found.type()));
          }
          out = found.type();
          return cudaSuccess;
        });
      },
      ARGUMENTS(node, type));
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api::entry_always([&] { return graph::list_nodes(graph, nodes, count); }, ARGUMENTS(graph, nodes, count));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api::entry_always([&] { return graph::list_roots(graph, nodes, count); }, ARGUMENTS(graph, nodes, count));
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                              size_t* count) {
  return api::entry_always([&] { return graph::list_edges(graph, from, to, data, count); },
                           ARGUMENTS(graph, from, to, data, count));
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* data,
                                         size_t* count) {
  return api::entry_always([&] { return graph::list_dependencies(node, nodes, data, count); },
                           ARGUMENTS(node, nodes, data, count));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* data,
                                           size_t* count) {
  return api::entry_always([&] { return graph::list_dependents(node, nodes, data, count); },
                           ARGUMENTS(node, nodes, data, count));
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData* data, size_t count) {
  return api::entry_always(
      [&] {
        return graph::with_graph(graph, [&](graph::Graph& found) { return found.add_edges(from, to, data, count); });
      },
      ARGUMENTS(graph, from, to, data, count));
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* data, size_t count) {
  return api::entry_always(
      [&] {
        return graph::with_graph(graph, [&](graph::Graph& found) { return found.remove_edges(from, to, data, count); });
      },
      ARGUMENTS(graph, from, to, data, count));
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags) {
  return api::entry_always([&] { return graph::retain_in_graph(graph, object, count, flags); },
                           ARGUMENTS(graph, object, count, flags));
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return api::entry_always([&] { return graph::release_in_graph(graph, object, count); },
                           ARGUMENTS(graph, object, count));
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags) {
  return api::graph_entry_with(
      path, [&](const char& first) { return graph::print_dot(graph, &first, flags); }, ARGUMENTS(graph, path, flags));
}
}
