#include "graph/define/lists.h"

#include <algorithm>

#include "graph/define/access.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

// Writes the handles of `listed` and stores how many.
cudaError_t write(const std::vector<Node*>& listed, cudaGraphNode_t* out, size_t* count) {
  if (!out) {
    *count = listed.size();
    return cudaSuccess;
  }
  const size_t used = std::min(*count, listed.size());
  for (size_t i = 0; i < used; ++i) out[i] = listed[i]->as_user();
  std::fill(out + used, out + *count, nullptr);
  *count = used;
  return cudaSuccess;
}

cudaError_t check_places(const void* out, const size_t* count) {
  if (!count) return refuse(cudaErrorInvalidValue, "the pointer to the count is null");
  if (out && *count == 0) return refuse(cudaErrorInvalidValue, "the count is 0 while the array is not null");
  return cudaSuccess;
}

cudaError_t lossy() {
  return refuse(cudaErrorLossyQuery,
                "an edge has data and edgeData is null; use the version of the call with edgeData");
}

cudaError_t list_neighbours(cudaGraphNode_t handle, EdgeList Node::* edges, cudaGraphNode_t* out,
                            cudaGraphEdgeData* data, size_t* count) {
  if (cudaError_t refused = check_places(out, count); refused != cudaSuccess) return refused;
  if (data && !out) return refuse(cudaErrorInvalidValue, "edgeData is not null while the array of nodes is");
  return with_node(handle, [&](Graph&, Node& node) {
    const EdgeList& listed = node.*edges;
    if (out && !data && std::any_of(listed.begin(), listed.end(), [](const Edge& e) { return has_data(e.data); })) {
      return lossy();
    }
    const size_t places = out ? *count : 0;
    std::vector<Node*> others;
    for (const Edge& edge : listed) others.push_back(edge.node);
    if (data) {
      for (size_t i = 0; i < places; ++i) data[i] = i < listed.size() ? listed[i].data : plain_edge;
    }
    return write(others, out, count);
  });
}

}  // namespace

cudaError_t list_nodes(cudaGraph_t handle, cudaGraphNode_t* out, size_t* count) {
  if (cudaError_t refused = check_places(out, count); refused != cudaSuccess) return refused;
  return with_graph(handle, [&](Graph& graph) {
    std::vector<Node*> listed;
    listed.reserve(graph.node_count());
    for (Node* node = graph.first(); node; node = node->next) listed.push_back(node);
    return write(listed, out, count);
  });
}

cudaError_t list_roots(cudaGraph_t handle, cudaGraphNode_t* out, size_t* count) {
  if (cudaError_t refused = check_places(out, count); refused != cudaSuccess) return refused;
  return with_graph(handle, [&](Graph& graph) {
    std::vector<Node*> listed;
    for (Node* node = graph.first(); node; node = node->next) {
      if (node->dependencies.empty()) listed.push_back(node);
    }
    std::sort(listed.begin(), listed.end(), [](const Node* a, const Node* b) { return a->rooted > b->rooted; });
    return write(listed, out, count);
  });
}

cudaError_t list_edges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                       size_t* count) {
  if (cudaError_t refused = check_places(from, count); refused != cudaSuccess) return refused;
  if (!from != !to || (data && !from)) {
    return refuse(cudaErrorInvalidValue, "from and to must both be null or both not, and edgeData needs both");
  }
  return with_graph(handle, [&](Graph& graph) {
    if (!from) {
      *count = graph.edge_count();
      return cudaSuccess;
    }
    const size_t places = *count;
    std::vector<Node*> starts, ends;
    std::vector<cudaGraphEdgeData> edge_data;
    bool loses = false;
    for (Node* node = graph.first(); node; node = node->next) {
      for (const Edge& edge : node->dependents) {
        starts.push_back(node);
        ends.push_back(edge.node);
        edge_data.push_back(edge.data);
        loses |= has_data(edge.data);
      }
    }
    if (loses && !data) return lossy();
    if (data) {
      for (size_t i = 0; i < places; ++i) data[i] = i < edge_data.size() ? edge_data[i] : plain_edge;
    }
    size_t same = places;
    return write(starts, from, count) == cudaSuccess ? write(ends, to, &same) : cudaErrorUnknown;
  });
}

cudaError_t list_dependencies(cudaGraphNode_t node, cudaGraphNode_t* out, cudaGraphEdgeData* data, size_t* count) {
  return list_neighbours(node, &Node::dependencies, out, data, count);
}

cudaError_t list_dependents(cudaGraphNode_t node, cudaGraphNode_t* out, cudaGraphEdgeData* data, size_t* count) {
  return list_neighbours(node, &Node::dependents, out, data, count);
}

}  // namespace reprise_runtime::graph
