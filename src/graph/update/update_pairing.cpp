#include "graph/update/update_pairing.h"

#include "diagnose/refuse.h"
#include "graph/define/node.h"
#include "graph/plan/plan.h"
#include "graph/update/look_ahead.h"

namespace reprise_runtime::graph {
namespace {

UpdateResult other_topology(Node* node, Node* from, const char* why) {
  auto name = [](Node* named) { return static_cast<void*>(named ? named->as_user() : nullptr); };
  if (from) {
    (void)diagnose::refuse(cudaErrorGraphExecUpdateFailure, "node %p: %s, from node %p", name(node), why, name(from));
  } else if (node) {
    (void)diagnose::refuse(cudaErrorGraphExecUpdateFailure, "node %p: %s", name(node), why);
  } else {
    (void)diagnose::refuse(cudaErrorGraphExecUpdateFailure, "%s", why);
  }
  return {cudaGraphExecUpdateErrorTopologyChanged, node, from};
}

struct Edges {
  const ExecIndex::Dependency *begin, *end;
  size_t size() const { return static_cast<size_t>(end - begin); }
};

Edges dependencies_of(const ExecIndex& index, size_t entry) {
  const ExecIndex::Dependency* all = index.dependencies.data();
  return {all + index.entries[entry].first_dependency, all + index.entries[entry + 1].first_dependency};
}

// A list at the end of another, for as long as it lives.
template <class T>
class Tail {
 public:
  explicit Tail(std::vector<T>& all) : all_(all), begin_(all.size()) {}
  Tail(const Tail&) = delete;
  ~Tail() { all_.resize(begin_); }

  size_t size() const { return all_.size() - begin_; }
  void resize(size_t count) { all_.resize(begin_ + count); }
  void push_back(T value) { all_.push_back(value); }
  T& operator[](size_t i) { return all_[begin_ + i]; }
  const T& operator[](size_t i) const { return all_[begin_ + i]; }

 private:
  std::vector<T>& all_;
  const size_t begin_;
};

// From nodes created before, the partners so far; an edge from a later one is left to the walk.
bool same_edges(const Edges& mine, const EdgeList& theirs, const Tail<Node*>& partners) {
  if (mine.size() != theirs.size()) return false;
  for (size_t i = 0; i < theirs.size(); ++i) {
    const uint32_t before = mine.begin[i].entry;
    if (before >= partners.size() || partners[before] != theirs[i].node) return false;
    if (!(mine.begin[i].data == theirs[i].data)) return false;
  }
  return true;
}

// Looks ahead at nodes, and at steps, which follow each other like their entries do.
class Scout {
 public:
  explicit Scout(const ExecIndex& index) : index_(index) {}

  void step(const Node* node, uint32_t entry) {
    nodes_.step(node, sizeof(Node) / 2 / 64);
    const uint32_t next = entry + LookAhead::distance * (entry - last_);
    last_ = entry;
    if (next >= index_.node_count()) return;
    const uint32_t step = index_.entries[next].step;
    if (step != ExecIndex::none) index_.plan->prefetch(step);
  }

 private:
  const ExecIndex& index_;
  LookAhead nodes_;
  uint32_t last_ = 0;
};

// Whether nodes and edges were added in the same order: then each node's partner is the one of the same number, and
// there is nothing to look for but whether they fit.
bool same_order(const ExecIndex& index, Graph& graph, const CheckPair& check, PairingRoom& room) {
  Tail<Node*> partners(room.partners);
  uint32_t number = 0;
  size_t sinks = 0;
  auto next_sink = [&] { return sinks < index.sinks.size() ? index.sinks[sinks++] : ExecIndex::none; };
  uint32_t due = next_sink();
  const Node* sink = graph.first_sink();
  Scout scout(index);
  for (Node* node = graph.first(); node; node = node->next, ++number) {
    scout.step(node, number);
    if (!same_edges(dependencies_of(index, number), node->dependencies, partners)) return false;
    partners.push_back(node);
    if (!check(number, *node).ok()) return false;
    if (number != due) continue;
    if (node != sink) return false;
    due = next_sink();
    sink = sink->next_sink;
  }
  return due == ExecIndex::none && !sink;
}

class Walk {
 public:
  Walk(const ExecIndex& index, const CheckPair& check, PairingRoom& room)
      : index_(index), check_(check), partners_(room.partners), paired_(room.paired) {
    partners_.resize(index.node_count());
  }

  UpdateResult run(Graph& graph) {
    size_t before = index_.sinks.size();
    for (Node* sink = graph.last_sink(); sink; sink = sink->previous_sink) {
      if (before == 0) return other_topology(sink, nullptr, "something depended on it, and nothing does now");
      pair(index_.sinks[--before], *sink);
    }
    if (before > 0) return other_topology(nullptr, nullptr, "nothing depended on more nodes than now");
    Scout scout(index_);
    for (size_t i = 0; i < paired_.size(); ++i) {
      scout.step(partners_[paired_[i]], paired_[i]);
      if (UpdateResult result = follow(paired_[i]); !result.ok()) return result;
    }
    return paired_.size() == partners_.size() ? UpdateResult{} : other_topology(nullptr, nullptr, "there is a cycle");
  }

 private:
  void pair(uint32_t entry, Node& node) {
    partners_[entry] = &node;
    node.position = entry;
    paired_.push_back(entry);
  }

  bool is_new(const Node& node) const { return node.position >= partners_.size() || partners_[node.position] != &node; }

  UpdateResult follow(uint32_t entry) {
    Node& node = *partners_[entry];
    if (UpdateResult result = check_(entry, node); !result.ok()) return result;
    const Edges mine = dependencies_of(index_, entry);
    if (mine.size() != node.dependencies.size()) {
      return other_topology(&node, nullptr, "it depends on another number of nodes");
    }
    for (size_t i = 0; i < mine.size(); ++i) {
      Node& before = *node.dependencies[i].node;
      const bool both_new = !partners_[mine.begin[i].entry] && is_new(before);
      if (both_new && mine.begin[i].data == node.dependencies[i].data) {
        pair(mine.begin[i].entry, before);
      } else if (partners_[mine.begin[i].entry] != &before || !(mine.begin[i].data == node.dependencies[i].data)) {
        return other_topology(&node, &before, "one of the edges into it is another one");
      }
    }
    return {};
  }

  const ExecIndex& index_;
  const CheckPair& check_;
  Tail<Node*> partners_;  // each knows its entry: its position, if it is one of them
  Tail<uint32_t> paired_;
};

}  // namespace

UpdateResult pair_nodes(const ExecIndex& index, Graph& graph, PairingWay way, const CheckPair& check,
                        PairingRoom& room) {
  if (graph.node_count() != index.node_count()) return other_topology(nullptr, nullptr, "the number of nodes changed");
  if (way == PairingWay::walk) return Walk(index, check, room).run(graph);
  if (same_order(index, graph, check, room)) return {};
  return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
}

}  // namespace reprise_runtime::graph
