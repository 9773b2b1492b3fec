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

// The place of the edge to or from `other`.
Edge* find_edge(EdgeList& edges, const Node& other) {
  return std::find_if(edges.begin(), edges.end(), [&](const Edge& edge) { return edge.node == &other; });
}

// The edge's data, or null; looks through the shorter of the two lists it would be in.
const cudaGraphEdgeData* find_edge_data(Node& from, Node& to) {
  const bool forward = from.dependents.size() < to.dependencies.size();
  EdgeList& edges = forward ? from.dependents : to.dependencies;
  auto found = find_edge(edges, forward ? to : from);
  return found == edges.end() ? nullptr : &found->data;
}

}  // namespace

cudaError_t no_such_graph(cudaGraph_t handle) {
  return refuse(cudaErrorInvalidValue, "%p is no graph: it was destroyed, or never was one",
                static_cast<void*>(handle));
}

cudaError_t no_such_node(cudaGraphNode_t handle) {
  return refuse(cudaErrorInvalidValue, "%p is no node: it was destroyed, or never was one", static_cast<void*>(handle));
}

cudaError_t other_type(const Node& node, cudaGraphNodeType wanted) {
  return refuse(cudaErrorInvalidValue, "the node is %s, not %s", describe(node.type()), describe(wanted));
}

Graph::Graph() : id_(next_id()) {}
Graph::~Graph() { clear(); }

Result<Node*> Graph::find(cudaGraphNode_t handle) {
  // The reference can go at once: while the mutex is held no node leaves this graph.
  Ref<Node> node = nodes().find(Handle::from(handle));
  if (!node || !node->attached) return no_such_node(handle);
  if (node->graph() != this->handle()) {
    return refuse(cudaErrorInvalidValue, "node %p is in another graph", static_cast<void*>(handle));
  }
  return node.get();
}

uint32_t Graph::new_mark() {
  if (++last_mark_ == 0) {
    for (Node* node = first_; node; node = node->next) node->mark = 0;
    last_mark_ = 1;
  }
  return last_mark_;
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
  append(*node);
  for (const Edge& edge : edges) add_dependent(*edge.node, *node, edge.data);
  edge_count_ += edges.size();
  node->dependencies = std::move(edges);
  return node;
}

Result<Node*> Graph::add(Work work, int device, const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                         size_t count) {
  if (count > 0 && !dependencies) return refuse(cudaErrorInvalidValue, "%zu dependencies, and none given", count);
  const cudaGraphNodeType type = type_of(work);
  const uint32_t mark = new_mark();
  EdgeList edges;
  edges.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    Result<Node*> from = find(dependencies[i]);
    if (!from.ok()) return from.status();
    if (std::exchange((*from)->mark, mark) == mark) {
      return refuse(cudaErrorInvalidValue, "dependency %zu is there twice", i);
    }
    edges.push_back({*from, data ? data[i] : plain_edge});
    if (cudaError_t refused = check_edge_data(edges.back().data, (*from)->type(), type); refused != cudaSuccess) {
      return refused;
    }
  }
  return attach(std::move(work), device, std::move(edges));
}

template <class What>
Result<Node*> Graph::add_captured(What&& what, int device, const cudaGraphNode_t* dependencies,
                                  const cudaGraphEdgeData* data, size_t count) {
  EdgeList edges;
  edges.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    // Nodes of a graph that is captured into stay, unless it goes with a graph around it.
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
  if (count > 0 && !dependencies) return refuse(cudaErrorInvalidValue, "%zu dependencies, and none given", count);
  for (size_t i = 0; i < count; ++i) {
    Result<Node*> from = find(dependencies[i]);
    if (!from.ok()) return from.status();
    if (!data) continue;
    const cudaError_t refused = check_edge_data(data[i], (*from)->type(), cudaGraphNodeTypeKernel);
    if (refused != cudaSuccess) return refused;
  }
  return cudaSuccess;
}

void Graph::append(Node& node) {
  node.previous = last_;
  (last_ ? last_->next : first_) = &node;
  last_ = &node;
  node.rooted = ++root_count_;
  become_sink(node);
  ++node_count_;
}

void Graph::become_sink(Node& node) {
  node.next_sink = nullptr;
  node.previous_sink = last_sink_;
  (last_sink_ ? last_sink_->next_sink : first_sink_) = &node;
  last_sink_ = &node;
}

void Graph::leave_sinks(Node& node) {
  (node.previous_sink ? node.previous_sink->next_sink : first_sink_) = node.next_sink;
  (node.next_sink ? node.next_sink->previous_sink : last_sink_) = node.previous_sink;
}

void Graph::add_dependent(Node& from, Node& to, const cudaGraphEdgeData& data) {
  if (from.dependents.empty()) leave_sinks(from);
  from.dependents.push_back({&to, data});
}

void Graph::remove(Node& node) {
  if (node.dependents.empty()) leave_sinks(node);
  for (const Edge& edge : node.dependencies) {
    edge.node->dependents.erase(find_edge(edge.node->dependents, node));
    if (edge.node->dependents.empty()) become_sink(*edge.node);
  }
  for (const Edge& edge : node.dependents) {
    edge.node->dependencies.erase(find_edge(edge.node->dependencies, node));
    if (edge.node->dependencies.empty()) edge.node->rooted = ++root_count_;
  }
  edge_count_ -= node.dependencies.size() + node.dependents.size();
  (node.previous ? node.previous->next : first_) = node.next;
  (node.next ? node.next->previous : last_) = node.previous;
  --node_count_;
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
  // One by one from the end, where nothing is found again in anybody's list but at its end.
  for (Node* node = first_; node; node = node->next) {
    if (!node->dependents.empty()) become_sink(*node);
    node->dependencies.clear();
    node->dependents.clear();
  }
  edge_count_ = 0;
  while (last_) remove(*last_);
  conditions_.clear();
  objects_.release_all();
}

Result<std::vector<Graph::Ends>> Graph::read_ends(const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                                  const cudaGraphEdgeData* data, size_t count) {
  std::vector<Ends> ends;
  if (count == 0) return ends;
  if (!from || !to) return refuse(cudaErrorInvalidValue, "%zu edges, and no nodes given", count);
  ends.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    Result<Node*> start = find(from[i]), end = find(to[i]);
    if (!start.ok()) return start.status();
    if (!end.ok()) return end.status();
    if (*start == *end) return refuse(cudaErrorInvalidValue, "edge %zu leads from a node to itself", i);
    ends.push_back({*start, *end, data ? data[i] : plain_edge});
  }
  // The same edge twice in one call.
  std::vector<std::pair<Node*, Node*>> sorted;
  for (const Ends& edge : ends) sorted.emplace_back(edge.from, edge.to);
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    return refuse(cudaErrorInvalidValue, "an edge is there twice in one call");
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
    if (find_edge_data(*edge.from, *edge.to)) return refuse(cudaErrorInvalidValue, "the edge is there already");
  }
  for (const Ends& edge : *ends) link(*edge.from, *edge.to, edge.data);
  return cudaSuccess;
}

cudaError_t Graph::remove_edges(const cudaGraphNode_t* from, const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                size_t count) {
  Result<std::vector<Ends>> ends = read_ends(from, to, data, count);
  if (!ends.ok()) return ends.status();
  if (has_memory_ && count > 0) return refuse_with_memory(*this, "removing an edge");
  for (const Ends& edge : *ends) {
    if (!find_edge_data(*edge.from, *edge.to)) return refuse(cudaErrorInvalidValue, "there is no such edge");
  }
  for (const Ends& edge : *ends) unlink(*edge.from, *edge.to);
  return cudaSuccess;
}

void Graph::link(Node& from, Node& to, const cudaGraphEdgeData& data) {
  add_dependent(from, to, data);
  to.dependencies.push_back({&from, data});
  ++edge_count_;
}

void Graph::unlink(Node& from, Node& to) {
  from.dependents.erase(find_edge(from.dependents, to));
  to.dependencies.erase(find_edge(to.dependencies, from));
  --edge_count_;
  if (to.dependencies.empty()) to.rooted = ++root_count_;
  if (from.dependents.empty()) become_sink(from);
}

Node* Graph::clone_of(Handle original) {
  auto& clones = clones_.get([&] {
    std::unordered_map<uint64_t, Node*> made;
    for (Node* node = first_; node; node = node->next) {
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
