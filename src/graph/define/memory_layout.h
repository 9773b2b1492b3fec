// Where the allocations of a graph lie: at addresses of its own, the same for two allocations where the edges say that
// one is freed before the other is made.
//
//      alloc a ── use ── free a ── alloc c        a and c may have the same address; b lies beside them
//           └──── alloc b ── use ── free b
//
// What comes before a node is known from the memory nodes before it: each remembers the memory nodes that came before
// itself when it was added. Edges added later can only put more in order than is known here; none are ever taken away.
//
// Thread safety: belongs to whoever holds the graph's mutex.
// Invariants:
//  1. Two allocations overlap only if the free node of one is before the other, and its allocation node before that.
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
  // Notes a node that frees an allocation, which may be another graph's.
  void note_free(FreeWork& work, const Graph& graph, const EdgeList& edges);

  // What a launch of the graph as it is now needs behind its addresses.
  void add_parts(memory::GraphMemoryUse& use) const;
  // From the start of the first to the end of the last allocation, over all stretches.
  size_t footprint() const;

 private:
  // Of each allocation of this graph two bits: allocated before, freed before.
  using Past = std::vector<uint64_t>;
  struct Slot {
    uint32_t stretch;
    size_t offset, bytes;
  };
  struct Stretch {
    Ref<memory::GraphStretch> addresses;
    size_t extent;  // of the allocations in it
  };
  static bool has(const Past& past, size_t bit) { return bit / 64 < past.size() && past[bit / 64] >> bit % 64 & 1; }
  static void add(Past& past, size_t bit);

  Past past_of(const Graph& graph, const EdgeList& edges);
  // The lowest place in the stretch that nothing has that may be live with the new one; its bytes if there is none.
  size_t find_gap(uint32_t stretch, size_t bytes, const Past& past) const;
  Result<Slot> find_slot(size_t bytes, int device, const Past& past);

  std::vector<Slot> slots_;  // of allocation i
  std::vector<Stretch> stretches_;
  std::vector<Past> pasts_;  // by number of memory node
  // The walk of past_of() that has visited each node last, by Node::index, and the number of the last walk.
  std::vector<uint64_t> visited_;
  uint64_t last_walk_ = 0;
};

}  // namespace reprise_runtime::graph
