#include "graph/plan/order.h"

#include <queue>

#include "graph/define/kernel_attributes.h"
#include "graph/define/node.h"

namespace reprise_runtime::graph {
namespace {

// Most graphs are built from front to back.
bool created_in_order(Graph& graph, std::vector<Node*>& order) {
  const uint32_t mark = graph.new_mark();
  for (Node* node = graph.first(); node; node = node->next) {
    for (const Edge& edge : node->dependencies) {
      if (edge.node->mark != mark) return false;
    }
    node->mark = mark;
    order.push_back(node);
  }
  return true;
}

// The last created of the nodes that are on a cycle or between two. `left` depend on a cycle.
Node* last_on_cycle(Graph& graph, const std::vector<Node*>& left) {
  const uint32_t mark = graph.new_mark();
  for (Node* node : left) node->mark = mark;
  for (Node* node : left) {
    node->position = 0;
    for (const Edge& edge : node->dependents) node->position += edge.node->mark == mark;
  }
  std::vector<Node*> free;
  for (Node* node : left) {
    if (node->position == 0) free.push_back(node);
  }
  for (size_t i = 0; i < free.size(); ++i) {
    free[i]->mark = mark - 1;
    for (const Edge& edge : free[i]->dependencies) {
      if (edge.node->mark == mark && --edge.node->position == 0) free.push_back(edge.node);
    }
  }
  Node* last = nullptr;
  for (Node* node : left) {
    if (node->mark == mark) last = node;
  }
  return last;
}

}  // namespace

std::vector<Node*> topological_order(Graph& graph, Node*& stuck) {
  std::vector<Node*> order;
  order.reserve(graph.node_count());
  if (created_in_order(graph, order)) return order;

  std::vector<Node*> all;
  for (Node* node = graph.first(); node; node = node->next) {
    node->position = static_cast<uint32_t>(node->dependencies.size());
    all.push_back(node);
  }
  // `position` counts what a node still waits for.
  order.clear();
  for (Node* node : all) {
    if (node->position == 0) order.push_back(node);
  }
  for (size_t i = 0; i < order.size(); ++i) {
    for (const Edge& edge : order[i]->dependents) {
      if (--edge.node->position == 0) order.push_back(edge.node);
    }
  }
  if (order.size() == all.size()) return order;

  std::vector<Node*> left;
  for (Node* node : all) {
    if (node->position > 0) left.push_back(node);
  }
  stuck = last_on_cycle(graph, left);
  return {};
}

std::vector<Node*> order_by_priority(const std::vector<Node*>& order) {
  auto later = [](const std::pair<int, uint32_t>& a, const std::pair<int, uint32_t>& b) { return a > b; };
  std::priority_queue<std::pair<int, uint32_t>, std::vector<std::pair<int, uint32_t>>, decltype(later)> ready(later);
  std::vector<size_t> missing(order.size());
  auto offer = [&](uint32_t place) { ready.push({priority_of(*order[place]), place}); };
  for (uint32_t i = 0; i < order.size(); ++i) {
    order[i]->position = i;
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
      if (--missing[edge.node->position] == 0) offer(edge.node->position);
    }
  }
  return sorted;
}

}  // namespace reprise_runtime::graph
