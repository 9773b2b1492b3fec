// Kernel nodes of graphs and of executable graphs.
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"
#include "driver/graph/converted_parameters.h"
#include "driver/graph/node_parameters.h"

using namespace reprise_runtime;
using driver::as_runtime;
using driver::get_converted;
using driver::with_converted;

namespace {

template <class Use>
cudaError_t with_kernel(const CUDA_KERNEL_NODE_PARAMS* from, Use&& use) {
  return with_converted(from, [](const auto& given) { return driver::runtime_kernel(given); }, use);
}

}  // namespace

extern "C" {

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
        return get_converted<cudaKernelNodeParams>(hNode, nodeParams, cudaGraphKernelNodeGetParams,
                                                   driver::driver_kernel);
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

}  // extern "C"
