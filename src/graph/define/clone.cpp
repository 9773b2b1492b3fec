#include "graph/define/clone.h"

#include "base/devices.h"
#include "graph/define/access.h"

namespace reprise_runtime::graph {

using diagnose::refuse;

namespace {

cudaError_t has_updatable() {
  return refuse(cudaErrorNotSupported,
                "a graph with device-updatable kernel nodes can neither be cloned nor become a child graph");
}

cudaError_t has_conditionals() {
  return refuse(cudaErrorNotSupported,
                "a graph with conditional nodes or conditions can neither be cloned nor become a child graph");
}

}  // namespace

namespace {

Result<Work> copy_work(const Work& work, const Graph& copy) {
  if (std::holds_alternative<ConditionalWork>(work)) return has_conditionals();
  const KernelWork* kernel = std::get_if<KernelWork>(&work);
  if (kernel && kernel->updatable) return has_updatable();
  const ChildWork* child = std::get_if<ChildWork>(&work);
  if (!child) return Work(work);
  MutexLock lock(child->graph->mutex());
  Result<Ref<Graph>> inner = clone(*child->graph);
  if (!inner.ok()) return inner.status();
  (*inner)->embed(copy.handle());
  return Work(ChildWork(std::move(*inner)));
}

// Fills an empty graph that no other thread knows yet.
cudaError_t copy_into(Graph& copy, Graph& source) {
  if (source.has_memory()) return refuse_with_memory(source, "cloning it");
  if (!source.conditions().empty()) return has_conditionals();
  for (Node* node = source.first(); node; node = node->next) {
    Result<Work> work = copy_work(node->work, copy);
    if (!work.ok()) return work.status();
    Result<Node*> made = copy.add_copy(*node, std::move(*work));
    if (!made.ok()) return made.status();
  }
  copy.finish_copy(source);
  return cudaSuccess;
}

}  // namespace

Result<Ref<Graph>> clone(Graph& source) {
  Ref<Graph> copy = graphs().create();
  if (!copy) return cudaErrorMemoryAllocation;
  if (cudaError_t failed = copy_into(*copy, source); failed != cudaSuccess) {
    graphs().erase(copy->handle());
    return failed;
  }
  return copy;
}

cudaError_t clone_graph(cudaGraph_t* out, cudaGraph_t handle) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  return with_graph(handle, [&](Graph& graph) {
    if (graph.is_body()) return refuse(cudaErrorNotSupported, "the body of a conditional node cannot be cloned");
    Result<Ref<Graph>> copy = clone(graph);
    if (copy.ok()) *out = (*copy)->as_user();
    return copy.status();
  });
}

cudaError_t find_in_clone(cudaGraphNode_t* out, cudaGraphNode_t original, cudaGraph_t handle) {
  if (!out || !original) return refuse(cudaErrorInvalidValue, "the node or the output pointer is null");
  if (!nodes().names_live(Handle::from(original))) {
    return refuse(cudaErrorInvalidValue, "%p is no node: it was destroyed, or never was one",
                  static_cast<void*>(original));
  }
  return with_graph(handle, [&](Graph& graph) {
    Node* found = graph.clone_of(Handle::from(original));
    if (!found) return refuse(cudaErrorInvalidValue, "the graph has no clone of node %p", static_cast<void*>(original));
    *out = found->as_user();
    return cudaSuccess;
  });
}

namespace {

cudaError_t embedded_already() {
  return refuse(cudaErrorNotSupported, "the graph is inside another graph; clone it first");
}

Result<Ref<Graph>> copy_for_parent(cudaGraph_t child, Handle parent) {
  Result<Ref<Graph>> copy = cudaErrorInvalidValue;
  const cudaError_t status = with_graph(child, [&](Graph& graph) {
    if (graph.embedded()) return embedded_already();
    copy = clone(graph);
    if (copy.ok()) (*copy)->embed(parent);
    return copy.status();
  });
  if (status != cudaSuccess) return status;
  return copy;
}

// Destroys a copy whose node could not be added.
void discard(const Ref<Graph>& copy) { graphs().erase(copy->handle()); }

// Whether `graph` is `inner`, or is inside it at any depth. Its mutex is held.
bool is_inside(Handle graph, Graph& inner) {
  if (inner.handle() == graph) return true;
  bool found = false;
  for (Node* node = inner.first(); node && !found; node = node->next) {
    for_each_inside(node->work, [&](Graph& inside) {
      MutexLock lock(inside.mutex());
      found = found || is_inside(graph, inside);
    });
  }
  return found;
}

// Whether it has conditions or conditional nodes, at any depth. Its mutex is held.
bool contains_conditionals(Graph& graph) {
  bool found = !graph.conditions().empty();
  for (Node* node = graph.first(); node && !found; node = node->next) {
    found = node->type() == cudaGraphNodeTypeConditional;
    for_each_inside(node->work, [&](Graph& inside) {
      MutexLock lock(inside.mutex());
      found = found || contains_conditionals(inside);
    });
  }
  return found;
}

// Refuses to put `child` into `graph` if `graph` is inside it.
cudaError_t check_nesting(cudaGraph_t graph, cudaGraph_t child) {
  return with_graph(child, [&](Graph& inner) {
    if (!is_inside(Handle::from(graph), inner)) return cudaSuccess;
    return refuse(cudaErrorInvalidValue, "a graph cannot be its own child graph; clone it first");
  });
}

cudaError_t add_moved(cudaGraphNode_t* out, cudaGraph_t parent, const cudaGraphNode_t* dependencies,
                      const cudaGraphEdgeData* data, size_t count, cudaGraph_t child) {
  // One move at a time: two at once could put two graphs into each other.
  static Mutex one_move;
  MutexLock moving(one_move);
  if (cudaError_t refused = check_nesting(parent, child); refused != cudaSuccess) return refused;
  Ref<Graph> moved = graphs().find(Handle::from(child));
  if (!moved) return no_such_graph(child);
  return with_graph(parent, [&](Graph& graph) {
    MutexLock lock(moved->mutex());
    if (moved->embedded()) return embedded_already();
    if (contains_conditionals(*moved)) return has_conditionals();
    if (moved->has_updatable()) return has_updatable();
    Result<Node*> added = graph.add(ChildWork(moved), current_device(), dependencies, data, count);
    if (!added.ok()) return added.status();
    moved->embed(graph.handle());
    if (moved->has_memory()) graph.note_memory();
    *out = (*added)->as_user();
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t add_child_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                           const cudaGraphEdgeData* data, size_t count, cudaGraph_t child, bool move) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  if (move) return add_moved(out, graph, dependencies, data, count, child);
  if (cudaError_t refused = check_nesting(graph, child); refused != cudaSuccess) return refused;
  Result<Ref<Graph>> copy = copy_for_parent(child, Handle::from(graph));
  if (!copy.ok()) return copy.status();
  const cudaError_t status = add_node(out, graph, dependencies, data, count, Result<ChildWork>(ChildWork(*copy)));
  if (status != cudaSuccess) discard(*copy);
  return status;
}

cudaError_t replace_child(cudaGraphNode_t node, cudaGraph_t child) {
  Ref<Node> changed = nodes().find(Handle::from(node));
  if (!changed) return no_such_node(node);
  Result<Ref<Graph>> copy = copy_for_parent(child, changed->graph());
  if (!copy.ok()) return copy.status();
  Ref<Graph> before;
  const cudaError_t status = with_work<ChildWork>(node, [&](Node&, ChildWork& work) {
    before = std::exchange(work.graph, *copy);
    MutexLock lock(before->mutex());
    before->embed({});
    return cudaSuccess;
  });
  discard(status == cudaSuccess ? before : *copy);
  return status;
}

}  // namespace reprise_runtime::graph
