// A node of a graph.
//
// Thread safety: graph() and device() are constant. Everything else belongs to whoever holds the mutex of the graph;
// see access.h for how to get hold of a node by its handle.
#pragma once

#include "base/handle_table.h"
#include "graph/define/edge_list.h"
#include "graph/define/work.h"

namespace reprise_runtime::graph {

class Graph;

class Node : public Handled<Node> {
 public:
  static constexpr HandleType handle_type = HandleType::graph_node;

  Node(Handle graph, Work&& what, int device)
      : type_(type_of(what)), device_(static_cast<int16_t>(device)), work(std::move(what)), graph_(graph) {}

  // A kernel node, of which nothing is copied twice.
  Node(Handle graph, op::Kernel&& kernel, int device)
      : type_(cudaGraphNodeTypeKernel),
        device_(static_cast<int16_t>(device)),
        work(std::in_place_type<KernelWork>),
        graph_(graph) {
    std::get<KernelWork>(work).op = std::move(kernel);
  }

  Handle graph() const { return graph_; }
  // Where its kernel, copy or set runs: the device that was current when it was added.
  int device() const { return device_; }
  cudaGraphNodeType type() const { return type_; }
  cudaGraphNode_t as_user() const { return handle().as<cudaGraphNode_t>(); }

  // The work, known to be a T, without a look at what lies behind it.
  template <class T>
  T& work_as() {
    const size_t alternative = work.index();
    __builtin_assume(alternative == alternative_of<T>);
    return *std::get_if<T>(&work);
  }
  // use(T&) for the work, in the same way.
  template <class Use>
  decltype(auto) visit(Use&& use) {
    return visit_from<0>(use);
  }

  // What updates of whole graphs read comes first, up to the beginning of the work: they wait for memory, mostly.
  Node* next = nullptr;       // in the graph's list of nodes, in the order of their creation
  Node* next_sink = nullptr;  // in the list of those that nothing depends on, in the order in which they became such
  EdgeList dependencies;      // in the order in which they were given
  EdgeList dependents;

 private:
  template <size_t i, class Use>
  decltype(auto) visit_from(Use& use) {
    if constexpr (i + 1 < std::variant_size_v<Work>) {
      if (type_ != work_types[i]) return visit_from<i + 1>(use);
    }
    return use(work_as<std::variant_alternative_t<i, Work>>());
  }

  const cudaGraphNodeType type_;
  const int16_t device_;

 public:
  bool attached = true;  // false once it has been taken out of its graph
  Work work;             // of the same type always
  Node *previous = nullptr, *previous_sink = nullptr;
  uint64_t rooted = 0;  // counts up with every node that becomes a root: the latest are listed first
  Handle origin;        // the node that it is a clone of
  uint32_t index = 0;   // rises along the graph's list; after Graph::number_nodes() it is the place in the list

 private:
  const Handle graph_;
};

inline HandleTable<Node>& nodes() { return HandleTable<Node>::instance(); }

}  // namespace reprise_runtime::graph
