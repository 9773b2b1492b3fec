// A node of a graph.
//
// Thread safety: graph(), device() and type() are constant. Everything else is guarded by the mutex of the graph;
// access.h finds a node by its handle and holds the mutex.
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

  // Makes a kernel node without copying the kernel twice.
  Node(Handle graph, op::Kernel&& kernel, int device)
      : type_(cudaGraphNodeTypeKernel),
        device_(static_cast<int16_t>(device)),
        work(std::in_place_type<KernelWork>),
        graph_(graph) {
    std::get<KernelWork>(work).op = std::move(kernel);
  }

  Handle graph() const { return graph_; }
  // The device that was current when it was added, on which its kernel, copy or set runs.
  int device() const { return device_; }
  cudaGraphNodeType type() const { return type_; }
  cudaGraphNode_t as_user() const { return handle().as<cudaGraphNode_t>(); }

  // The work, which must be a T. Reads type_ only, not the variant's index behind the work.
  template <class T>
  T& work_as() {
    const size_t alternative = work.index();
    __builtin_assume(alternative == alternative_of<T>);
    return *std::get_if<T>(&work);
  }
  // Returns use(T&) for the work, in the same way.
  template <class Use>
  decltype(auto) visit(Use&& use) {
    return visit_from<0>(use);
  }

  // Whole-graph updates are bound by memory latency; they read these first, up to the start of the work.
  Node* next = nullptr;       // in the graph's list of nodes, in the order of their creation
  Node* next_sink = nullptr;  // in the list of nodes without dependents, in the order in which they became such
  EdgeList dependencies;      // in the order in which they were added
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
  bool attached = true;  // false after it was removed from its graph
  Work work;             // its type never changes
  Node *previous = nullptr, *previous_sink = nullptr;
  uint64_t rooted = 0;  // rises with every node that becomes a root; queries list the latest root first
  Handle origin;        // the node that it is a clone of
  uint32_t index = 0;   // rises along the graph's list; after Graph::number_nodes() it is the place in the list

 private:
  const Handle graph_;
};

inline HandleTable<Node>& nodes() { return HandleTable<Node>::instance(); }

}  // namespace reprise_runtime::graph
