#include "graph/define/edge.h"

#include <algorithm>
#include <cstring>

#include "diagnose/refuse.h"
#include "graph/define/work.h"

namespace reprise_runtime::graph {

using diagnose::refuse;

bool operator==(const cudaGraphEdgeData& a, const cudaGraphEdgeData& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

cudaError_t check_edge_data(const cudaGraphEdgeData& data, cudaGraphNodeType from, cudaGraphNodeType to) {
  const bool clean =
      std::all_of(std::begin(data.reserved), std::end(data.reserved), [](auto byte) { return byte == 0; });
  if (!clean) return refuse(cudaErrorInvalidValue, "reserved bytes of edge data must be 0");
  if (data.to_port != 0) return refuse(cudaErrorInvalidValue, "to_port is %d; it must be 0", data.to_port);
  const bool from_kernel = from == cudaGraphNodeTypeKernel, to_kernel = to == cudaGraphNodeTypeKernel;
  switch (data.type) {
    case cudaGraphDependencyTypeDefault:
      if (data.from_port == cudaGraphKernelNodePortDefault) return cudaSuccess;
      if (from_kernel && data.from_port == cudaGraphKernelNodePortLaunchCompletion) return cudaSuccess;
      break;
    case cudaGraphDependencyTypeProgrammatic:
      if (!from_kernel || !to_kernel) {
        return refuse(cudaErrorInvalidValue,
                      "a programmatic edge must connect two kernel nodes; this one is from %s to %s", describe(from),
                      describe(to));
      }
      if (data.from_port == cudaGraphKernelNodePortProgrammatic ||
          data.from_port == cudaGraphKernelNodePortLaunchCompletion) {
        return cudaSuccess;
      }
      break;
    default:
      return refuse(cudaErrorInvalidValue, "type is %d, which is not a type of dependency", data.type);
  }
  return refuse(cudaErrorInvalidValue, "%s has no outgoing port %d for a dependency of type %d", describe(from),
                data.from_port, data.type);
}

}  // namespace reprise_runtime::graph
