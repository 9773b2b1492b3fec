#include "graph/update_pairing.h"

#include "diagnose/refuse.h"
#include "graph/node.h"
#include "graph/plan.h"

namespace reprise::graph {
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
  const Outline::Dependency *begin, *end;
  size_t size() const { return static_cast<size_t>(end - begin); }
};

Edges dependencies_of(const Outline& outline, size_t entry) {
  const Outline::Dependency* all = outline.dependencies.data();
  return {all + outline.entries[entry].first_dependency, all + outline.entries[entry + 1].first_dependency};
}

// From nodes created before, the partners so far; an edge from a later one is left to the walk.
bool same_edges(const Edges& mine, const EdgeList& theirs, const std::vector<Node*>& partners) {
  if (mine.size() != theirs.size()) return false;
  for (size_t i = 0; i < theirs.size(); ++i) {
    const uint32_t before = mine.begin[i].entry;
    if (before >= partners.size() || partners[before] != theirs[i].node) return false;
    if (!(mine.begin[i].data == theirs[i].data)) return false;
  }
  return true;
}

// A few nodes ahead of the walk: what it will look at comes from memory meanwhile. In graphs of thousands of nodes most of
// the time of an update is such waiting.
class Scout {
 public:
  Scout(const Outline& outline, Graph& graph) : outline_(outline), last_(graph.first()) {}

  // Nodes mostly lie one after the other, in one direction or the other, so the next ones are where the last step leads
  // to. A wrong guess costs no more than the fetch.
  void step(const Node* node, uint32_t number) {
    const uintptr_t here = address(node), guess = here + distance * (here - address(last_));
    last_ = node;
    for (uintptr_t line = 0; line < sizeof(Node) / 2; line += 64) {
      __builtin_prefetch(reinterpret_cast<const void*>(guess + line));
    }
    if (number + distance >= outline_.node_count()) return;
    const uint32_t step = outline_.entries[number + distance].step;
    if (step != Outline::none) outline_.plan->prefetch(step);
  }

 private:
  static constexpr uint32_t distance = 8;
  static uintptr_t address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

  const Outline& outline_;
  const Node* last_;
};

// Whether nodes and edges were added in the same order: then each node's partner is the one of the same number, and
// there is nothing to look for but whether they fit.
bool same_order(const Outline& outline, Graph& graph, const CheckPair& check) {
  std::vector<Node*> partners;
  partners.reserve(outline.node_count());
  uint32_t number = 0;
  size_t sinks = 0;
  uint64_t last_sunk = 0;
  Scout scout(outline, graph);
  for (Node* node = graph.first(); node; node = node->next, ++number) {
    scout.step(node, number);
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
  Walk(const Outline& outline, const CheckPair& check)
      : outline_(outline), check_(check), partners_(outline.node_count()) {}

  UpdateResult run(Graph& graph) {
    for (Node* node = graph.first(); node; node = node->next) node->position = Outline::none;
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
  const CheckPair& check_;
  std::vector<Node*> partners_;
  std::vector<uint32_t> paired_;
};

}  // namespace

UpdateResult pair_nodes(const Outline& outline, Graph& graph, const CheckPair& check,
                        const std::function<void()>& forget) {
  if (graph.node_count() != outline.node_count()) return other_topology(nullptr, nullptr, "the number of nodes changed");
  if (same_order(outline, graph, check)) return {};
  forget();
  return Walk(outline, check).run(graph);
}

}  // namespace reprise::graph
