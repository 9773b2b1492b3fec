#include "graph/update_pairing.h"

#include "diagnose/refuse.h"
#include "graph/node.h"

namespace reprise::graph {
namespace {

UpdateResult other_topology(Node* node, Node* from, const char* why) {
  (void)diagnose::refuse(cudaErrorGraphExecUpdateFailure, "node %p: %s",
                         static_cast<void*>(node ? node->as_user() : nullptr), why);
  return {cudaGraphExecUpdateErrorTopologyChanged, node, from};
}

struct Edges {
  const Outline::Dependency *begin, *end;
  size_t size() const { return static_cast<size_t>(end - begin); }
};

Edges dependencies_of(const Outline& outline, size_t entry) {
  const Outline::Dependency* all = outline.dependencies.data();
  return {all + outline.entries[entry].first_dependency, all + outline.entries[entry + 1].first_dependency};
}

// From nodes created before, the partners so far; an edge from a later one is left to the walk.
bool same_edges(const Edges& mine, const std::vector<Edge>& theirs, const std::vector<Node*>& partners) {
  if (mine.size() != theirs.size()) return false;
  for (size_t i = 0; i < theirs.size(); ++i) {
    const uint32_t before = mine.begin[i].entry;
    if (before >= partners.size() || partners[before] != theirs[i].node) return false;
    if (!(mine.begin[i].data == theirs[i].data)) return false;
  }
  return true;
}

// A few nodes before the walk: what it will look at comes from memory meanwhile. In graphs of thousands of nodes most of
// the time of an update is such waiting.
class Scout {
 public:
  explicit Scout(Node* first) : node_(first) {
    for (int i = 0; i < distance; ++i) step();
  }
  void step() {
    if (!node_) return;
    __builtin_prefetch(node_->dependencies.data());
    __builtin_prefetch(&node_->work);
    node_ = node_->next;
  }

 private:
  static constexpr int distance = 6;
  Node* node_;
};

// Whether nodes and edges were added in the same order: then each node's partner is the one of the same number, and
// there is nothing to look for but whether they fit.
bool same_order(const Outline& outline, Graph& graph, std::vector<Node*>& partners, const CheckPair& check) {
  uint32_t number = 0;
  size_t sinks = 0;
  uint64_t last_sunk = 0;
  Scout scout(graph.first());
  for (Node* node = graph.first(); node; node = node->next, ++number) {
    scout.step();
    if (!same_edges(dependencies_of(outline, number), node->dependencies, partners)) return false;
    partners.push_back(node);
    if (!check(number, *node).ok()) return false;
    if (!node->dependents.empty()) continue;
    if (sinks == outline.sinks.size() || outline.sinks[sinks++] != number || node->sunk < last_sunk) return false;
    last_sunk = node->sunk;
  }
  return sinks == outline.sinks.size();
}

class Walk {
 public:
  Walk(const Outline& outline, std::vector<Node*>& partners, const CheckPair& check)
      : outline_(outline), partners_(partners), check_(check) {}

  UpdateResult run(Graph& graph) {
    for (Node* node = graph.first(); node; node = node->next) node->position = Outline::none;
    partners_.assign(outline_.node_count(), nullptr);
    const std::vector<Node*> sinks = sinks_of(graph);
    const size_t before = outline_.sinks.size();
    if (sinks.size() < before) return other_topology(nullptr, nullptr, "nothing depended on more nodes than now");
    // The latest first.
    if (sinks.size() > before) {
      return other_topology(sinks[sinks.size() - 1 - before], nullptr, "something depended on it, and nothing does now");
    }
    for (size_t i = before; i-- > 0;) pair(outline_.sinks[i], *sinks[i]);
    for (size_t i = 0; i < paired_.size(); ++i) {
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

  UpdateResult follow(uint32_t entry) {
    Node& node = *partners_[entry];
    if (UpdateResult result = check_(entry, node); !result.ok()) return result;
    const Edges mine = dependencies_of(outline_, entry);
    if (mine.size() != node.dependencies.size()) {
      return other_topology(&node, nullptr, "it depends on another number of nodes");
    }
    for (size_t i = 0; i < mine.size(); ++i) {
      Node& before = *node.dependencies[i].node;
      const bool both_new = !partners_[mine.begin[i].entry] && before.position == Outline::none;
      if (both_new && mine.begin[i].data == node.dependencies[i].data) {
        pair(mine.begin[i].entry, before);
      } else if (partners_[mine.begin[i].entry] != &before || !(mine.begin[i].data == node.dependencies[i].data)) {
        return other_topology(&node, &before, "one of the edges into it is another one");
      }
    }
    return {};
  }

  const Outline& outline_;
  std::vector<Node*>& partners_;
  const CheckPair& check_;
  std::vector<uint32_t> paired_;
};

}  // namespace

UpdateResult pair_nodes(const Outline& outline, Graph& graph, std::vector<Node*>& partners, const CheckPair& check,
                        const std::function<void()>& forget) {
  if (graph.node_count() != outline.node_count()) return other_topology(nullptr, nullptr, "the number of nodes changed");
  partners.reserve(outline.node_count());
  if (same_order(outline, graph, partners, check)) return {};
  forget();
  return Walk(outline, partners, check).run(graph);
}

}  // namespace reprise::graph
