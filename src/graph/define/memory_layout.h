// The addresses of a graph's allocations. Each graph has its own range of addresses. Two allocations may share
// addresses if the edges ensure that one is freed before the other is made.
//
//      alloc a ── use ── free a ── alloc c        a and c may have the same address; b lies beside them
//           └──── alloc b ── use ── free b
//
// Each memory node remembers which memory nodes came before it when it was added. Edges that are added later can only
// order more nodes than that, and a graph with memory nodes cannot lose edges.
//
// Thread safety: guarded by the graph's mutex.
//
// Invariants
//  1. Two allocations overlap only if the one's allocation node comes before its free node, and that before the other.
//  2. An address is never changed.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "graph/define/edge_list.h"
#include "graph/define/memory_node.h"
#include "memory/graph/graph_memory.h"

namespace reprise_runtime::graph {

class MemoryLayout {
 public:
  // Gives the allocation of a node after `edges` its address. The graph's nodes are numbered.
  [[nodiscard]] cudaError_t place(AllocWork& work, const Graph& graph, const EdgeList& edges);
  // Records a node that frees an allocation, which may belong to another graph.
  void note_free(FreeWork& work, const Graph& graph, const EdgeList& edges);

  // Adds the memory that a launch of the graph needs at its addresses.
  void add_parts(memory::GraphMemoryUse& use) const;
  // The sum over all stretches of the bytes from the start to the end of the last allocation.
  size_t footprint() const;

 private:
  // Two bits for each allocation of this graph: allocated before, freed before.
  using Past = std::vector<uint64_t>;
  struct Slot {
    uint32_t stretch;
    size_t offset, bytes;
  };
  struct Stretch {
    Ref<memory::GraphStretch> addresses;
    size_t extent;  // the end of the last allocation in it
  };
  static bool has(const Past& past, size_t bit) { return bit / 64 < past.size() && past[bit / 64] >> bit % 64 & 1; }
  static void add(Past& past, size_t bit);

  Past past_of(const Graph& graph, const EdgeList& edges);
  // The lowest offset in the stretch at which no allocation that may be live at the same time lies.
  size_t find_gap(uint32_t stretch, size_t bytes, const Past& past) const;
  Result<Slot> find_slot(size_t bytes, int device, const Past& past);

  std::vector<Slot> slots_;  // by number of allocation
  std::vector<Stretch> stretches_;
  std::vector<Past> pasts_;  // by number of memory node
  // The walk of past_of() that has visited each node last, by Node::index, and the number of the last walk.
  std::vector<uint64_t> visited_;
  uint64_t last_walk_ = 0;
};

}  // namespace reprise_runtime::graph
