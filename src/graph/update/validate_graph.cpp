#include "graph/update/validate_graph.h"

#include <algorithm>

#include "graph/define/node.h"
#include "graph/update/update_refusal.h"

namespace reprise_runtime::graph {
namespace {

// As on an H200, memory that the new graph both allocates and frees has no owner, so that no set can be changed to it.
// Copies and kernels may use it.
Obstacle find_memory_obstacle(const memory::GraphMemoryUse& use, const MemsetWork& work) {
  Ref<memory::GraphAllocation> around = memory::GraphMemory::instance().around(work.user_params.dst);
  if (!around) return {};
  auto is_of = [&](const memory::GraphMemoryUse::Part& part) { return part.stretch == around->stretch; };
  if (std::none_of(use.parts.begin(), use.parts.end(), is_of)) return {};
  const bool kept = std::find(use.kept.begin(), use.kept.end(), around) != use.kept.end();
  return kept ? Obstacle{} : Obstacle{cudaGraphExecUpdateError, field::graph_memory};
}

UpdateResult refuse_change(const Obstacle& obstacle, Node& node) {
  (void)cannot_change(node.as_user(), node.type(), obstacle, cudaErrorGraphExecUpdateFailure);
  return {obstacle.result, &node, nullptr};
}

}  // namespace

template <class T>
Obstacle GraphValidation::find_node_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const T& work,
                                             int device) const {
  Obstacle obstacle = find_obstacle(index, entry, work, device);
  if constexpr (std::is_same_v<T, KernelWork>) {
    if (!obstacle) obstacle = find_attribute_obstacle(entry, work, priorities_count_);
  }
  if constexpr (std::is_same_v<T, MemsetWork>) {
    if (!obstacle && new_memory_) obstacle = find_memory_obstacle(*new_memory_, work);
  }
  return obstacle;
}

UpdateResult GraphValidation::run(ExecIndex& index, Graph& graph) {
  changes_.steps.reserve(index.total_node_count());
  return validate_graph(index, graph);
}

UpdateResult GraphValidation::validate_graph(ExecIndex& index, Graph& graph) {
  changes_.add_objects(index, graph);
  Pairing pairing(index, graph);
  while (pairing.next()) {
    if (UpdateResult result = validate_node(index, pairing.entry(), pairing.node()); !result.ok()) return result;
  }
  return pairing.result();
}

UpdateResult GraphValidation::validate_inside(ExecIndex& index, Graph& graph) {
  MutexLock lock(graph.mutex());
  return validate_graph(index, graph);
}

UpdateResult GraphValidation::validate_node(ExecIndex& index, uint32_t number, Node& node) {
  ExecIndex::Entry& entry = index.entries[number];
  if (entry.type != node.type()) {
    (void)other_type_in_exec(node.as_user(), node.type(), entry.type, cudaErrorGraphExecUpdateFailure);
    return {cudaGraphExecUpdateErrorNodeTypeChanged, &node, nullptr};
  }
  if (entry.type == cudaGraphNodeTypeGraph) {
    return validate_inside(*index.inside[entry.first_inside], *node.work_as<ChildWork>().graph);
  }
  if (entry.type == cudaGraphNodeTypeConditional) {
    if (UpdateResult result = validate_bodies(index, number, node); !result.ok()) return result;
  }
  return node.visit([&](const auto& work) -> UpdateResult {
    if (Obstacle obstacle = find_node_obstacle(index, entry, work, node.device())) return refuse_change(obstacle, node);
    changes_.add(index, entry, work);
    return {};
  });
}

UpdateResult GraphValidation::validate_bodies(ExecIndex& index, uint32_t number, Node& node) {
  const ConditionalWork& work = node.work_as<ConditionalWork>();
  const ExecIndex::Entry& entry = index.entries[number];
  const uint32_t bodies = index.entries[number + 1].first_inside - entry.first_inside;
  if (static_cast<int>(work.type) != entry.conditional_type) {
    return refuse_change({cudaGraphExecUpdateErrorNotSupported, field::condition_type}, node);
  }
  if (work.bodies.size() != bodies) {
    return refuse_change({cudaGraphExecUpdateErrorNotSupported, field::bodies}, node);
  }
  if (index.limits[entry.limits].condition != work.condition->place()) {
    return refuse_change({cudaGraphExecUpdateErrorNotSupported, field::condition_place}, node);
  }
  for (uint32_t i = 0; i < bodies; ++i) {
    UpdateResult result = validate_inside(*index.inside[entry.first_inside + i], *work.bodies[i]);
    if (!result.ok()) return result;
  }
  return {};
}

}  // namespace reprise_runtime::graph
