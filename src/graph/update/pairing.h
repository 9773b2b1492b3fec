// Pairs the nodes of a new graph with those of an executable graph. Both are walked from the nodes that nothing depends
// on, the latest first, against the edges, in the order in which those were added.
#pragma once

#include <driver_types.h>

#include <vector>

#include "graph/plan/exec_index.h"

namespace reprise_runtime::graph {

// The result of an update, with the nodes of the new graph that it names.
struct UpdateResult {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  Node* node = nullptr;
  Node* from = nullptr;

  bool ok() const { return result == cudaGraphExecUpdateSuccess; }
};

// One walk. The graph's mutex is held as long as it lasts.
class Pairing {
 public:
  Pairing(const ExecIndex& index, Graph& graph);

  // Goes to the next pair. False at the end of the walk and at the first difference between the topologies.
  bool next();
  uint32_t entry() const { return order_[at_ - 1]; }
  Node& node() const { return *partners_[entry()]; }
  // After the last pair: whether the topologies are the same. The log explains why not.
  UpdateResult result() const;

 private:
  bool pair_sinks();
  bool pair_dependencies(uint32_t entry);
  void pair(uint32_t entry, Node& node);
  bool differ(Node* node, Node* from, const char* reason);

  const ExecIndex& index_;
  Graph& graph_;
  std::vector<Node*> partners_;  // by entry
  std::vector<uint32_t> order_;  // entries, in the order in which the walk reaches them
  std::vector<bool> paired_;     // by Node::index: whether the node has a partner
  size_t at_ = 0;                // pairs that next() has returned
  const char* difference_ = nullptr;
  Node *node_ = nullptr, *from_ = nullptr;  // where the difference is
};

}  // namespace reprise_runtime::graph
