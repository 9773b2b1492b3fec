#include "graph/update/update_graph.h"

#include <algorithm>
#include <functional>

#include "graph/define/access.h"
#include "graph/plan/memory_use.h"
#include "graph/update/update_node.h"
#include "memory/graph/check_mode.h"
#include "memory/graph/graph_memory.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

// An H200 has it so: of memory that is gone after each launch it knows no owner. Copies and kernels may use it.
Obstacle find_memory_obstacle(const memory::GraphMemoryUse& use, Node& node) {
  if (node.type() != cudaGraphNodeTypeMemset) return {};
  Ref<memory::GraphAllocation> around = memory::GraphMemory::instance().around(node.work_as<MemsetWork>().told.dst);
  if (!around) return {};
  auto is_of = [&](const memory::GraphMemoryUse::Part& part) { return part.stretch == around->stretch; };
  if (std::none_of(use.parts.begin(), use.parts.end(), is_of)) return {};
  const bool kept = std::find(use.kept.begin(), use.kept.end(), around) != use.kept.end();
  return kept ? Obstacle{} : Obstacle{cudaGraphExecUpdateError, field::graph_memory};
}

// Finds out whether the update is possible, then finds the memory that it needs, then makes it, which cannot fail. Most
// kernels are changed on the way, while nodes and steps are at hand, and changed back if it comes to nothing. The
// graphs inside stay locked in between. An update of a child graph while a launch is queued is one of its nodes, one by
// one.
class Update {
 public:
  // The nodes of the index, which is that of the whole executable graph, or of a graph inside. `memory` is what the
  // new graph does with graph memory, if that is other memory than before.
  Update(ExecEditor& editor, ExecIndex& index, const memory::GraphMemoryUse* memory)
      : editor_(editor),
        index_(index),
        memory_(memory),
        whole_(&index == &editor.exec_index()),
        room_(editor.update_room()),
        pending_before_(editor.pending().size()),
        priorities_count_(editor.flags() & cudaGraphInstantiateFlagUseNodePriority) {}
  Update(const Update&) = delete;
  ~Update() {
    if (!done_) undo();
    room_.former.clear();
    room_.objects.clear();
    forget();
  }

  // The mutex of `graph` is held.
  UpdateResult find_out(Graph& graph);
  void prepare(Graph& graph);
  void apply() noexcept;

 private:
  UpdateResult check(ExecIndex& index, Graph& graph);
  UpdateResult check_node(ExecIndex& index, uint32_t entry, Node& node);
  UpdateResult check_kernel(ExecIndex& index, uint32_t entry, Node& node);
  UpdateResult check_bodies(ExecIndex& index, uint32_t entry, Node& node, ConditionalWork& work);
  UpdateResult check_inside(ExecIndex& inside, Graph& graph) REPRISE_NO_THREAD_SAFETY_ANALYSIS {
    room_.locked.push_back({&graph, &inside});
    graph.mutex().lock();
    return check(inside, graph);
  }
  // How much is put off, if it is as much as last time.
  bool knows_room() const { return whole_ && !editor_.idle() && room_.put_off != ChangeList::Size{}; }
  void undo() noexcept {
    PlanChange::restore(room_.former);
    editor_.pending().drop(pending_before_);
  }
  void prepare_objects(ExecIndex& index, const HeldObjects& now);
  UpdateResult stopped_by(const Obstacle& obstacle, Node& node);
  void change_later(ExecIndex& index, uint32_t entry, Node& node) { room_.later.push_back({&index, &node, entry}); }
  // What was found out.
  void forget() noexcept REPRISE_NO_THREAD_SAFETY_ANALYSIS {
    room_.later.clear();
    for (; !room_.locked.empty(); room_.locked.pop_back()) room_.locked.back().graph->mutex().unlock();
  }

  ExecEditor& editor_;
  ExecIndex& index_;
  const memory::GraphMemoryUse* const memory_;
  const bool whole_;
  UpdateRoom& room_;
  const ChangeList::Size pending_before_;
  const bool priorities_count_;
  PairingWay way_ = PairingWay::in_order;
  bool done_ = false;
};

// Graphs inside are gone through in the same way as the whole: each of them once or twice, however deep it is. Each
// time a kernel is changed at most once.
UpdateResult Update::find_out(Graph& graph) {
  if (knows_room()) editor_.pending().reserve(room_.put_off);
  UpdateResult result = check(index_, graph);
  if (result.ok()) return result;
  undo();
  forget();
  way_ = PairingWay::walk;
  return check(index_, graph);
}

UpdateResult Update::check(ExecIndex& index, Graph& graph) {
  auto check_pair = [&](uint32_t entry, Node& node) { return check_node(index, entry, node); };
  // For graphs inside it grows as it must: room for each in turn would be made by moving all.
  if (room_.locked.empty() && !knows_room()) {
    editor_.idle() ? room_.former.arguments.reserve(index.node_count())
                   : editor_.pending().reserve_arguments(index.node_count());
  }
  return pair_nodes(index, graph, way_, std::ref(check_pair), room_.pairing);
}

UpdateResult Update::check_node(ExecIndex& index, uint32_t number, Node& node) {
  const ExecIndex::Entry& entry = index.entries[number];
  if (entry.type != node.type()) {
    (void)other_type_in_exec(node.as_user(), node.type(), entry.type, cudaErrorGraphExecUpdateFailure);
    return {cudaGraphExecUpdateErrorNodeTypeChanged, &node, nullptr};
  }
  if (entry.type == cudaGraphNodeTypeKernel) return check_kernel(index, number, node);
  if (entry.type == cudaGraphNodeTypeGraph) {
    return check_inside(*index.inside[entry.first_inside], *node.work_as<ChildWork>().graph);
  }
  UpdateResult result;
  if (entry.type == cudaGraphNodeTypeConditional) {
    result = check_bodies(index, number, node, node.work_as<ConditionalWork>());
  } else {
    result = stopped_by(node.visit([&](auto& work) { return find_obstacle(index, entry, work, node.device()); }), node);
    if (memory_ && result.ok()) result = stopped_by(find_memory_obstacle(*memory_, node), node);
  }
  if (result.ok()) change_later(index, number, node);
  return result;
}

UpdateResult Update::check_kernel(ExecIndex& index, uint32_t number, Node& node) {
  const ExecIndex::Entry& entry = index.entries[number];
  const KernelWork& work = node.work_as<KernelWork>();
  Obstacle obstacle = find_obstacle(index, entry, work, node.device());
  if (!obstacle) obstacle = find_attribute_obstacle(entry, work, priorities_count_);
  if (obstacle) [[unlikely]]
    return stopped_by(obstacle, node);
  const bool on_the_way = whole_ || editor_.idle();
  if (on_the_way && editor_.set_for_now(index, entry, work, room_.former)) return {};
  change_later(index, number, node);
  if (editor_.idle()) {
    PlanChange::prepare(*index.plan, entry.step, work);
  } else if (whole_) {
    editor_.stage_among_all(index, number, work);
    room_.later.back().kernel = true;
  }
  return {};
}

UpdateResult Update::stopped_by(const Obstacle& obstacle, Node& node) {
  if (!obstacle) return {};
  (void)cannot_change(node.as_user(), node.type(), obstacle, cudaErrorGraphExecUpdateFailure);
  return {obstacle.result, &node, nullptr};
}

UpdateResult Update::check_bodies(ExecIndex& index, uint32_t number, Node& node, ConditionalWork& work) {
  const ExecIndex::Entry &entry = index.entries[number], &next = index.entries[number + 1];
  const bool same_type = static_cast<int>(work.type) == entry.conditional_type;
  if (!same_type || work.bodies.size() != next.first_inside - entry.first_inside) {
    return stopped_by({cudaGraphExecUpdateErrorNotSupported, same_type ? field::bodies : field::condition_type}, node);
  }
  if (index.limits[entry.limits].condition != work.condition->place()) {
    return stopped_by({cudaGraphExecUpdateErrorNotSupported, field::condition_place}, node);
  }
  for (size_t i = 0; i < work.bodies.size(); ++i) {
    UpdateResult result = check_inside(*index.inside[entry.first_inside + i], *work.bodies[i]);
    if (!result.ok()) return result;
  }
  return {};
}

// Everything that memory may be missing for.
void Update::prepare(Graph& graph) {
  prepare_objects(index_, graph.objects());
  for (const UpdateRoom::Inside& inside : room_.locked) prepare_objects(*inside.index, inside.graph->objects());
  if (editor_.idle()) return;  // kernels alone need more, and have it
  editor_.pending().reserve_retired(room_.objects.size());
  auto left = room_.later.begin();
  for (UpdateRoom::Change& each : room_.later) {
    const bool stays = each.kernel || each.node->visit([&](auto& work) {
      if (whole_) return editor_.stage_among_all(*each.index, each.entry, work);
      each.arguments = editor_.stage(*each.index, each.index->entries[each.entry], work);
      return true;
    });
    if (!stays) continue;
    if (&*left != &each) *left = each;
    ++left;
  }
  room_.later.erase(left, room_.later.end());
  if (!whole_) editor_.pending().reserve_staged();
}

void Update::prepare_objects(ExecIndex& index, const HeldObjects& now) {
  if (now.empty() && index.objects.empty()) return;
  room_.objects.push_back({&index, {}});
  room_.objects.back().held.share(now);
}

void Update::apply() noexcept {
  done_ = true;
  ChangeList& pending = editor_.pending();
  auto for_each = [&](auto&& use) {
    for (const UpdateRoom::Change& each : room_.later) {
      each.node->visit([&](auto& work) { use(each, each.index->entries[each.entry], work); });
    }
  };
  if (editor_.idle()) {
    for_each([&](auto& each, auto& entry, auto& work) { editor_.apply(*each.index, entry, work); });
  } else if (whole_) {
    pending.supersede(pending_before_);
    size_t kernels = 0;
    for (const UpdateRoom::Change& each : room_.later) {
      if (each.kernel) {
        editor_.note_kernel(*each.index, each.entry, kernels++);
      } else {
        each.node->visit([&](auto& work) { editor_.settle_event(*each.index, each.index->entries[each.entry], work); });
      }
    }
    room_.put_off = pending.size();
  } else {
    ChangeList::Settling settling(pending, pending_before_);
    for_each([&](auto& each, auto& entry, auto& work) {
      editor_.settle(*each.index, entry, work, each.arguments, settling);
    });
  }
  for (UpdateRoom::Objects& each : room_.objects) editor_.replace_objects(*each.index, each.held);
}

// Why not is told to the log.
cudaError_t update(ExecEditor& editor, ExecIndex& index, Graph& graph, UpdateResult& result,
                   const memory::GraphMemoryUse* memory = nullptr) {
  Update update(editor, index, memory);
  result = update.find_out(graph);
  if (!result.ok()) return cudaErrorGraphExecUpdateFailure;
  update.prepare(graph);
  update.apply();
  return cudaSuccess;
}

// The first node that is so, or has a graph inside that is: for the log to name. The mutex of `graph` is held.
void* first_that(Graph& graph, bool (*node_is)(Node&), bool (*graph_is)(const Graph&)) {
  auto inside_is = [&](const Ref<Graph>& inside) {
    MutexLock lock(inside->mutex());
    return graph_is(*inside);
  };
  for (Node* node = graph.first(); node; node = node->next) {
    bool found = node_is(*node);
    if (node->type() == cudaGraphNodeTypeGraph) found = inside_is(node->work_as<ChildWork>().graph);
    if (node->type() == cudaGraphNodeTypeConditional) {
      for (const Ref<Graph>& body : node->work_as<ConditionalWork>().bodies) found |= inside_is(body);
    }
    if (found) return node->as_user();
  }
  return nullptr;
}

// Another executable graph has its memory.
cudaError_t refuse_other_memory(Graph& graph) {
  void* const node = first_that(
      graph,
      [](Node& each) { return each.type() == cudaGraphNodeTypeMemAlloc || each.type() == cudaGraphNodeTypeMemFree; },
      [](const Graph& inside) { return inside.has_memory(); });
  return refuse(cudaErrorNotSupported, "node %p: graph %llu has memory nodes, and an executable graph that uses them",
                node, static_cast<unsigned long long>(graph.id()));
}

// Whichever graph it is: an H200 has it so.
cudaError_t refuse_memory_in_child(const Graph& graph, cudaGraphNode_t node) {
  return refuse(cudaErrorGraphExecUpdateFailure,
                "node %p: graph %llu has memory nodes, which stay in a child graph as they are",
                static_cast<void*>(node), static_cast<unsigned long long>(graph.id()));
}

cudaError_t refuse_inside(const Graph& graph) {
  return refuse(cudaErrorInvalidValue, "graph %llu is inside another, which is what can be taken as a whole",
                static_cast<unsigned long long>(graph.id()));
}

cudaError_t refuse_updatable(Graph& graph) {
  void* const node = first_that(
      graph, [](Node& each) { return each.type() == cudaGraphNodeTypeKernel && each.work_as<KernelWork>().updatable; },
      [](const Graph& inside) { return inside.has_updatable(); });
  const cudaError_t refused =
      refuse(cudaErrorNotSupported, "graphs with nodes that device code may change cannot be updated as a whole");
  return node ? refuse_node(static_cast<cudaGraphNode_t>(node), refused)
              : diagnose::refuse_of(refused, "the executable graph");
}

cudaGraphNode_t as_user(Node* node) { return node ? node->as_user() : nullptr; }

}  // namespace

cudaError_t update_exec(cudaGraphExec_t handle, cudaGraph_t graph_handle, cudaGraphExecUpdateResultInfo* info) {
  Ref<GraphExec> exec = find_exec(handle);
  if (!exec) return no_such_exec(handle);
  // Before the graph's mutex is taken: another thread may be about to take that of a graph inside it.
  ExecEditor editor(*exec);
  return with_graph(graph_handle, [&](Graph& graph) {
    if (graph.embedded()) {
      if (info) *info = {};
      return refuse_inside(graph);
    }
    const bool other_memory = graph.has_memory() && graph.exec != exec->handle();
    // While memory is checked, steps of their own watch the allocations that the graph had at first.
    if (other_memory && (execs().names_live(graph.exec) || memory::checks_memory())) {
      if (info) *info = {};
      return refuse_other_memory(graph);
    }
    if (graph.has_updatable() || editor.has_updatable_nodes()) {
      if (info) *info = {};
      return refuse_updatable(graph);
    }
    // Before the update takes the mutexes of graphs inside.
    std::unique_ptr<memory::GraphMemoryUse> memory;
    if (graph.has_memory()) memory = memory_use_of(graph, editor.flags() & cudaGraphInstantiateFlagAutoFreeOnLaunch);
    UpdateResult result;
    const cudaError_t status =
        update(editor, editor.exec_index(), graph, result, other_memory ? memory.get() : nullptr);
    if (info) *info = {result.result, as_user(result.node), as_user(result.from)};
    if (status == cudaSuccess && memory) {
      editor.replace_memory(std::move(memory));
      graph.exec = exec->handle();
    }
    return status;
  });
}

cudaError_t set_exec_child(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  if (!graphs().names_live(Handle::from(child))) return refuse_node(node, no_such_graph(child));
  return with_exec_node(exec, node, [&](ExecEditor& editor, ExecIndex& index, ExecIndex::Entry& entry) {
    if (entry.type != cudaGraphNodeTypeGraph) return other_type_in_exec(node, entry.type, cudaGraphNodeTypeGraph);
    return with_graph(child, [&](Graph& graph) {
      if (graph.has_memory()) return refuse_memory_in_child(graph, node);
      if (graph.has_updatable()) return refuse_node(node, refuse_updatable(graph));
      UpdateResult result;
      const cudaError_t status = update(editor, *index.inside[entry.first_inside], graph, result);
      return status == cudaSuccess ? status : refuse_node(node, status);
    });
  });
}

}  // namespace reprise_runtime::graph
