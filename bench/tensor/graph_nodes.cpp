#include "graph_nodes.h"

#include <reprise/graph_exec.h>
#include <reprise/stream.h>

#include <algorithm>
#include <chrono>

using namespace reprise;

namespace {

constexpr int chain_length = 100;

std::string name_of(const cudaKernelNodeParams& parameters) {
  const char* name = nullptr;
  if (cudaFuncGetName(&name, parameters.func) != cudaSuccess || !name) {
    cudaGetLastError();
    return "a kernel of a library";
  }
  return name;
}

std::string text_of(dim3 size) {
  return std::to_string(size.x) + "x" + std::to_string(size.y) + "x" + std::to_string(size.z);
}

double chain_time(const cudaKernelNodeParams& parameters, const cudaKernelNodeAttrValue& cluster) {
  Graph graph;
  std::vector<cudaGraphNode_t> before;
  for (int i = 0; i < chain_length; ++i) {
    cudaGraphNode_t node = graph.ref().add_kernel(parameters, before);
    if (cluster.clusterDim.x * cluster.clusterDim.y * cluster.clusterDim.z > 1)
      check_cuda(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &cluster),
                 "setting a node's cluster");
    before = {node};
  }
  cudaGraphExec_t exec;
  check_cuda(cudaGraphInstantiate(&exec, graph.get(), 0), "instantiating a chain of one node");
  Stream stream;
  double best = 1e30;
  for (int round = 0; round < 6; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    check_cuda(cudaGraphLaunch(exec, stream.get()), "launching a chain of one node");
    check_cuda(cudaStreamSynchronize(stream.get()), "waiting for a chain of one node");
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count() / chain_length);
  }
  cudaGraphExecDestroy(exec);
  return best;
}

}  // namespace

std::vector<NodeTime> node_times(GraphRef graph) {
  std::vector<NodeTime> times;
  for (cudaGraphNode_t node : graph.nodes()) {
    cudaGraphNodeType type;
    check_cuda(cudaGraphNodeGetType(node, &type), "asking for a node's type");
    cudaKernelNodeParams parameters = {};
    if (type != cudaGraphNodeTypeKernel || cudaGraphKernelNodeGetParams(node, &parameters) != cudaSuccess) {
      cudaGetLastError();
      times.push_back({type == cudaGraphNodeTypeMemset   ? "memset"
                       : type == cudaGraphNodeTypeMemcpy ? "memcpy"
                                                         : "other",
                       "", 0});
      continue;
    }
    cudaKernelNodeAttrValue cluster = {};
    if (cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &cluster) != cudaSuccess)
      cudaGetLastError();
    std::string shape = text_of(parameters.gridDim) + " blocks of " + text_of(parameters.blockDim);
    if (cluster.clusterDim.x * cluster.clusterDim.y * cluster.clusterDim.z > 1)
      shape += ", clusters of " + std::to_string(cluster.clusterDim.x * cluster.clusterDim.y * cluster.clusterDim.z);
    times.push_back({name_of(parameters), shape, chain_time(parameters, cluster)});
  }
  return times;
}
