#include "capture/host_memory.h"

#include <reprise/error.h>

namespace reprise {
namespace {

bool is_plain_host_memory(const void* data) {
  if (!data) return false;
  cudaPointerAttributes attributes = {};
  if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return attributes.type == cudaMemoryTypeUnregistered;
}

}  // namespace

void check_host_memory(GraphRef graph, const RangeSet& promised) {
  for (cudaGraphNode_t node : graph.nodes()) {
    cudaGraphNodeType type;
    check_cuda(cudaGraphNodeGetType(node, &type), "asking for the type of a captured node");
    if (type != cudaGraphNodeTypeMemcpy) continue;
    cudaMemcpy3DParms parameters = {};
    if (cudaGraphMemcpyNodeGetParams(node, &parameters) != cudaSuccess) {
      cudaGetLastError();
      continue;
    }
    for (const void* data : {static_cast<const void*>(parameters.srcPtr.ptr), static_cast<const void*>(parameters.dstPtr.ptr)}) {
      if (!is_plain_host_memory(data) || promised.overlaps(range_of(data, 1))) continue;
      fail("capture_end: a copy of ", parameters.extent.width * parameters.extent.height * parameters.extent.depth,
           " bytes uses plain host memory at ", data, ", which may be gone when the graph is replayed; use a HostBuffer, which the "
           "graph keeps, or promise_host_memory() if it stays");
    }
  }
}

}  // namespace reprise
