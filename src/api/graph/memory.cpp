// Graph memory: allocation and free nodes, and the figures of a device.
#include <cstring>

#include "api/graph/graph_entry.h"
#include "graph/define/access.h"
#include "graph/define/memory_node.h"
#include "memory/graph/graph_memory.h"

using namespace reprise_runtime;
using graph::AllocWork;
using graph::FreeWork;
using graph::Node;

namespace {

// Calls call(GraphMemory&) after checking the device and the pointer to the value.
template <class Call>
cudaError_t with_attribute(int device, cudaGraphMemAttributeType attribute, const void* value, Call&& call,
                           const char* name = __builtin_FUNCTION()) {
  return api::entry(
      [&] {
        if (cudaError_t refused = api::check_device(device); refused != cudaSuccess) return refused;
        if (!value) return diagnose::refuse(cudaErrorInvalidValue, "the value is null");
        return call(memory::GraphMemory::instance());
      },
      ARGUMENTS(device, attribute, value), name);
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, cudaMemAllocNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](cudaMemAllocNodeParams& given) {
        return graph::add_alloc_node(out, graph, dependencies, nullptr, count, given);
      },
      ARGUMENTS(out, graph, dependencies, count, parameters));
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](cudaMemAllocNodeParams& out) {
        return graph::with_work<AllocWork>(node, [&](Node&, AllocWork& work) {
          out = work.user_params;
          return cudaSuccess;
        });
      },
      ARGUMENTS(node, parameters));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    size_t count, void* address) {
  return api::entry_always(
      [&] { return graph::add_node(out, graph, dependencies, nullptr, count, FreeWork::build(address)); },
      ARGUMENTS(out, graph, dependencies, count, address));
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* address) {
  return api::entry_always(
      [&] {
        if (!address) return diagnose::refuse(cudaErrorInvalidValue, "the output pointer is null");
        return graph::with_work<FreeWork>(node, [&](Node&, FreeWork& work) {
          std::memcpy(address, &work.address, sizeof work.address);  // a void* need not be aligned
          return cudaSuccess;
        });
      },
      ARGUMENTS(node, address));
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api::entry(
      [&] {
        if (cudaError_t refused = api::check_device(device); refused != cudaSuccess) return refused;
        memory::GraphMemory::instance().trim(device);
        return cudaSuccess;
      },
      ARGUMENTS(device));
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return with_attribute(device, attribute, value,
                        [&](memory::GraphMemory& memory) { return memory.get_attribute(device, attribute, value); });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return with_attribute(device, attribute, value,
                        [&](memory::GraphMemory& memory) { return memory.set_attribute(device, attribute, value); });
}
}
