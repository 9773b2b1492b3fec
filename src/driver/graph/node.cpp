// Nodes of graphs, and of executable graphs.
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"
#include "driver/graph/batch_mem_op_node.h"
#include "driver/graph/node_parameters.h"
#include "driver/memory/copy_parameters.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::as_runtime;
using driver::pointer;

namespace {

// Calls `use(converted)` for the parameters that a pointer from the user gives, as `convert` makes them.
template <class From, class Convert, class Use>
cudaError_t with(const From* from, Convert&& convert, Use&& use) {
  if (!from) return refuse(cudaErrorInvalidValue, "the parameters are null");
  return use(convert(*from));
}

template <class Use>
cudaError_t with_kernel(const CUDA_KERNEL_NODE_PARAMS* from, Use&& use) {
  return with(from, [](const auto& given) { return driver::runtime_kernel(given); }, use);
}

template <class Use>
cudaError_t with_memset(const CUDA_MEMSET_NODE_PARAMS* from, CUcontext context, Use&& use) {
  if (cudaError_t status = driver::check_context(context); status != cudaSuccess) return status;
  return with(from, [](const auto& given) { return driver::runtime_memset(given); }, use);
}

template <class Use>
cudaError_t with_copy(const CUDA_MEMCPY3D* from, CUcontext context, Use&& use) {
  if (cudaError_t status = driver::check_context(context); status != cudaSuccess) return status;
  if (!from) return refuse(cudaErrorInvalidValue, "the parameters are null");
  Result<cudaMemcpy3DParms> copy = driver::runtime_copy(*from);
  return copy.ok() ? use(*copy) : copy.status();
}

// What a node tells of itself: `get(node, runtime parameters)`, converted.
template <class Runtime, class To, class Get, class Convert>
cudaError_t tell(CUgraphNode node, To* to, Get&& get, Convert&& convert) {
  if (!to) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  Runtime found{};
  const cudaError_t status = get(node, &found);
  if (status == cudaSuccess) *to = convert(found);
  return status;
}

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

CUresult cuGraphAddKernelNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                              size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return with_kernel(nodeParams, [&](const auto& made) {
          return cudaGraphAddKernelNode(phGraphNode, hGraph, dependencies, numDependencies, &made);
        });
      },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies, nodeParams));
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return tell<cudaKernelNodeParams>(hNode, nodeParams, cudaGraphKernelNodeGetParams, driver::driver_kernel);
      },
      ARGUMENTS(hNode, nodeParams));
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return with_kernel(nodeParams, [&](const auto& made) { return cudaGraphKernelNodeSetParams(hNode, &made); });
      },
      ARGUMENTS(hNode, nodeParams));
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return with_kernel(
            nodeParams, [&](const auto& made) { return cudaGraphExecKernelNodeSetParams(hGraphExec, hNode, &made); });
      },
      ARGUMENTS(hGraphExec, hNode, nodeParams));
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src) {
  return driver::entry_initialised([&] { return cudaGraphKernelNodeCopyAttributes(dst, src); }, ARGUMENTS(dst, src));
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, CUkernelNodeAttrValue* value_out) {
  return driver::entry_initialised(
      [&] { return cudaGraphKernelNodeGetAttribute(hNode, as_runtime(attr), as_runtime(value_out)); },
      ARGUMENTS(hNode, attr, value_out));
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, const CUkernelNodeAttrValue* value) {
  return driver::entry_initialised(
      [&] { return cudaGraphKernelNodeSetAttribute(hNode, as_runtime(attr), as_runtime(value)); },
      ARGUMENTS(hNode, attr, value));
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                              size_t numDependencies, const CUDA_MEMCPY3D* copyParams, CUcontext ctx) {
  return driver::entry_initialised(
      [&] {
        return with_copy(copyParams, ctx, [&](const auto& made) {
          return cudaGraphAddMemcpyNode(phGraphNode, hGraph, dependencies, numDependencies, &made);
        });
      },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies, copyParams, ctx));
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D* nodeParams) {
  return driver::entry_initialised(
      [&] { return tell<cudaMemcpy3DParms>(hNode, nodeParams, cudaGraphMemcpyNodeGetParams, driver::driver_copy); },
      ARGUMENTS(hNode, nodeParams));
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return with_copy(nodeParams, nullptr,
                         [&](const auto& made) { return cudaGraphMemcpyNodeSetParams(hNode, &made); });
      },
      ARGUMENTS(hNode, nodeParams));
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMCPY3D* copyParams,
                                        CUcontext ctx) {
  return driver::entry_initialised(
      [&] {
        return with_copy(copyParams, ctx,
                         [&](const auto& made) { return cudaGraphExecMemcpyNodeSetParams(hGraphExec, hNode, &made); });
      },
      ARGUMENTS(hGraphExec, hNode, copyParams, ctx));
}

CUresult cuGraphAddMemsetNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                              size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext ctx) {
  return driver::entry_initialised(
      [&] {
        return with_memset(memsetParams, ctx, [&](const auto& made) {
          return cudaGraphAddMemsetNode(phGraphNode, hGraph, dependencies, numDependencies, &made);
        });
      },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies, memsetParams, ctx));
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] { return tell<cudaMemsetParams>(hNode, nodeParams, cudaGraphMemsetNodeGetParams, driver::driver_memset); },
      ARGUMENTS(hNode, nodeParams));
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return with_memset(nodeParams, nullptr,
                           [&](const auto& made) { return cudaGraphMemsetNodeSetParams(hNode, &made); });
      },
      ARGUMENTS(hNode, nodeParams));
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext ctx) {
  return driver::entry_initialised(
      [&] {
        return with_memset(memsetParams, ctx, [&](const auto& made) {
          return cudaGraphExecMemsetNodeSetParams(hGraphExec, hNode, &made);
        });
      },
      ARGUMENTS(hGraphExec, hNode, memsetParams, ctx));
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

CUresult cuGraphAddMemAllocNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return cudaGraphAddMemAllocNode(phGraphNode, hGraph, dependencies, numDependencies, as_runtime(nodeParams));
      },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies, nodeParams));
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS* params_out) {
  return driver::entry_initialised([&] { return cudaGraphMemAllocNodeGetParams(hNode, as_runtime(params_out)); },
                                   ARGUMENTS(hNode, params_out));
}

CUresult cuGraphAddMemFreeNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                               size_t numDependencies, CUdeviceptr dptr) {
  return driver::entry_initialised(
      [&] { return cudaGraphAddMemFreeNode(phGraphNode, hGraph, dependencies, numDependencies, pointer(dptr)); },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies, dptr));
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr* dptr_out) {
  return driver::entry_initialised([&] { return cudaGraphMemFreeNodeGetParams(hNode, dptr_out); },
                                   ARGUMENTS(hNode, dptr_out));
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return driver::entry_initialised([&] { return cudaDeviceGraphMemTrim(device); }, ARGUMENTS(device));
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void* value) {
  return driver::entry_initialised([&] { return cudaDeviceGetGraphMemAttribute(device, as_runtime(attr), value); },
                                   ARGUMENTS(device, attr, value));
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void* value) {
  return driver::entry_initialised([&] { return cudaDeviceSetGraphMemAttribute(device, as_runtime(attr), value); },
                                   ARGUMENTS(device, attr, value));
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
}
