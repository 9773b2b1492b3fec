#include "graph/define/conditional_work.h"

#include "graph/define/access.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

cudaError_t check_size(cudaGraphConditionalNodeType type, unsigned size) {
  switch (type) {
    case cudaGraphCondTypeIf:
      return size == 1 || size == 2 ? cudaSuccess
                                    : refuse(cudaErrorInvalidValue, "size is %u; an IF node has 1 or 2 bodies", size);
    case cudaGraphCondTypeWhile:
      return size == 1 ? cudaSuccess : refuse(cudaErrorInvalidValue, "size is %u; a WHILE node has 1 body", size);
    case cudaGraphCondTypeSwitch:
      return size > 0 ? cudaSuccess : refuse(cudaErrorInvalidValue, "size is 0; a SWITCH node has at least 1 body");
  }
  return refuse(cudaErrorInvalidValue, "type is %d, which is not a type of conditional node", static_cast<int>(type));
}

// Finds a condition, which may belong to any graph inside the same outermost one.
Result<HeldCondition> find_condition(Graph& graph, cudaGraphConditionalHandle handle) {
  Ref<Condition> found = conditions().find(Handle{handle});
  HeldCondition held = found ? found->weak_from_this().lock() : nullptr;
  if (!held || held->graph() != root_of(graph)) {
    return refuse(cudaErrorInvalidValue, "0x%llx is %s; create one with cudaGraphConditionalHandleCreate",
                  static_cast<unsigned long long>(handle),
                  held ? "a condition of another graph" : "not a condition, or its graph was destroyed");
  }
  return held;
}

// Destroys a body whose node could not be added.
void discard(ConditionalWork& work) {
  for (Ref<Graph>& body : work.bodies) graphs().erase(body->handle());
}

cudaError_t make_bodies(ConditionalWork& work, Handle around, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    Ref<Graph> body = graphs().create();
    if (!body) return cudaErrorMemoryAllocation;
    body->embed(around);
    body->become_body();
    work.body_handles.push_back(body->as_user());
    work.bodies.push_back(std::move(body));
  }
  return cudaSuccess;
}

}  // namespace

ConditionalWork::ConditionalWork() = default;
ConditionalWork::ConditionalWork(const ConditionalWork&) = default;
ConditionalWork::ConditionalWork(ConditionalWork&&) noexcept = default;
ConditionalWork& ConditionalWork::operator=(ConditionalWork other) noexcept {
  std::swap(condition, other.condition);
  std::swap(type, other.type);
  std::swap(bodies, other.bodies);
  std::swap(body_handles, other.body_handles);
  return *this;
}
ConditionalWork::~ConditionalWork() = default;

cudaError_t add_conditional_node(cudaGraphNode_t* out, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                                 const cudaGraphEdgeData* data, size_t count, cudaConditionalNodeParams& parameters) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  if (cudaError_t refused = check_size(parameters.type, parameters.size); refused != cudaSuccess) return refused;
  return with_graph(handle, [&](Graph& graph) {
    Result<HeldCondition> condition = find_condition(graph, parameters.handle);
    if (!condition.ok()) return condition.status();
    if (const int device = (*condition)->device(); device != current_device()) {
      return refuse(cudaErrorInvalidValue, "condition 0x%llx was created for device %d, but device %d is current",
                    static_cast<unsigned long long>(parameters.handle), device, current_device());
    }
    if (!(*condition)->take()) {
      return refuse(cudaErrorInvalidValue, "condition 0x%llx has a node already; create another condition for this one",
                    static_cast<unsigned long long>(parameters.handle));
    }
    ConditionalWork work;
    work.condition = *condition;
    work.type = parameters.type;
    cudaError_t status = make_bodies(work, graph.handle(), parameters.size);
    Result<Node*> added = status;
    ConditionalWork kept = work;
    if (status == cudaSuccess) {
      added = graph.add(std::move(work), current_device(), dependencies, data, count);
      status = added.status();
    }
    if (status != cudaSuccess) {
      discard(kept);
      (*condition)->give_back();
      return status;
    }
    *out = (*added)->as_user();
    parameters.phGraph_out = std::get<ConditionalWork>((*added)->work).body_handles.data();
    return cudaSuccess;
  });
}

const char* name_of(cudaGraphConditionalNodeType type) {
  switch (type) {
    case cudaGraphCondTypeIf:
      return "IF";
    case cudaGraphCondTypeWhile:
      return "WHILE";
    case cudaGraphCondTypeSwitch:
      return "SWITCH";
  }
  return "?";
}

}  // namespace reprise_runtime::graph
