// Memcpy and memset nodes: adding, parameters.
#include "api/graph/graph_entry.h"
#include "graph/define/access.h"

using namespace reprise_runtime;
using graph::MemcpyWork;
using graph::MemsetWork;
using graph::Node;

extern "C" {

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaMemcpy3DParms* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](const cudaMemcpy3DParms& given) {
        return graph::add_node(out, graph, dependencies, nullptr, count, MemcpyWork::build(given));
      },
      ARGUMENTS(out, graph, dependencies, count, parameters));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return api::entry_always(
      [&] {
        return graph::add_node(out, graph, dependencies, nullptr, count, MemcpyWork::build_1d(to, from, bytes, kind));
      },
      ARGUMENTS(out, graph, dependencies, count, to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                           size_t count, const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return api::entry_always(
      [&] {
        return graph::add_node(out, graph, dependencies, nullptr, count,
                               MemcpyWork::build_to_symbol(symbol, from, bytes, offset, kind));
      },
      ARGUMENTS(out, graph, dependencies, count, symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count, void* to,
                                             const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return api::entry_always(
      [&] {
        return graph::add_node(out, graph, dependencies, nullptr, count,
                               MemcpyWork::build_from_symbol(to, symbol, bytes, offset, kind));
      },
      ARGUMENTS(out, graph, dependencies, count, to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](cudaMemcpy3DParms& out) {
        return graph::with_work<MemcpyWork>(node, [&](Node&, MemcpyWork& work) {
          out = work.user_params;
          return cudaSuccess;
        });
      },
      ARGUMENTS(node, parameters));
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  return api::graph_entry_with(
      parameters, [&](const cudaMemcpy3DParms& given) { return graph::set_work(node, MemcpyWork::build(given)); },
      ARGUMENTS(node, parameters));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
  return api::entry_always([&] { return graph::set_work(node, MemcpyWork::build_1d(to, from, bytes, kind)); },
                           ARGUMENTS(node, to, from, bytes, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from,
                                                 size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return api::entry_always(
      [&] { return graph::set_work(node, MemcpyWork::build_to_symbol(symbol, from, bytes, offset, kind)); },
      ARGUMENTS(node, symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol, size_t bytes,
                                                   size_t offset, cudaMemcpyKind kind) {
  return api::entry_always(
      [&] { return graph::set_work(node, MemcpyWork::build_from_symbol(to, symbol, bytes, offset, kind)); },
      ARGUMENTS(node, to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaMemsetParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](const cudaMemsetParams& given) {
        return graph::add_node(out, graph, dependencies, nullptr, count, MemsetWork::build(given));
      },
      ARGUMENTS(out, graph, dependencies, count, parameters));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return api::graph_entry_with(
      parameters,
      [&](cudaMemsetParams& out) {
        return graph::with_work<MemsetWork>(node, [&](Node&, MemsetWork& work) {
          out = work.user_params;
          return cudaSuccess;
        });
      },
      ARGUMENTS(node, parameters));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return api::graph_entry_with(
      parameters, [&](const cudaMemsetParams& given) { return graph::set_work(node, MemsetWork::build(given)); },
      ARGUMENTS(node, parameters));
}
}
