// Nodes that copy, set, allocate and free memory, and the memory of graphs.
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"
#include "driver/graph/converted_parameters.h"
#include "driver/graph/node_parameters.h"
#include "driver/memory/copy_parameters.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::as_runtime;
using driver::get_converted;
using driver::pointer;
using driver::with_converted;

namespace {

template <class Use>
cudaError_t with_memset(const CUDA_MEMSET_NODE_PARAMS* from, CUcontext context, Use&& use) {
  if (cudaError_t status = driver::check_context(context); status != cudaSuccess) return status;
  return with_converted(from, [](const auto& given) { return driver::runtime_memset(given); }, use);
}

template <class Use>
cudaError_t with_copy(const CUDA_MEMCPY3D* from, CUcontext context, Use&& use) {
  if (cudaError_t status = driver::check_context(context); status != cudaSuccess) return status;
  if (!from) return refuse(cudaErrorInvalidValue, "the parameters are null");
  Result<cudaMemcpy3DParms> copy = driver::runtime_copy(*from);
  return copy.ok() ? use(*copy) : copy.status();
}

}  // namespace

extern "C" {

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
      [&] {
        return get_converted<cudaMemcpy3DParms>(hNode, nodeParams, cudaGraphMemcpyNodeGetParams, driver::driver_copy);
      },
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
      [&] {
        return get_converted<cudaMemsetParams>(hNode, nodeParams, cudaGraphMemsetNodeGetParams, driver::driver_memset);
      },
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

}  // extern "C"
