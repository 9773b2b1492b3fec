#include "graph/plan/outline.h"

#include <algorithm>

#include "graph/define/node.h"
#include "graph/update/update_limits.h"

namespace reprise_runtime::graph {
namespace {

bool has_limits(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset ||
         type == cudaGraphNodeTypeExtSemaphoreSignal || type == cudaGraphNodeTypeExtSemaphoreWait ||
         type == cudaGraphNodeTypeConditional;
}

Outline::Entry entry_of(Outline& outline, const Node& node, uint32_t step, uint32_t dependency, uint32_t inner) {
  const cudaGraphNodeType type = node.type();
  Outline::Entry entry{
      node.handle(), type,  step,  dependency, inner, Outline::none, static_cast<int16_t>(node.device()), true, false,
      false,         false, false, 0,          0};
  if (const KernelWork* kernel = std::get_if<KernelWork>(&node.work)) {
    entry.cooperative = kernel->op.shape.cooperative;
    entry.spares_links = spares_links(*kernel);
    entry.priority = priority_of(*kernel);
    const uint32_t flags = kernel->op.function->code()->flags;
    entry.launches_graphs = flags & reprise_kernel_launches_graphs;
    entry.changes_nodes = flags & reprise_kernel_changes_nodes;
  }
  if (has_limits(type)) {
    entry.limits = static_cast<uint32_t>(outline.limits.size());
    outline.limits.push_back(limits_of(node.work, outline.shapes));
  }
  if (const ConditionalWork* work = std::get_if<ConditionalWork>(&node.work)) entry.conditional_type = work->type;
  return entry;
}

}  // namespace

size_t Outline::bytes() const {
  size_t bytes = sizeof *this + entries.capacity() * sizeof(Entry) + dependencies.capacity() * sizeof(Dependency) +
                 limits.capacity() * sizeof(Limits) + shapes.capacity() * sizeof(Shape) +
                 sinks.capacity() * sizeof(uint32_t) + pending.capacity() * sizeof(PendingPlaces);
  for (const auto& each : inside) bytes += each->bytes();
  return bytes;
}

void make_outline(Outline& outline, Plan& plan, Graph& graph, std::vector<InnerOutline> inside) {
  outline.plan = &plan;
  outline.entries.reserve(graph.node_count() + 1);
  outline.dependencies.reserve(graph.edge_count());
  uint32_t place = 0, dependency = 0, inner = 0;
  std::sort(inside.begin(), inside.end(), [](const InnerOutline& a, const InnerOutline& b) {
    return std::pair(a.node, a.number) < std::pair(b.node, b.number);
  });
  for (Node* node = graph.first(); node; node = node->next) {
    const uint32_t step = std::exchange(node->position, place++);
    outline.entries.push_back(entry_of(outline, *node, step, dependency, inner));
    dependency += static_cast<uint32_t>(node->dependencies.size());
    if (inside.empty()) continue;
    auto mine = std::equal_range(inside.begin(), inside.end(), InnerOutline{node, 0, nullptr},
                                 [](const InnerOutline& a, const InnerOutline& b) { return a.node < b.node; });
    for (auto each = mine.first; each != mine.second; ++each) {
      outline.inside.push_back(std::move(each->outline));
      ++inner;
    }
  }
  outline.entries.push_back({{},
                             cudaGraphNodeTypeEmpty,
                             Outline::none,
                             dependency,
                             inner,
                             Outline::none,
                             0,
                             true,
                             false,
                             false,
                             false,
                             false,
                             0,
                             0});
  for (Node* node = graph.first(); node; node = node->next) {
    for (const Edge& edge : node->dependencies) outline.dependencies.push_back({edge.node->position, edge.data});
  }
  for (Node* sink = graph.first_sink(); sink; sink = sink->next_sink) outline.sinks.push_back(sink->position);
}

}  // namespace reprise_runtime::graph
