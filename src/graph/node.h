// A node of a graph.
//
// Thread safety: graph() and device() are constant. Everything else belongs to whoever holds the mutex of the graph;
// see access.h for how to get hold of a node by its handle.
#pragma once

#include <vector>

#include "base/handle_table.h"
#include "graph/edge.h"
#include "graph/work.h"

namespace reprise::graph {

class Graph;

class Node : public Handled<Node> {
 public:
  static constexpr HandleType handle_type = HandleType::graph_node;

  Node(Handle graph, Work&& what, int device) : work(std::move(what)), graph_(graph), device_(device) {}

  // A kernel node, of which nothing is copied twice.
  Node(Handle graph, op::Kernel&& kernel, int device)
      : work(std::in_place_type<KernelWork>), graph_(graph), device_(device) {
    std::get<KernelWork>(work).op = std::move(kernel);
  }

  Handle graph() const { return graph_; }
  // Where its kernel, copy or set runs: the device that was current when it was added.
  int device() const { return device_; }
  cudaGraphNodeType type() const { return type_of(work); }
  cudaGraphNode_t as_user() const { return handle().as<cudaGraphNode_t>(); }

  bool attached = true;  // false once it has been taken out of its graph
  Work work;
  std::vector<Edge> dependencies;  // in the order in which they were given
  std::vector<Edge> dependents;
  // In the graph's list of nodes, in the order of their creation.
  Node* previous = nullptr;
  Node* next = nullptr;
  uint64_t rooted = 0;  // counts up with every node that becomes a root: the latest are listed first
  uint64_t sunk = 0;    // the same for nodes that nothing depends on any more: updates pair them in this order
  Handle origin;        // the node that it is a clone of
  uint32_t mark = 0;    // for who walks the graph: compare with a mark of Graph::new_mark()
  uint32_t position = 0;  // for who walks the graph: a number that he gives it

 private:
  const Handle graph_;
  const int device_;
};

inline HandleTable<Node>& nodes() { return HandleTable<Node>::instance(); }

}  // namespace reprise::graph
