// The nodes of a graph and the edges between them: the lists that they are in, and how lists and edges change together.
// Users' handles and their validation are graph.h's.
//
// Thread safety: guarded by the graph's mutex.
//
// Invariants
//  1. Each edge is in two lists: in the dependents of the node where it starts, and in the dependencies of the node
//     where it ends, with the same data. Both nodes are in this topology.
//  2. The list of sinks has the nodes without dependents, in the order in which they became sinks.
//  3. Node::index rises along the list of nodes.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/define/edge_list.h"

namespace reprise_runtime::graph {

class Node;

class Topology {
 public:
  Node* first() const { return first_; }
  Node* last() const { return last_; }
  Node* first_sink() const { return first_sink_; }
  Node* last_sink() const { return last_sink_; }
  size_t node_count() const { return node_count_; }
  size_t edge_count() const { return edge_count_; }

  // Adds a node that depends on those at the other end of `dependencies`.
  void add(Node& node, EdgeList&& dependencies);
  // Removes a node and its edges.
  void remove(Node& node);
  void add_edge(Node& from, Node& to, const cudaGraphEdgeData& data);
  void remove_edge(Node& from, Node& to);
  void remove_all_edges();
  // Null if there is no such edge.
  static const cudaGraphEdgeData* find_edge(Node& from, Node& to);

  // Makes Node::index the place of each node in the list: 0 up to node_count() - 1. Algorithms use it to keep what they
  // know of nodes in tables of their own.
  void number_nodes() {
    if (!is_numbered()) renumber();
  }

  // Gives this topology, which has copies of the nodes of `source` and no edges, the edges and the orders of `source`.
  // The nodes of both are numbered.
  void copy_edges(const Topology& source);

 private:
  bool is_numbered() const;
  void renumber();
  void append(Node& node);
  void add_sink(Node& node);
  void remove_sink(Node& node);
  void add_dependent(Node& from, Node& to, const cudaGraphEdgeData& data);

  // Whole-graph updates are bound by memory latency; they read these first.
  Node* first_ = nullptr;
  size_t node_count_ = 0;
  Node* first_sink_ = nullptr;
  Node* last_ = nullptr;
  Node* last_sink_ = nullptr;
  size_t edge_count_ = 0;
  uint64_t root_count_ = 0;  // how often a node has become a root
};

}  // namespace reprise_runtime::graph
