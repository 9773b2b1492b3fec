// Nodes of any kind; and empty, host, child graph, event and semaphore nodes.
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"
#include "driver/graph/batch_mem_op_node.h"
#include "driver/graph/converted_parameters.h"
#include "driver/graph/node_parameters.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::as_runtime;

namespace {

// Adding writes what the node makes (an address, bodies of a conditional node) back to the parameters.
cudaError_t add_node(CUgraphNode* out, CUgraph graph, const CUgraphNode* dependencies, const CUgraphEdgeData* data,
                     size_t count, CUgraphNodeParams* parameters) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
  if (parameters->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) {
    return driver::add_batch_mem_op_node(out, graph, dependencies, data, count, parameters->memOp);
  }
  Result<cudaGraphNodeParams> made = driver::runtime_node(*parameters);
  if (!made.ok()) return made.status();
  const cudaError_t status = cudaGraphAddNode(out, graph, dependencies, as_runtime(data), count, &*made);
  if (status != cudaSuccess) return status;
  if (parameters->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) {
    parameters->alloc.dptr = reinterpret_cast<CUdeviceptr>(made->alloc.dptr);
  } else if (parameters->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
    parameters->conditional.phGraph_out = made->conditional.phGraph_out;
  }
  return status;
}

// `place` is the node, or an executable graph and its node.
template <class Set, class... Place>
cudaError_t set_node(const CUgraphNodeParams* parameters, Set&& set, Place... place) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
  if (parameters->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) {
    return driver::set_batch_mem_op_node(place..., parameters->memOp);
  }
  Result<cudaGraphNodeParams> made = driver::runtime_node(*parameters);
  return made.ok() ? set(&*made) : made.status();
}

cudaError_t create_conditional(CUgraphConditionalHandle* out, CUgraph graph, CUcontext context, unsigned value,
                               unsigned flags) {
  if (!context) return refuse(cudaErrorDeviceUninitialized, "the context is null");
  if (cudaError_t status = driver::check_context(context); status != cudaSuccess) return status;
  return cudaGraphConditionalHandleCreate(as_runtime(out), graph, value, flags);
}

}  // namespace

extern "C" {

CUresult cuGraphAddEmptyNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                             size_t numDependencies) {
  return driver::entry_initialised(
      [&] { return cudaGraphAddEmptyNode(phGraphNode, hGraph, dependencies, numDependencies); },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies));
}

CUresult cuGraphAddHostNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                            size_t numDependencies, const CUDA_HOST_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] { return cudaGraphAddHostNode(phGraphNode, hGraph, dependencies, numDependencies, as_runtime(nodeParams)); },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies, nodeParams));
}

CUresult cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised([&] { return cudaGraphHostNodeGetParams(hNode, as_runtime(nodeParams)); },
                                   ARGUMENTS(hNode, nodeParams));
}

CUresult cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised([&] { return cudaGraphHostNodeSetParams(hNode, as_runtime(nodeParams)); },
                                   ARGUMENTS(hNode, nodeParams));
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                      const CUDA_HOST_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] { return cudaGraphExecHostNodeSetParams(hGraphExec, hNode, as_runtime(nodeParams)); },
      ARGUMENTS(hGraphExec, hNode, nodeParams));
}

CUresult cuGraphAddChildGraphNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                  size_t numDependencies, CUgraph childGraph) {
  return driver::entry_initialised(
      [&] { return cudaGraphAddChildGraphNode(phGraphNode, hGraph, dependencies, numDependencies, childGraph); },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies, childGraph));
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph* phGraph) {
  return driver::entry_initialised([&] { return cudaGraphChildGraphNodeGetGraph(hNode, phGraph); },
                                   ARGUMENTS(hNode, phGraph));
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph) {
  return driver::entry_initialised([&] { return cudaGraphExecChildGraphNodeSetParams(hGraphExec, hNode, childGraph); },
                                   ARGUMENTS(hGraphExec, hNode, childGraph));
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                   size_t numDependencies, CUevent event) {
  return driver::entry_initialised(
      [&] { return cudaGraphAddEventRecordNode(phGraphNode, hGraph, dependencies, numDependencies, event); },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies, event));
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent* event_out) {
  return driver::entry_initialised([&] { return cudaGraphEventRecordNodeGetEvent(hNode, event_out); },
                                   ARGUMENTS(hNode, event_out));
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event) {
  return driver::entry_initialised([&] { return cudaGraphEventRecordNodeSetEvent(hNode, event); },
                                   ARGUMENTS(hNode, event));
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event) {
  return driver::entry_initialised([&] { return cudaGraphExecEventRecordNodeSetEvent(hGraphExec, hNode, event); },
                                   ARGUMENTS(hGraphExec, hNode, event));
}

CUresult cuGraphAddEventWaitNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                 size_t numDependencies, CUevent event) {
  return driver::entry_initialised(
      [&] { return cudaGraphAddEventWaitNode(phGraphNode, hGraph, dependencies, numDependencies, event); },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies, event));
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent* event_out) {
  return driver::entry_initialised([&] { return cudaGraphEventWaitNodeGetEvent(hNode, event_out); },
                                   ARGUMENTS(hNode, event_out));
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event) {
  return driver::entry_initialised([&] { return cudaGraphEventWaitNodeSetEvent(hNode, event); },
                                   ARGUMENTS(hNode, event));
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event) {
  return driver::entry_initialised([&] { return cudaGraphExecEventWaitNodeSetEvent(hGraphExec, hNode, event); },
                                   ARGUMENTS(hGraphExec, hNode, event));
}

CUresult cuGraphAddExternalSemaphoresSignalNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                                const CUgraphNode* dependencies, size_t numDependencies,
                                                const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return cudaGraphAddExternalSemaphoresSignalNode(phGraphNode, hGraph, dependencies, numDependencies,
                                                        as_runtime(nodeParams));
      },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies, nodeParams));
}

CUresult cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* params_out) {
  return driver::entry_initialised(
      [&] { return cudaGraphExternalSemaphoresSignalNodeGetParams(hNode, as_runtime(params_out)); },
      ARGUMENTS(hNode, params_out));
}

CUresult cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode hNode,
                                                      const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] { return cudaGraphExternalSemaphoresSignalNodeSetParams(hNode, as_runtime(nodeParams)); },
      ARGUMENTS(hNode, nodeParams));
}

CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                          const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] { return cudaGraphExecExternalSemaphoresSignalNodeSetParams(hGraphExec, hNode, as_runtime(nodeParams)); },
      ARGUMENTS(hGraphExec, hNode, nodeParams));
}

CUresult cuGraphAddExternalSemaphoresWaitNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                              size_t numDependencies, const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return cudaGraphAddExternalSemaphoresWaitNode(phGraphNode, hGraph, dependencies, numDependencies,
                                                      as_runtime(nodeParams));
      },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies, nodeParams));
}

CUresult cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS* params_out) {
  return driver::entry_initialised(
      [&] { return cudaGraphExternalSemaphoresWaitNodeGetParams(hNode, as_runtime(params_out)); },
      ARGUMENTS(hNode, params_out));
}

CUresult cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode hNode,
                                                    const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] { return cudaGraphExternalSemaphoresWaitNodeSetParams(hNode, as_runtime(nodeParams)); },
      ARGUMENTS(hNode, nodeParams));
}

CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                        const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] { return cudaGraphExecExternalSemaphoresWaitNodeSetParams(hGraphExec, hNode, as_runtime(nodeParams)); },
      ARGUMENTS(hGraphExec, hNode, nodeParams));
}

CUresult cuGraphAddNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                        const CUgraphEdgeData* dependencyData, size_t numDependencies, CUgraphNodeParams* nodeParams) {
  return driver::entry_initialised(
      [&] { return add_node(phGraphNode, hGraph, dependencies, dependencyData, numDependencies, nodeParams); },
      ARGUMENTS(phGraphNode, hGraph, dependencies, dependencyData, numDependencies, nodeParams));
}

CUresult cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return set_node(
            nodeParams, [&](cudaGraphNodeParams* made) { return cudaGraphNodeSetParams(hNode, made); }, hNode);
      },
      ARGUMENTS(hNode, nodeParams));
}

CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return set_node(
            nodeParams, [&](cudaGraphNodeParams* made) { return cudaGraphExecNodeSetParams(hGraphExec, hNode, made); },
            hGraphExec, hNode);
      },
      ARGUMENTS(hGraphExec, hNode, nodeParams));
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* pHandle_out, CUgraph hGraph, CUcontext ctx,
                                        unsigned int defaultLaunchValue, unsigned int flags) {
  return driver::entry_initialised(
      [&] { return create_conditional(pHandle_out, hGraph, ctx, defaultLaunchValue, flags); },
      ARGUMENTS(pHandle_out, hGraph, ctx, defaultLaunchValue, flags));
}

CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled) {
  return driver::entry_initialised([&] { return cudaGraphNodeSetEnabled(hGraphExec, hNode, isEnabled); },
                                   ARGUMENTS(hGraphExec, hNode, isEnabled));
}

CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int* isEnabled) {
  return driver::entry_initialised([&] { return cudaGraphNodeGetEnabled(hGraphExec, hNode, isEnabled); },
                                   ARGUMENTS(hGraphExec, hNode, isEnabled));
}

}  // extern "C"
