#include "graph/update/pairing.h"

#include "diagnose/refuse.h"
#include "graph/define/node.h"

namespace reprise_runtime::graph {

Pairing::Pairing(const ExecIndex& index, Graph& graph)
    : index_(index), graph_(graph), partners_(index.node_count()), paired_(graph.node_count()) {
  order_.reserve(index.node_count());
  graph.number_nodes();
}

bool Pairing::next() {
  const bool same = at_ == 0 ? pair_sinks() : pair_dependencies(entry());
  if (!same) return false;
  if (at_ < order_.size()) {
    ++at_;
    return true;
  }
  return at_ == partners_.size() ? false : differ(nullptr, nullptr, "there is a cycle");
}

bool Pairing::pair_sinks() {
  if (graph_.node_count() != partners_.size()) return differ(nullptr, nullptr, "the number of nodes changed");
  size_t left = index_.sinks.size();
  for (Node* sink = graph_.last_sink(); sink; sink = sink->previous_sink) {
    if (left == 0) return differ(sink, nullptr, "something depended on it, and nothing does now");
    pair(index_.sinks[--left], *sink);
  }
  return left == 0 || differ(nullptr, nullptr, "nothing depended on more nodes than now");
}

bool Pairing::pair_dependencies(uint32_t entry) {
  Node& node = *partners_[entry];
  const uint32_t first = index_.entries[entry].first_dependency;
  if (index_.entries[entry + 1].first_dependency - first != node.dependencies.size()) {
    return differ(&node, nullptr, "it depends on another number of nodes");
  }
  for (uint32_t i = 0; i < node.dependencies.size(); ++i) {
    const ExecIndex::Dependency& mine = index_.dependencies[first + i];
    const Edge& theirs = node.dependencies[i];
    Node* const partner = partners_[mine.entry];
    const bool same = mine.data == theirs.data && (partner ? partner == theirs.node : !paired_[theirs.node->index]);
    if (!same) return differ(&node, theirs.node, "one of the edges into it is another one");
    if (!partner) pair(mine.entry, *theirs.node);
  }
  return true;
}

void Pairing::pair(uint32_t entry, Node& node) {
  partners_[entry] = &node;
  paired_[node.index] = true;
  order_.push_back(entry);
}

bool Pairing::differ(Node* node, Node* from, const char* reason) {
  difference_ = reason;
  node_ = node;
  from_ = from;
  return false;
}

UpdateResult Pairing::result() const {
  if (!difference_) return {};
  auto name = [](Node* named) { return static_cast<void*>(named->as_user()); };
  if (from_) {
    (void)diagnose::refuse(cudaErrorGraphExecUpdateFailure, "node %p: %s, from node %p", name(node_), difference_,
                           name(from_));
  } else if (node_) {
    (void)diagnose::refuse(cudaErrorGraphExecUpdateFailure, "node %p: %s", name(node_), difference_);
  } else {
    (void)diagnose::refuse(cudaErrorGraphExecUpdateFailure, "%s", difference_);
  }
  return {cudaGraphExecUpdateErrorTopologyChanged, node_, from_};
}

}  // namespace reprise_runtime::graph
