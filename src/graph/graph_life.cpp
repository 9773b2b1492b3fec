// Graphs are made and destroyed.
#include <unistd.h>

#include "diagnose/refuse.h"
#include "diagnose/stack.h"
#include "graph/access.h"
#include "graph/graph.h"

namespace reprise::graph {

using diagnose::refuse;

cudaError_t create_graph(cudaGraph_t* out, unsigned flags) {
  if (!out) return refuse(cudaErrorInvalidValue, "no place for the graph");
  if (flags) return refuse(cudaErrorInvalidValue, "flags are 0x%x and must be 0", flags);
  Ref<Graph> graph = graphs().create();
  if (!graph) return cudaErrorMemoryAllocation;
  *out = graph->as_user();
  return cudaSuccess;
}

cudaError_t Graph::refuse_while_capturing() const {
  return diagnose::refuse_in_detail(
      cudaErrorIllegalState, "graph " + std::to_string(id()) + " is being captured into",
      "\n  why: the capture adds nodes to it that follow those it has"
      "\n  instead: end the capture with cudaStreamEndCapture first"
      "\n  called in thread " + std::to_string(gettid()) + " by " + diagnose::describe_stack());
}

cudaError_t destroy_graph(cudaGraph_t handle) {
  return with_graph(handle, [&](Graph& graph) {
    if (graph.embedded()) {
      return refuse(cudaErrorInvalidValue, "graph %llu is inside another, whose node owns it",
                    static_cast<unsigned long long>(graph.id()));
    }
    if (graph.capturing()) return graph.refuse_while_capturing();
    if (!graphs().erase(Handle::from(handle))) return no_such_graph(handle);
    graph.clear();
    return cudaSuccess;
  });
}

}  // namespace reprise::graph
