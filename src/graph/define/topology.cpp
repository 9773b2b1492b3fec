#include "graph/define/topology.h"

#include <algorithm>
#include <limits>

#include "graph/define/node.h"

namespace reprise_runtime::graph {
namespace {

// The edge in the list that leads to or from `other`; the end of the list if there is none.
Edge* edge_at(EdgeList& edges, const Node& other) {
  return std::find_if(edges.begin(), edges.end(), [&](const Edge& edge) { return edge.node == &other; });
}

}  // namespace

// Searches the shorter of the two lists that the edge would be in.
const cudaGraphEdgeData* Topology::find_edge(Node& from, Node& to) {
  const bool forward = from.dependents.size() < to.dependencies.size();
  EdgeList& edges = forward ? from.dependents : to.dependencies;
  Edge* found = edge_at(edges, forward ? to : from);
  return found == edges.end() ? nullptr : &found->data;
}

void Topology::add(Node& node, EdgeList&& dependencies) {
  append(node);
  for (const Edge& edge : dependencies) add_dependent(*edge.node, node, edge.data);
  edge_count_ += dependencies.size();
  node.dependencies = std::move(dependencies);
}

void Topology::append(Node& node) {
  if (last_ && last_->index == std::numeric_limits<uint32_t>::max()) [[unlikely]]
    renumber();
  node.index = last_ ? last_->index + 1 : 0;
  node.previous = last_;
  (last_ ? last_->next : first_) = &node;
  last_ = &node;
  node.rooted = ++root_count_;
  add_sink(node);
  ++node_count_;
}

void Topology::add_sink(Node& node) {
  node.next_sink = nullptr;
  node.previous_sink = last_sink_;
  (last_sink_ ? last_sink_->next_sink : first_sink_) = &node;
  last_sink_ = &node;
}

void Topology::remove_sink(Node& node) {
  (node.previous_sink ? node.previous_sink->next_sink : first_sink_) = node.next_sink;
  (node.next_sink ? node.next_sink->previous_sink : last_sink_) = node.previous_sink;
}

void Topology::add_dependent(Node& from, Node& to, const cudaGraphEdgeData& data) {
  if (from.dependents.empty()) remove_sink(from);
  from.dependents.push_back({&to, data});
}

void Topology::remove(Node& node) {
  if (node.dependents.empty()) remove_sink(node);
  for (const Edge& edge : node.dependencies) {
    edge.node->dependents.erase(edge_at(edge.node->dependents, node));
    if (edge.node->dependents.empty()) add_sink(*edge.node);
  }
  for (const Edge& edge : node.dependents) {
    edge.node->dependencies.erase(edge_at(edge.node->dependencies, node));
    if (edge.node->dependencies.empty()) edge.node->rooted = ++root_count_;
  }
  edge_count_ -= node.dependencies.size() + node.dependents.size();
  (node.previous ? node.previous->next : first_) = node.next;
  (node.next ? node.next->previous : last_) = node.previous;
  --node_count_;
}

void Topology::add_edge(Node& from, Node& to, const cudaGraphEdgeData& data) {
  add_dependent(from, to, data);
  to.dependencies.push_back({&from, data});
  ++edge_count_;
}

void Topology::remove_edge(Node& from, Node& to) {
  from.dependents.erase(edge_at(from.dependents, to));
  to.dependencies.erase(edge_at(to.dependencies, from));
  --edge_count_;
  if (to.dependencies.empty()) to.rooted = ++root_count_;
  if (from.dependents.empty()) add_sink(from);
}

void Topology::remove_all_edges() {
  for (Node* node = first_; node; node = node->next) {
    if (!node->dependents.empty()) add_sink(*node);
    node->dependencies.clear();
    node->dependents.clear();
  }
  edge_count_ = 0;
}

// Indices rise from 0 in any case, so they are the places if the last one is.
bool Topology::is_numbered() const { return !last_ || last_->index + 1 == node_count_; }

void Topology::renumber() {
  uint32_t index = 0;
  for (Node* node = first_; node; node = node->next) node->index = index++;
}

void Topology::copy_edges(const Topology& source) {
  std::vector<Node*> copies;
  copies.reserve(node_count_);
  for (Node* copy = first_; copy; copy = copy->next) copies.push_back(copy);
  const auto translate = [&](const EdgeList& edges) {
    EdgeList translated;
    translated.reserve(edges.size());
    for (const Edge& edge : edges) translated.push_back({copies[edge.node->index], edge.data});
    return translated;
  };
  for (Node *from = source.first_, *to = first_; from; from = from->next, to = to->next) {
    to->dependencies = translate(from->dependencies);
    to->dependents = translate(from->dependents);
    to->rooted = from->rooted;
  }
  edge_count_ = source.edge_count_;
  root_count_ = source.root_count_;
  first_sink_ = last_sink_ = nullptr;
  for (Node* sink = source.first_sink_; sink; sink = sink->next_sink) add_sink(*copies[sink->index]);
}

}  // namespace reprise_runtime::graph
