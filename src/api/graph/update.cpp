// Updates of executable graphs: one node, enabling and disabling, and the whole graph.
#include "api/graph/graph_entry.h"
#include "graph/define/event_work.h"
#include "graph/update/any_exec_node.h"
#include "graph/update/update_graph.h"
#include "graph/update/update_node.h"

using namespace reprise_runtime;
using graph::MemcpyWork;
using graph::MemsetWork;
using graph::SignalWork;
using graph::WaitWork;

namespace {

// Calls call(*parameters), or refuses null parameters.
template <class Parameters, class Call, class Fail>
cudaError_t entry_with(cudaGraphNode_t node, const Parameters* parameters, Call&& call,
                       const api::Arguments<Fail>& arguments, const char* name = __builtin_FUNCTION()) {
  return api::entry_always([&] { return parameters ? call(*parameters) : graph::no_parameters(node); }, arguments,
                           name);
}

// The same for kernel and memset nodes, whose calls return the sticky error after a fault.
template <class Parameters, class Call, class Fail>
cudaError_t device_entry_with(cudaGraphNode_t node, const Parameters* parameters, Call&& call,
                              const api::Arguments<Fail>& arguments, const char* name = __builtin_FUNCTION()) {
  return api::entry([&] { return parameters ? call(*parameters) : graph::no_parameters(node); }, arguments, name);
}

}  // namespace

extern "C" {

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return device_entry_with(
      node, parameters, [&](const cudaKernelNodeParams& given) { return graph::set_exec_kernel(exec, node, given); },
      ARGUMENTS(exec, node, parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return entry_with(
      node, parameters,
      [&](const cudaMemcpy3DParms& given) { return graph::set_exec_work(exec, node, MemcpyWork::build(given)); },
      ARGUMENTS(exec, node, parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from,
                                               size_t bytes, cudaMemcpyKind kind) {
  return api::entry_always(
      [&] { return graph::set_exec_work(exec, node, MemcpyWork::build_1d(to, from, bytes, kind)); },
      ARGUMENTS(exec, node, to, from, bytes, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void* symbol,
                                                     const void* from, size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return api::entry_always(
      [&] { return graph::set_exec_work(exec, node, MemcpyWork::build_to_symbol(symbol, from, bytes, offset, kind)); },
      ARGUMENTS(exec, node, symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                                       const void* symbol, size_t bytes, size_t offset,
                                                       cudaMemcpyKind kind) {
  return api::entry_always(
      [&] { return graph::set_exec_work(exec, node, MemcpyWork::build_from_symbol(to, symbol, bytes, offset, kind)); },
      ARGUMENTS(exec, node, to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return device_entry_with(
      node, parameters,
      [&](const cudaMemsetParams& given) { return graph::set_exec_work(exec, node, MemsetWork::build(given)); },
      ARGUMENTS(exec, node, parameters));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return entry_with(
      node, parameters,
      [&](const cudaHostNodeParams& given) {
        return graph::set_exec_work(exec, node, op::HostFunction::build(given.fn, given.userData));
      },
      ARGUMENTS(exec, node, parameters));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  return api::entry_always([&] { return graph::set_exec_child(exec, node, child); }, ARGUMENTS(exec, node, child));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return api::entry_always([&] { return graph::set_exec_work(exec, node, graph::event_work<op::EventRecord>(event)); },
                           ARGUMENTS(exec, node, event));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return api::entry_always([&] { return graph::set_exec_work(exec, node, graph::event_work<op::EventWait>(event)); },
                           ARGUMENTS(exec, node, event));
}

cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node, const cudaExternalSemaphoreSignalNodeParams* parameters) {
  return entry_with(
      node, parameters,
      [&](const cudaExternalSemaphoreSignalNodeParams& given) {
        return graph::set_exec_work(exec, node, SignalWork::build(given));
      },
      ARGUMENTS(exec, node, parameters));
}

cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                             const cudaExternalSemaphoreWaitNodeParams* parameters) {
  return entry_with(
      node, parameters,
      [&](const cudaExternalSemaphoreWaitNodeParams& given) {
        return graph::set_exec_work(exec, node, WaitWork::build(given));
      },
      ARGUMENTS(exec, node, parameters));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return api::entry_always([&] { return graph::set_any_exec_params(exec, node, parameters); },
                           ARGUMENTS(exec, node, parameters));
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int enabled) {
  return api::entry_always([&] { return graph::set_enabled(exec, node, enabled != 0); },
                           ARGUMENTS(exec, node, enabled));
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int* enabled) {
  return api::graph_entry_with(
      enabled, [&](unsigned& out) { return graph::get_enabled(exec, node, &out); }, ARGUMENTS(exec, node, enabled));
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
  return api::entry_always([&] { return graph::update_exec(exec, graph, info); }, ARGUMENTS(exec, graph, info));
}
}
