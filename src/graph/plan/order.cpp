#include "graph/plan/order.h"

#include <queue>

#include "graph/define/kernel_attributes.h"

namespace reprise_runtime::graph {
namespace {

// Most graphs are built from front to back.
bool created_in_order(Graph& graph, std::vector<Node*>& order) {
  for (Node* node = graph.first(); node; node = node->next) {
    for (const Edge& edge : node->dependencies) {
      if (edge.node->index > node->index) return false;
    }
    order.push_back(node);
  }
  return true;
}

// The last created of the nodes that are on a cycle, or between two. Nodes with `missing` > 0 depend on a cycle.
Node* last_on_cycle(Graph& graph, const std::vector<size_t>& missing) {
  std::vector<bool> left(missing.size());
  std::vector<size_t> dependents_left(missing.size());
  std::vector<Node*> leaves;
  for (Node* node = graph.first(); node; node = node->next) left[node->index] = missing[node->index] > 0;
  for (Node* node = graph.first(); node; node = node->next) {
    if (!left[node->index]) continue;
    for (const Edge& edge : node->dependents) dependents_left[node->index] += left[edge.node->index];
    if (dependents_left[node->index] == 0) leaves.push_back(node);
  }
  for (size_t i = 0; i < leaves.size(); ++i) {
    left[leaves[i]->index] = false;
    for (const Edge& edge : leaves[i]->dependencies) {
      if (left[edge.node->index] && --dependents_left[edge.node->index] == 0) leaves.push_back(edge.node);
    }
  }
  Node* last = nullptr;
  for (Node* node = graph.first(); node; node = node->next) {
    if (left[node->index]) last = node;
  }
  return last;
}

}  // namespace

std::vector<Node*> topological_order(Graph& graph, Node*& error_node) {
  std::vector<Node*> order;
  order.reserve(graph.node_count());
  if (created_in_order(graph, order)) return order;

  order.clear();
  std::vector<size_t> missing(graph.node_count());  // dependencies that are not in the order yet, by Node::index
  for (Node* node = graph.first(); node; node = node->next) {
    missing[node->index] = node->dependencies.size();
    if (missing[node->index] == 0) order.push_back(node);
  }
  for (size_t i = 0; i < order.size(); ++i) {
    for (const Edge& edge : order[i]->dependents) {
      if (--missing[edge.node->index] == 0) order.push_back(edge.node);
    }
  }
  if (order.size() == graph.node_count()) return order;
  error_node = last_on_cycle(graph, missing);
  return {};
}

std::vector<Node*> order_by_priority(const std::vector<Node*>& order) {
  std::vector<uint32_t> place(order.size());  // in `order`, by Node::index
  std::vector<size_t> missing(order.size());  // dependencies that are not sorted yet, by place
  using Ready = std::pair<int, uint32_t>;     // priority and place
  std::priority_queue<Ready, std::vector<Ready>, std::greater<Ready>> ready;
  auto offer = [&](uint32_t at) { ready.push({priority_of(*order[at]), at}); };
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]->index] = i;
    missing[i] = order[i]->dependencies.size();
    if (missing[i] == 0) offer(i);
  }
  std::vector<Node*> sorted;
  sorted.reserve(order.size());
  while (!ready.empty()) {
    Node* next = order[ready.top().second];
    ready.pop();
    sorted.push_back(next);
    for (const Edge& edge : next->dependents) {
      const uint32_t at = place[edge.node->index];
      if (--missing[at] == 0) offer(at);
    }
  }
  return sorted;
}

}  // namespace reprise_runtime::graph
