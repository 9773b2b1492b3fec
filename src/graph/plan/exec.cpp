#include "graph/plan/exec.h"

#include "base/last_error.h"
#include "diagnose/log.h"
#include "diagnose/refuse.h"
#include "graph/define/access.h"
#include "graph/define/conditional_rules.h"
#include "graph/plan/draw.h"
#include "graph/plan/memory_use.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

constexpr unsigned long long auto_free = cudaGraphInstantiateFlagAutoFreeOnLaunch,
                             upload = cudaGraphInstantiateFlagUpload,
                             device_launch = cudaGraphInstantiateFlagDeviceLaunch,
                             node_priority = cudaGraphInstantiateFlagUseNodePriority;

cudaError_t check_flags(unsigned long long flags) {
  if (flags & ~(auto_free | upload | device_launch | node_priority)) {
    return refuse(cudaErrorInvalidValue,
                  "flags are 0x%llx; only AutoFreeOnLaunch, Upload, DeviceLaunch and UseNodePriority exist", flags);
  }
  if ((flags & auto_free) && (flags & device_launch)) {
    return refuse(
        cudaErrorInvalidValue,
        "cudaGraphInstantiateFlagAutoFreeOnLaunch cannot be combined with cudaGraphInstantiateFlagDeviceLaunch");
  }
  return cudaSuccess;
}

// Why a graph that device code launches cannot have the node; null if it can.
const char* cannot_run_on_device(const Node& node) {
  switch (node.type()) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeGraph:
      return nullptr;
    case cudaGraphNodeTypeMemcpy: {
      const op::Memcpy& copy = std::get<MemcpyWork>(node.work).op;
      if (!copy.from_pageable() && !copy.to_pageable()) return nullptr;
      return "a copy cannot read or write ordinary host memory; use memory of cudaMallocHost or cudaHostRegister";
    }
    default:
      return "only kernel, memcpy, memset and child graph nodes are allowed";
  }
}

// The graph has no nodes, or only child graphs without any.
bool does_nothing(Graph& graph) {
  for (Node* node = graph.first(); node; node = node->next) {
    ChildWork* child = std::get_if<ChildWork>(&node->work);
    if (!child) return false;
    MutexLock lock(child->graph->mutex());
    if (!does_nothing(*child->graph)) return false;
  }
  return true;
}

// Checks a graph that device code may launch, whose nodes must all be on `device`.
cudaError_t check_device_launch(Graph& graph, int device, Instantiated& out) {
  for (Node* node = graph.first(); node; node = node->next) {
    if (const char* why = cannot_run_on_device(*node)) {
      out.result = cudaGraphInstantiateNodeOperationNotSupported;
      out.error_node = node->as_user();
      return refuse(cudaErrorInvalidValue, "node %p, %s: in a graph that device code launches %s",
                    static_cast<void*>(node->as_user()), describe(node->type()), why);
    }
    if (node->device() != device) {
      out.result = cudaGraphInstantiateMultipleDevicesNotSupported;
      out.error_node = node->as_user();
      return refuse(cudaErrorInvalidValue,
                    "all nodes of a graph that device code launches must be on one device: node %p is on device %d",
                    static_cast<void*>(node->as_user()), node->device());
    }
    if (ChildWork* child = std::get_if<ChildWork>(&node->work)) {
      MutexLock lock(child->graph->mutex());
      if (cudaError_t refused = check_device_launch(*child->graph, device, out); refused != cudaSuccess) return refused;
    }
  }
  return cudaSuccess;
}

cudaError_t build(Graph& graph, unsigned long long flags, Instantiated& out) {
  if (graph.embedded()) {
    return graph.is_body()
               ? refuse(cudaErrorNotSupported,
                        "the body of a conditional node cannot be instantiated; "
                        "it runs when the graph around it does")
               : refuse(cudaErrorNotSupported, "a graph inside another cannot be instantiated; clone it first");
  }
  if (flags & device_launch) {
    if (does_nothing(graph)) return refuse(cudaErrorInvalidValue, "a graph that device code launches cannot be empty");
    if (cudaError_t refused = check_device_launch(graph, graph.first()->device(), out); refused != cudaSuccess)
      return refused;
  }
  ConditionalRules rules;
  if (cudaError_t refused = check_conditionals(graph, rules); refused != cudaSuccess) {
    out.result = rules.result;
    if (rules.error_node) out.error_node = rules.error_node->as_user();
    return refused;
  }
  const bool only_one = rules.any || graph.has_memory() || graph.has_updatable();
  if (only_one && execs().names_live(graph.latest_exec)) {
    return refuse(
        cudaErrorNotSupported,
        "a graph with %s nodes can have one executable graph at a time, and graph %llu has one; destroy it first",
        rules.any            ? "conditional"
        : graph.has_memory() ? "memory"
                             : "device-updatable kernel",
        static_cast<unsigned long long>(graph.id()));
  }
  Node* error_node = nullptr;
  Result<Ref<Plan>> plan = Plan::build(graph, error_node, flags & node_priority);
  if (error_node) {
    out.error_node = error_node->as_user();
    out.result = cudaGraphInstantiateInvalidStructure;
  }
  if (!plan.ok()) return plan.status();
  if (graph.has_memory()) (*plan)->set_memory(memory_use_of(graph, flags & auto_free));
  Plan& made = **plan;
  out.exec = execs().create(std::move(*plan), flags & (auto_free | device_launch), flags);
  if (!out.exec) return cudaErrorMemoryAllocation;
  if (flags & device_launch) {
    LaunchScope& scope = made.scope();
    scope.allow_launches(out.exec->handle(), graph.first()->device(), made);
    if (flags & upload) scope.set_uploaded();
  }
  if (only_one) graph.latest_exec = out.exec->handle();
  if (draws_graphs()) [[unlikely]]
    draw_instantiated(graph, out.exec->handle());
  out.result = cudaGraphInstantiateSuccess;
  return cudaSuccess;
}

}  // namespace

void Launch::map_memory() const {
  if (memory::GraphMemory::map(*mappings)) return;
  diagnose::Log::instance().write(cudaLogLevelError,
                                  "a launch could not map its graph memory: the system refuses more mappings");
  for (const memory::GraphMapping& mapping : *mappings) set_sticky_error(mapping.device, cudaErrorIllegalAddress);
}

Ref<GraphExec> find_exec(cudaGraphExec_t handle) { return execs().find(Handle::from(handle)); }

cudaError_t no_such_exec(cudaGraphExec_t handle) {
  return refuse(cudaErrorInvalidValue, "%p is not an executable graph: it was destroyed, or never was one",
                static_cast<void*>(handle));
}

cudaError_t destroy_exec(cudaGraphExec_t handle) {
  return execs().erase(Handle::from(handle)) ? cudaSuccess : no_such_exec(handle);
}

Instantiated instantiate(cudaGraph_t handle, unsigned long long flags) {
  Instantiated out;
  out.status = check_flags(flags);
  if (out.status != cudaSuccess) return out;
  out.status = with_graph(handle, [&](Graph& graph) { return build(graph, flags, out); });
  return out;
}

}  // namespace reprise_runtime::graph
