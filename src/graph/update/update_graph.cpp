#include "graph/update/update_graph.h"

#include "graph/define/access.h"
#include "graph/plan/draw.h"
#include "graph/plan/memory_use.h"
#include "graph/update/update_node.h"
#include "graph/update/validate_graph.h"
#include "memory/graph/check_mode.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

// Updates the nodes of `index`, which is that of the executable graph or of a child graph in it. The graph's mutex is
// held.
UpdateResult update(ExecEditor& editor, ExecIndex& index, Graph& graph,
                    const memory::GraphMemoryUse* new_memory = nullptr) {
  ChangeList changes;
  const bool priorities_count = editor.flags() & cudaGraphInstantiateFlagUseNodePriority;
  const UpdateResult result = GraphValidation(changes, priorities_count, new_memory).run(index, graph);
  if (!result.ok()) return result;
  const bool whole = &index == &editor.index();
  editor.commit(std::move(changes), whole ? ExecEditor::Extent::all_nodes : ExecEditor::Extent::some_nodes);
  return result;
}

// The first node for which node_is() is true, or graph_is() for a graph inside it: the log names it. The mutex of
// `graph` is held.
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

// Another executable graph uses the graph's memory.
cudaError_t refuse_other_memory(Graph& graph) {
  void* const node = first_that(
      graph,
      [](Node& each) { return each.type() == cudaGraphNodeTypeMemAlloc || each.type() == cudaGraphNodeTypeMemFree; },
      [](const Graph& inside) { return inside.has_memory(); });
  return refuse(cudaErrorNotSupported, "node %p: graph %llu has memory nodes, and an executable graph that uses them",
                node, static_cast<unsigned long long>(graph.id()));
}

// As on an H200, also if the child graph has the same memory nodes.
cudaError_t refuse_memory_in_child(const Graph& graph, cudaGraphNode_t node) {
  return refuse(cudaErrorGraphExecUpdateFailure,
                "node %p: graph %llu has memory nodes, which stay in a child graph as they are",
                static_cast<void*>(node), static_cast<unsigned long long>(graph.id()));
}

cudaError_t refuse_inside(const Graph& graph) {
  return refuse(cudaErrorInvalidValue, "graph %llu is inside another; update from the outermost graph",
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
  // Mutexes of executable graphs are taken before those of graphs.
  ExecEditor editor(*exec);
  return with_graph(graph_handle, [&](Graph& graph) {
    if (graph.embedded()) {
      if (info) *info = {};
      return refuse_inside(graph);
    }
    const bool other_memory = graph.has_memory() && graph.latest_exec != exec->handle();
    // While memory is checked, the steps of memory nodes watch the allocations of the graph that was instantiated.
    if (other_memory && (execs().names_live(graph.latest_exec) || memory::checks_memory())) {
      if (info) *info = {};
      return refuse_other_memory(graph);
    }
    if (graph.has_updatable() || editor.has_updatable_nodes()) {
      if (info) *info = {};
      return refuse_updatable(graph);
    }
    std::unique_ptr<memory::GraphMemoryUse> memory;
    if (graph.has_memory()) memory = memory_use_of(graph, editor.flags() & cudaGraphInstantiateFlagAutoFreeOnLaunch);
    const UpdateResult result = update(editor, editor.index(), graph, other_memory ? memory.get() : nullptr);
    if (info) *info = {result.result, as_user(result.node), as_user(result.from)};
    if (draws_graphs()) [[unlikely]]
      draw_update(graph, exec->handle(), result.ok());
    if (!result.ok()) return cudaErrorGraphExecUpdateFailure;
    if (memory) {
      editor.replace_memory(std::move(memory));
      graph.latest_exec = exec->handle();
    }
    return cudaSuccess;
  });
}

cudaError_t set_exec_child(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  if (!graphs().names_live(Handle::from(child))) return refuse_node(node, no_such_graph(child));
  return with_exec_node(exec, node, [&](ExecEditor& editor, ExecIndex& index, ExecIndex::Entry& entry) {
    if (entry.type != cudaGraphNodeTypeGraph) return other_type_in_exec(node, entry.type, cudaGraphNodeTypeGraph);
    return with_graph(child, [&](Graph& graph) {
      if (graph.has_memory()) return refuse_memory_in_child(graph, node);
      if (graph.has_updatable()) return refuse_node(node, refuse_updatable(graph));
      const UpdateResult result = update(editor, *index.inside[entry.first_inside], graph);
      return result.ok() ? cudaSuccess : refuse_node(node, cudaErrorGraphExecUpdateFailure);
    });
  });
}

}  // namespace reprise_runtime::graph
