#include "graph/plan/exec_index.h"

#include <algorithm>

#include "graph/define/kernel_attributes.h"
#include "graph/define/node.h"
#include "graph/plan/plan.h"

namespace reprise_runtime::graph {
namespace {

ExecIndex::Entry entry_of(ExecIndex& index, const Node& node, uint32_t step, uint32_t dependency, uint32_t inner) {
  ExecIndex::Entry entry;
  entry.node = node.handle();
  entry.type = node.type();
  entry.step = step;
  entry.first_dependency = dependency;
  entry.first_inside = inner;
  entry.device = static_cast<int16_t>(node.device());
  if (const KernelWork* kernel = std::get_if<KernelWork>(&node.work)) {
    entry.cooperative = kernel->op.shape.cooperative;
    entry.link_centric = is_link_centric(*kernel);
    entry.priority = priority_of(*kernel);
    const uint32_t flags = kernel->op.function->code()->flags;
    entry.launches_graphs = flags & reprise_kernel_launches_graphs;
    entry.changes_nodes = flags & reprise_kernel_changes_nodes;
    entry.arguments = static_cast<KernelStep&>(index.plan->step(step)).params;
    entry.argument_bytes = kernel->op.parameters.size();
  }
  if (const MemcpyWork* copy = std::get_if<MemcpyWork>(&node.work)) {
    entry.blocking_copy = copy->op.blocks_host();
    index.plan->blocking_copies().change(false, entry.blocking_copy);
  }
  if (has_limits(entry.type)) {
    entry.limits = static_cast<uint32_t>(index.limits.size());
    index.limits.push_back(limits_of(node.work, index.shapes));
  }
  if (const ConditionalWork* work = std::get_if<ConditionalWork>(&node.work)) entry.conditional_type = work->type;
  return entry;
}

void add_places(ExecIndex& index, NodePlaces& places) {
  for (uint32_t i = 0; i < index.node_count(); ++i) places.emplace(index.entries[i].node.bits, NodePlace{&index, i});
  for (auto& inside : index.inside) add_places(*inside, places);
}

}  // namespace

NodePlaces find_places(ExecIndex& index) {
  NodePlaces places;
  places.reserve(index.total_node_count());
  add_places(index, places);
  return places;
}

size_t ExecIndex::total_node_count() const {
  size_t count = node_count();
  for (const auto& each : inside) count += each->total_node_count();
  return count;
}

size_t ExecIndex::bytes() const {
  size_t bytes = sizeof *this + entries.capacity() * sizeof(Entry) + dependencies.capacity() * sizeof(Dependency) +
                 limits.capacity() * sizeof(NodeLimits) + shapes.capacity() * sizeof(CopyShape) +
                 sinks.capacity() * sizeof(uint32_t);
  for (const auto& each : inside) bytes += each->bytes();
  return bytes;
}

bool ExecIndex::ends_with_blocking_copies() const {
  return !sinks.empty() && std::all_of(sinks.begin(), sinks.end(), [this](uint32_t sink) {
    const Entry& entry = entries[sink];
    if (entry.type == cudaGraphNodeTypeGraph) return inside[entry.first_inside]->ends_with_blocking_copies();
    return entry.blocking_copy && entry.enabled;
  });
}

void make_exec_index(ExecIndex& index, Plan& plan, Graph& graph, const std::vector<uint32_t>& steps,
                     std::vector<InnerIndex> inside) {
  index.plan = &plan;
  index.entries.reserve(graph.node_count() + 1);
  index.dependencies.reserve(graph.edge_count());
  uint32_t dependency = 0, inner = 0;
  std::sort(inside.begin(), inside.end(), [](const InnerIndex& a, const InnerIndex& b) {
    return std::pair(a.node, a.number) < std::pair(b.node, b.number);
  });
  for (Node* node = graph.first(); node; node = node->next) {
    index.entries.push_back(entry_of(index, *node, steps[node->index], dependency, inner));
    dependency += static_cast<uint32_t>(node->dependencies.size());
    if (inside.empty()) continue;
    auto mine = std::equal_range(inside.begin(), inside.end(), InnerIndex{node, 0, nullptr},
                                 [](const InnerIndex& a, const InnerIndex& b) { return a.node < b.node; });
    for (auto each = mine.first; each != mine.second; ++each) {
      index.inside.push_back(std::move(each->index));
      ++inner;
    }
  }
  ExecIndex::Entry& end = index.entries.emplace_back();
  end.first_dependency = dependency;
  end.first_inside = inner;
  for (Node* node = graph.first(); node; node = node->next) {
    for (const Edge& edge : node->dependencies) index.dependencies.push_back({edge.node->index, edge.data});
  }
  for (Node* sink = graph.first_sink(); sink; sink = sink->next_sink) index.sinks.push_back(sink->index);
}

}  // namespace reprise_runtime::graph
