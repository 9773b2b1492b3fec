// Creation, destruction and embedding of graphs, and what captures forbid meanwhile.
#include <unistd.h>

#include "diagnose/refuse.h"
#include "diagnose/stack.h"
#include "graph/define/access.h"
#include "graph/define/graph.h"

namespace reprise_runtime::graph {

using diagnose::refuse;

cudaError_t create_graph(cudaGraph_t* out, unsigned flags) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  if (flags) return refuse(cudaErrorInvalidValue, "flags are 0x%x and must be 0", flags);
  Ref<Graph> graph = graphs().create();
  if (!graph) return cudaErrorMemoryAllocation;
  *out = graph->as_user();
  return cudaSuccess;
}

cudaError_t Graph::refuse_while_capturing() const {
  return diagnose::refuse_in_detail(
      cudaErrorIllegalState,
      "graph " + std::to_string(id()) + (capture_.active ? "" : ", or a graph inside it,") + " is being captured into",
      "\n  why: the capture adds nodes that depend on those in the graph"
      "\n  instead: end the capture with cudaStreamEndCapture first"
      "\n  called in thread " +
          std::to_string(gettid()) + " by " + diagnose::describe_stack());
}

void Graph::set_capturing(bool capturing) {
  if (capture_.active == capturing) return;
  capture_.active = capturing;
  count_captures_around(capturing ? 1 : -1);
}

void Graph::count_captures_around(int captures) {
  for (Handle around = this->around(); around.bits && captures;) {
    Ref<Graph> outer = graphs().find(around);
    if (!outer) return;
    outer->capture_.inside.fetch_add(captures, std::memory_order_relaxed);
    around = outer->around();
  }
}

void Graph::embed(Handle around) {
  const int captures = capture_.active + capture_.inside.load(std::memory_order_relaxed);
  count_captures_around(-captures);
  embedding_.around.store(around.bits, std::memory_order_relaxed);
  count_captures_around(captures);
}

cudaError_t refuse_capture_inside(const Node& node) {
  cudaError_t refused = cudaSuccess;
  for_each_inside(node.work, [&](Graph& inside) {
    MutexLock lock(inside.mutex());
    if (inside.capturing() || inside.captures_inside()) refused = inside.refuse_while_capturing();
  });
  return refused;
}

cudaError_t destroy_graph(cudaGraph_t handle) {
  return with_graph(handle, [&](Graph& graph) {
    if (graph.embedded()) {
      return refuse(cudaErrorInvalidValue, "graph %llu belongs to a node of another graph; destroy that graph",
                    static_cast<unsigned long long>(graph.id()));
    }
    if (graph.capturing() || graph.captures_inside()) return graph.refuse_while_capturing();
    if (!graphs().erase(Handle::from(handle))) return no_such_graph(handle);
    graph.clear();
    return cudaSuccess;
  });
}

}  // namespace reprise_runtime::graph
