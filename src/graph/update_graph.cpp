#include "graph/update_graph.h"

#include <algorithm>

#include "graph/access.h"
#include "graph/update_node.h"

namespace reprise::graph {
namespace {

using diagnose::refuse;

// Finds out whether the update is possible, then makes it. The graphs inside stay locked in between.
class Update {
 public:
  Update(ExecEditor& editor, unsigned long long flags)
      : editor_(editor), priorities_count_(flags & cudaGraphInstantiateFlagUseNodePriority) {}
  Update(const Update&) = delete;
  ~Update() REPRISE_NO_THREAD_SAFETY_ANALYSIS {
    for (Graph* graph : locked_) graph->mutex().unlock();
  }

  // The mutex of `graph` is held.
  UpdateResult check(Outline& outline, Graph& graph);
  void apply();

 private:
  struct Level {
    Outline* outline;
    std::vector<Node*> partners;
    Graph* graph;
  };

  UpdateResult check_node(Outline& outline, uint32_t entry, Node& node);
  UpdateResult check_bodies(Outline& outline, uint32_t entry, Node& node, ConditionalWork& work);
  UpdateResult check_inside(Outline& inside, Graph& graph) REPRISE_NO_THREAD_SAFETY_ANALYSIS {
    if (std::find(locked_.begin(), locked_.end(), &graph) == locked_.end()) {
      graph.mutex().lock();
      locked_.push_back(&graph);
    }
    return check(inside, graph);
  }

  ExecEditor& editor_;
  const bool priorities_count_;
  std::vector<Level> levels_;
  std::vector<Graph*> locked_;
};

UpdateResult Update::check(Outline& outline, Graph& graph) {
  std::vector<Node*> partners;
  auto check_pair = [&](uint32_t entry, Node& node) { return check_node(outline, entry, node); };
  const auto known = static_cast<std::ptrdiff_t>(levels_.size());
  auto forget = [&] { levels_.erase(levels_.begin() + known, levels_.end()); };
  if (UpdateResult result = pair_nodes(outline, graph, partners, check_pair, forget); !result.ok()) return result;
  levels_.push_back({&outline, std::move(partners), &graph});
  return {};
}

UpdateResult Update::check_node(Outline& outline, uint32_t number, Node& node) {
  const Outline::Entry& entry = outline.entries[number];
  if (entry.type != node.type()) {
    (void)other_type_in_exec(node.as_user(), node.type(), entry.type);
    return {cudaGraphExecUpdateErrorNodeTypeChanged, &node, nullptr};
  }
  if (ChildWork* child = std::get_if<ChildWork>(&node.work)) {
    return check_inside(*outline.inside[entry.first_inside], *child->graph);
  }
  if (ConditionalWork* work = std::get_if<ConditionalWork>(&node.work)) return check_bodies(outline, number, node, *work);
  Obstacle obstacle = find_obstacle(outline, entry, node.work, node.device());
  if (!obstacle) obstacle = find_attribute_obstacle(entry, node.work, priorities_count_);
  if (!obstacle) return {};
  (void)cannot_change(node.as_user(), entry.type, obstacle);
  return {obstacle.result, &node, nullptr};
}

UpdateResult Update::check_bodies(Outline& outline, uint32_t number, Node& node, ConditionalWork& work) {
  const Outline::Entry &entry = outline.entries[number], &next = outline.entries[number + 1];
  const bool same_type = static_cast<int>(work.type) == entry.conditional_type;
  if (!same_type || work.bodies.size() != next.first_inside - entry.first_inside) {
    const Obstacle obstacle{cudaGraphExecUpdateErrorNotSupported, same_type ? "number of bodies" : "type of condition"};
    (void)cannot_change(node.as_user(), entry.type, obstacle);
    return {obstacle.result, &node, nullptr};
  }
  for (size_t i = 0; i < work.bodies.size(); ++i) {
    UpdateResult result = check_inside(*outline.inside[entry.first_inside + i], *work.bodies[i]);
    if (!result.ok()) return result;
  }
  return {};
}

void Update::apply() {
  constexpr size_t ahead = 8;  // nodes; see Scout
  for (Level& level : levels_) {
    for (uint32_t i = 0; i < level.partners.size(); ++i) {
      if (i + ahead < level.partners.size()) {
        const auto* next = reinterpret_cast<const char*>(&level.partners[i + ahead]->work);
        __builtin_prefetch(next);
        __builtin_prefetch(next + 64);
      }
      editor_.set(*level.outline, level.outline->entries[i], level.partners[i]->work);
    }
    editor_.share_objects(level.graph->objects());
  }
}

// Why not is told to the log.
cudaError_t update(ExecEditor& editor, Outline& outline, Graph& graph, UpdateResult& result) {
  Update update(editor, editor.flags());
  result = update.check(outline, graph);
  if (!result.ok()) return cudaErrorGraphExecUpdateFailure;
  update.apply();
  return cudaSuccess;
}

// Its addresses are others than those of the graph that was instantiated.
cudaError_t refuse_other_memory(const Graph& graph) {
  return refuse(cudaErrorGraphExecUpdateFailure,
                "graph %llu has memory nodes: only the executable graph that was made from it can be updated by it",
                static_cast<unsigned long long>(graph.id()));
}

cudaGraphNode_t as_user(Node* node) { return node ? node->as_user() : nullptr; }

}  // namespace

cudaError_t update_exec(cudaGraphExec_t handle, cudaGraph_t graph_handle, cudaGraphExecUpdateResultInfo* info) {
  Ref<GraphExec> exec = find_exec(handle);
  if (!exec) return no_such_exec(handle);
  return with_graph(graph_handle, [&](Graph& graph) {
    if (graph.has_memory() && graph.exec != exec->handle()) {
      if (info) *info = {cudaGraphExecUpdateError, nullptr, nullptr};
      return refuse_other_memory(graph);
    }
    ExecEditor editor(*exec);
    if (graph.has_updatable() || editor.has_updatable_nodes()) {
      if (info) *info = {};
      return refuse(cudaErrorNotSupported, "graphs with nodes that device code may change cannot be updated as a whole");
    }
    UpdateResult result;
    const cudaError_t status = update(editor, editor.outline(), graph, result);
    if (info) *info = {result.result, as_user(result.node), as_user(result.from)};
    return status;
  });
}

cudaError_t set_exec_child(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  return with_graph(child, [&](Graph& graph) {
    return with_exec_node(exec, node, [&](ExecEditor& editor, Outline& outline, Outline::Entry& entry) {
      if (entry.type != cudaGraphNodeTypeGraph) return other_type_in_exec(node, entry.type, cudaGraphNodeTypeGraph);
      UpdateResult result;
      return update(editor, *outline.inside[entry.first_inside], graph, result);
    });
  });
}

}  // namespace reprise::graph
