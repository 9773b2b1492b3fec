// Topology against a naive model: after each of many random changes, every list, count and index is checked.
#include "graph/define/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "graph/define/node.h"

namespace {

using namespace reprise_runtime::graph;

std::unique_ptr<Node> make_node() { return std::make_unique<Node>(reprise_runtime::Handle{}, Work{}, 0); }

void erase(std::vector<Node*>& list, Node* node) { list.erase(std::find(list.begin(), list.end(), node)); }
bool contains(const std::vector<Node*>& list, Node* node) {
  return std::find(list.begin(), list.end(), node) != list.end();
}

std::vector<Node*> ends_of(const EdgeList& edges) {
  std::vector<Node*> ends;
  for (const Edge& edge : edges) ends.push_back(edge.node);
  return ends;
}

// The lists as plain vectors, searched where Topology has links.
class Model {
 public:
  explicit Model(unsigned seed) : random_(seed) {}

  void change() {
    const unsigned what = pick(10);
    if (entries_.size() < 2 || what < 4) {
      add_node();
    } else if (what < 6) {
      remove_node(pick(entries_.size()));
    } else if (what < 8) {
      add_edge(pick(entries_.size()), pick(entries_.size()));
    } else if (what < 9) {
      remove_edge(pick(entries_.size()));
    } else {
      topology_.number_nodes();
      EXPECT_TRUE(entries_.empty() || topology_.last()->index + 1 == entries_.size());
    }
  }

  void check() const {
    ASSERT_EQ(entries_.size(), topology_.node_count());
    size_t edges = 0;
    const Node* previous = nullptr;
    const Node* node = topology_.first();
    for (const Entry& entry : entries_) {
      ASSERT_EQ(entry.node.get(), node);
      EXPECT_EQ(previous, node->previous);
      if (previous) EXPECT_LT(previous->index, node->index);
      EXPECT_EQ(entry.dependencies, ends_of(node->dependencies));
      EXPECT_EQ(entry.dependents, ends_of(node->dependents));
      edges += entry.dependencies.size();
      previous = node;
      node = node->next;
    }
    EXPECT_EQ(nullptr, node);
    EXPECT_EQ(previous, topology_.last());
    EXPECT_EQ(edges, topology_.edge_count());
    check_sinks(topology_, sinks_);
  }

  // A copy has the same edges in the same orders, and its sinks and roots too.
  void check_copy() {
    topology_.number_nodes();
    Topology copy;
    std::vector<std::unique_ptr<Node>> nodes;
    for (size_t i = 0; i < entries_.size(); ++i) copy.add(*nodes.emplace_back(make_node()), {});
    copy.copy_edges(topology_);
    const auto copies = [&](const std::vector<Node*>& originals) {
      std::vector<Node*> result;
      for (Node* original : originals) result.push_back(nodes[place_of(original)].get());
      return result;
    };
    for (size_t i = 0; i < entries_.size(); ++i) {
      EXPECT_EQ(copies(entries_[i].dependencies), ends_of(nodes[i]->dependencies));
      EXPECT_EQ(copies(entries_[i].dependents), ends_of(nodes[i]->dependents));
      EXPECT_EQ(entries_[i].node->rooted, nodes[i]->rooted);
    }
    EXPECT_EQ(topology_.edge_count(), copy.edge_count());
    check_sinks(copy, copies(sinks_));
  }

 private:
  struct Entry {
    std::unique_ptr<Node> node;
    std::vector<Node*> dependencies, dependents;
  };

  static void check_sinks(const Topology& topology, const std::vector<Node*>& expected) {
    std::vector<Node*> forward, backward;
    for (Node* sink = topology.first_sink(); sink; sink = sink->next_sink) forward.push_back(sink);
    for (Node* sink = topology.last_sink(); sink; sink = sink->previous_sink) backward.push_back(sink);
    EXPECT_EQ(expected, forward);
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(expected, backward);
  }

  unsigned pick(size_t count) { return static_cast<unsigned>(random_() % count); }
  size_t place_of(const Node* node) const {
    return static_cast<size_t>(
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.node.get() == node; }) -
        entries_.begin());
  }
  Entry& entry_of(Node* node) { return entries_[place_of(node)]; }

  void add_dependent(Node* from, Node* to) {
    Entry& entry = entry_of(from);
    if (entry.dependents.empty()) erase(sinks_, from);
    entry.dependents.push_back(to);
  }
  void remove_dependent(Node* from, Node* to) {
    Entry& entry = entry_of(from);
    erase(entry.dependents, to);
    if (entry.dependents.empty()) sinks_.push_back(from);
  }

  void add_node() {
    Entry entry{make_node(), {}, {}};
    Node* node = entry.node.get();
    EdgeList edges;
    for (Entry& other : entries_) {
      if (pick(4) > 0) continue;
      edges.push_back({other.node.get(), plain_edge});
      entry.dependencies.push_back(other.node.get());
    }
    topology_.add(*node, std::move(edges));
    sinks_.push_back(node);
    const std::vector<Node*> dependencies = entry.dependencies;
    entries_.push_back(std::move(entry));
    for (Node* before : dependencies) add_dependent(before, node);
  }

  void remove_node(size_t place) {
    Node* node = entries_[place].node.get();
    topology_.remove(*node);
    if (entries_[place].dependents.empty()) erase(sinks_, node);
    for (Node* before : std::vector<Node*>(entries_[place].dependencies)) remove_dependent(before, node);
    for (Node* after : entries_[place].dependents) erase(entry_of(after).dependencies, node);
    entries_.erase(entries_.begin() + static_cast<ptrdiff_t>(place));
  }

  void add_edge(size_t from, size_t to) {
    Node *start = entries_[from].node.get(), *end = entries_[to].node.get();
    const bool exists = contains(entries_[to].dependencies, start);
    EXPECT_EQ(exists, Topology::find_edge(*start, *end) != nullptr);
    if (from == to || exists) return;
    topology_.add_edge(*start, *end, plain_edge);
    add_dependent(start, end);
    entries_[to].dependencies.push_back(start);
  }

  void remove_edge(size_t to) {
    if (entries_[to].dependencies.empty()) return;
    Node *start = entries_[to].dependencies[pick(entries_[to].dependencies.size())], *end = entries_[to].node.get();
    topology_.remove_edge(*start, *end);
    remove_dependent(start, end);
    erase(entries_[to].dependencies, start);
  }

  std::mt19937 random_;
  Topology topology_;
  std::vector<Entry> entries_;  // in the order of creation
  std::vector<Node*> sinks_;
};

TEST(Topology, KeepsItsListsThroughRandomChanges) {
  for (unsigned seed = 0; seed < 40 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Model model(seed);
    for (int i = 0; i < 60; ++i) {
      model.change();
      ASSERT_NO_FATAL_FAILURE(model.check());
    }
    model.check_copy();
  }
}

}  // namespace
