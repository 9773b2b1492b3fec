#include "graph/define/graph.h"

#include <algorithm>

#include "diagnose/refuse.h"
#include "graph/define/access.h"
#include "graph/define/edge.h"
#include "graph/define/node.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

uint64_t next_id() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

// Refuses several edges from one node.
cudaError_t refuse_duplicates(const EdgeList& edges) {
  // Most callers name the nodes in the order of their creation.
  const auto not_rising = [](const Edge& a, const Edge& b) { return a.node->index >= b.node->index; };
  if (std::adjacent_find(edges.begin(), edges.end(), not_rising) == edges.end()) return cudaSuccess;
  constexpr size_t few = 8;
  if (edges.size() > few) {
    std::vector<const Node*> sorted;
    sorted.reserve(edges.size());
    for (const Edge& edge : edges) sorted.push_back(edge.node);
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return cudaSuccess;
  }
  for (size_t i = 1; i < edges.size(); ++i) {
    for (size_t before = 0; before < i; ++before) {
      if (edges[before].node == edges[i].node) {
        return refuse(cudaErrorInvalidValue, "pDependencies[%zu] is a duplicate", i);
      }
    }
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t no_such_graph(cudaGraph_t handle) {
  return refuse(cudaErrorInvalidValue, "%p is not a graph, or it was destroyed", static_cast<void*>(handle));
}

cudaError_t no_such_node(cudaGraphNode_t handle) {
  return refuse(cudaErrorInvalidValue, "%p is not a node, or it was destroyed", static_cast<void*>(handle));
}

cudaError_t other_type(const Node& node, cudaGraphNodeType wanted) {
  return refuse(cudaErrorInvalidValue, "the node is %s, not %s", describe(node.type()), describe(wanted));
}

Graph::Graph() : id_(next_id()) {}
Graph::~Graph() { clear(); }

Result<Node*> Graph::find(cudaGraphNode_t handle) {
  // The reference is not kept: while the mutex is held no node leaves this graph.
  Ref<Node> node = nodes().find(Handle::from(handle));
  if (!node || !node->attached) return no_such_node(handle);
  if (node->graph() != this->handle()) {
    return refuse(cudaErrorInvalidValue, "node %p is in another graph", static_cast<void*>(handle));
  }
  return node.get();
}

template <class What>
Result<Node*> Graph::attach(What&& what, int device, EdgeList&& edges) {
  if constexpr (std::is_same_v<std::decay_t<What>, Work>) {
    if (is_memory(what)) [[unlikely]] {
      if (cudaError_t refused = prepare_memory(what, edges); refused != cudaSuccess) return refused;
    }
  }
  Node* node = nodes().create_kept(handle(), std::move(what), device);
  if (!node) return cudaErrorMemoryAllocation;
  if (AllocWork* alloc = std::get_if<AllocWork>(&node->work)) [[unlikely]]
    alloc->allocation->node = node->handle();
  topology_.add(*node, std::move(edges));
  return node;
}

Result<Node*> Graph::add(Work work, int device, const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                         size_t count) {
  if (count > 0 && !dependencies)
    return refuse(cudaErrorInvalidValue, "numDependencies is %zu while pDependencies is null", count);
  const cudaGraphNodeType type = type_of(work);
  EdgeList edges;
  edges.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    Result<Node*> from = find(dependencies[i]);
    if (!from.ok()) return from.status();
    edges.push_back({*from, data ? data[i] : plain_edge});
    if (cudaError_t refused = check_edge_data(edges.back().data, (*from)->type(), type); refused != cudaSuccess) {
      return refused;
    }
  }
  if (cudaError_t refused = refuse_duplicates(edges); refused != cudaSuccess) return refused;
  return attach(std::move(work), device, std::move(edges));
}

template <class What>
Result<Node*> Graph::add_captured(What&& what, int device, const cudaGraphNode_t* dependencies,
                                  const cudaGraphEdgeData* data, size_t count) {
  EdgeList edges;
  edges.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    // While a capture adds to a graph its nodes stay, unless a graph around it is destroyed.
    Node* from = nodes().peek(Handle::from(dependencies[i]));
    if (!from) [[unlikely]]
      return no_such_node(dependencies[i]);
    edges.push_back({from, data[i]});
  }
  return attach(std::move(what), device, std::move(edges));
}
template Result<Node*> Graph::add_captured(Work&&, int, const cudaGraphNode_t*, const cudaGraphEdgeData*, size_t);
template Result<Node*> Graph::add_captured(op::Kernel&&, int, const cudaGraphNode_t*, const cudaGraphEdgeData*, size_t);

cudaError_t Graph::check_dependencies(const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                                      size_t count) {
  if (count > 0 && !dependencies)
    return refuse(cudaErrorInvalidValue, "numDependencies is %zu while pDependencies is null", count);
  for (size_t i = 0; i < count; ++i) {
    Result<Node*> from = find(dependencies[i]);
    if (!from.ok()) return from.status();
    if (!data) continue;
    const cudaError_t refused = check_edge_data(data[i], (*from)->type(), cudaGraphNodeTypeKernel);
    if (refused != cudaSuccess) return refused;
  }
  return cudaSuccess;
}

Result<Node*> Graph::add_copy(const Node& original, Work work) {
  Node* node = nodes().create_kept(handle(), std::move(work), original.device());
  if (!node) return cudaErrorMemoryAllocation;
  node->origin = original.handle();
  topology_.add(*node, {});
  return node;
}

void Graph::finish_copy(Graph& source) {
  source.number_nodes();
  topology_.copy_edges(source.topology_);
  objects_.share(source.objects_);
}

void Graph::remove(Node& node) {
  topology_.remove(node);
  if (auto* clones = clones_.if_made()) clones->erase(node.origin.bits);
  node.attached = false;
  for_each_inside(node.work, [](Graph& inside) {
    graphs().erase(inside.handle());
    MutexLock lock(inside.mutex());
    inside.clear();
  });
  if (ConditionalWork* work = std::get_if<ConditionalWork>(&node.work)) work->condition->give_back();
  nodes().erase(node.handle());
}

void Graph::clear() {
  // Without edges the nodes are removed in constant time each.
  topology_.remove_all_edges();
  while (topology_.last()) remove(*topology_.last());
  conditions_.own.clear();
  objects_.release_all();
}

Result<std::vector<Graph::Ends>> Graph::read_ends(const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                                  const cudaGraphEdgeData* data, size_t count) {
  std::vector<Ends> ends;
  if (count == 0) return ends;
  if (!from || !to) return refuse(cudaErrorInvalidValue, "numDependencies is %zu while from or to is null", count);
  ends.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    Result<Node*> start = find(from[i]), end = find(to[i]);
    if (!start.ok()) return start.status();
    if (!end.ok()) return end.status();
    if (*start == *end) return refuse(cudaErrorInvalidValue, "edge %zu is from a node to itself", i);
    ends.push_back({*start, *end, data ? data[i] : plain_edge});
  }
  // Refuse the same edge twice in one call.
  std::vector<std::pair<Node*, Node*>> sorted;
  for (const Ends& edge : ends) sorted.emplace_back(edge.from, edge.to);
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    return refuse(cudaErrorInvalidValue, "an edge is given twice");
  }
  return ends;
}

cudaError_t Graph::add_edges(const cudaGraphNode_t* from, const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                             size_t count) {
  Result<std::vector<Ends>> ends = read_ends(from, to, data, count);
  if (!ends.ok()) return ends.status();
  for (const Ends& edge : *ends) {
    if (cudaError_t refused = check_edge_data(edge.data, edge.from->type(), edge.to->type()); refused != cudaSuccess) {
      return refused;
    }
    if (Topology::find_edge(*edge.from, *edge.to)) return refuse(cudaErrorInvalidValue, "an edge exists already");
  }
  for (const Ends& edge : *ends) topology_.add_edge(*edge.from, *edge.to, edge.data);
  return cudaSuccess;
}

cudaError_t Graph::remove_edges(const cudaGraphNode_t* from, const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                size_t count) {
  Result<std::vector<Ends>> ends = read_ends(from, to, data, count);
  if (!ends.ok()) return ends.status();
  if (has_memory() && count > 0) return refuse_with_memory(*this, "removing an edge");
  for (const Ends& edge : *ends) {
    if (!Topology::find_edge(*edge.from, *edge.to)) return refuse(cudaErrorInvalidValue, "an edge does not exist");
  }
  for (const Ends& edge : *ends) topology_.remove_edge(*edge.from, *edge.to);
  return cudaSuccess;
}

Node* Graph::clone_of(Handle original) {
  auto& clones = clones_.get([&] {
    std::unordered_map<uint64_t, Node*> made;
    for (Node* node = first(); node; node = node->next) {
      if (node->origin.bits) made.emplace(node->origin.bits, node);
    }
    return made;
  });
  auto found = clones.find(original.bits);
  return found == clones.end() ? nullptr : found->second;
}

cudaError_t set_kernel_params(cudaGraphNode_t handle, const cudaKernelNodeParams& parameters) {
  return with_work<KernelWork>(handle, [&](Node&, KernelWork& now) {
    Result<KernelWork> work = KernelWork::build(parameters, now.op.attributes);
    if (!work.ok()) return work.status();
    work->updatable = now.updatable;
    now = std::move(*work);
    return cudaSuccess;
  });
}

void Graph::note_updatable() {
  has_updatable_.store(true, std::memory_order_release);
  if (Ref<Graph> outer = graphs().find(around())) outer->note_updatable();
}

Handle root_of(const Graph& graph) {
  Handle root = graph.handle();
  for (Handle around = graph.around(); around.bits;) {
    root = around;
    Ref<Graph> outer = graphs().find(around);
    around = outer ? outer->around() : Handle{};
  }
  return root;
}

}  // namespace reprise_runtime::graph
