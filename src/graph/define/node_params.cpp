#include "graph/define/node_params.h"

#include <algorithm>

namespace reprise_runtime::graph {

using diagnose::refuse;

namespace {

// Bytes of the union that the node's type uses.
size_t used_bytes(const cudaGraphNodeParams& parameters) {
  switch (parameters.type) {
    case cudaGraphNodeTypeKernel:
      return sizeof parameters.kernel;
    case cudaGraphNodeTypeMemcpy:
      return sizeof parameters.memcpy;
    case cudaGraphNodeTypeMemset:
      return sizeof parameters.memset;
    case cudaGraphNodeTypeHost:
      return sizeof parameters.host;
    case cudaGraphNodeTypeGraph:
      return sizeof parameters.graph;
    case cudaGraphNodeTypeWaitEvent:
      return sizeof parameters.eventWait;
    case cudaGraphNodeTypeEventRecord:
      return sizeof parameters.eventRecord;
    case cudaGraphNodeTypeExtSemaphoreSignal:
      return sizeof parameters.extSemSignal;
    case cudaGraphNodeTypeExtSemaphoreWait:
      return sizeof parameters.extSemWait;
    case cudaGraphNodeTypeMemAlloc:
      return sizeof parameters.alloc;
    case cudaGraphNodeTypeMemFree:
      return sizeof parameters.free;
    case cudaGraphNodeTypeConditional:
      return sizeof parameters.conditional;
    default:
      return 0;
  }
}

}  // namespace

cudaError_t check_unused_bytes(const cudaGraphNodeParams& parameters) {
  auto zero = [](const void* from, size_t bytes) {
    auto* byte = static_cast<const unsigned char*>(from);
    return std::all_of(byte, byte + bytes, [](unsigned char value) { return value == 0; });
  };
  const size_t used = used_bytes(parameters);
  if (zero(parameters.reserved0, sizeof parameters.reserved0) && parameters.reserved2 == 0 &&
      zero(reinterpret_cast<const char*>(parameters.reserved1) + used, sizeof parameters.reserved1 - used)) {
    return cudaSuccess;
  }
  return refuse(cudaErrorInvalidValue, "the bytes of the parameters that %s does not use must be 0",
                describe(parameters.type));
}

Result<MemcpyWork> memcpy_work(const cudaMemcpyNodeParams& parameters) {
  const bool clean =
      parameters.flags == 0 &&
      std::all_of(std::begin(parameters.reserved), std::end(parameters.reserved), [](int word) { return word == 0; });
  if (!clean) return refuse(cudaErrorInvalidValue, "flags and reserved must be 0");
  return MemcpyWork::build(parameters.copyParams);
}

bool has_node_type(const cudaGraphNodeParams& parameters) {
  return parameters.type == cudaGraphNodeTypeEmpty || used_bytes(parameters) > 0;
}

cudaError_t no_such_type(cudaGraphNodeType type) {
  return refuse(cudaErrorInvalidValue, "type is %d, which is not a type of node", static_cast<int>(type));
}

}  // namespace reprise_runtime::graph
