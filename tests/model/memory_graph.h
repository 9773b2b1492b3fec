// A random graph with graph memory, and facts known without the runtime: the order of nodes, which allocations may be
// live together, and their contents.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace model {

using Random = std::mt19937_64;
inline size_t pick(Random& random, size_t below) { return std::uniform_int_distribution<size_t>(0, below - 1)(random); }

struct MemoryShape {
  size_t nodes = 40;
  size_t most_bytes = 64 << 10;
  bool chain = false;         // each node follows the one before
  unsigned kept_in_100 = 15;  // of the allocations are not freed by the graph
};

// Checks that the bytes are as written.
struct ByteCheck {
  const unsigned char* address;
  size_t bytes;
  unsigned char value;
  std::atomic<int>* wrong;

  static void run(void* data);
};

class MemoryGraph {
 public:
  struct Allocation {
    unsigned char* address;
    size_t bytes;
    unsigned char value;
    size_t node;
    size_t free = none;         // the node that frees it
    std::vector<size_t> users;  // the last of them
  };
  static constexpr size_t none = ~size_t{0};

  MemoryGraph(Random& random, const MemoryShape& shape, std::atomic<int>& wrong);
  ~MemoryGraph();
  MemoryGraph(const MemoryGraph&) = delete;
  MemoryGraph& operator=(const MemoryGraph&) = delete;

  cudaGraph_t handle() const { return graph_; }
  const std::vector<Allocation>& allocations() const { return allocations_; }
  std::vector<const Allocation*> kept() const;

  // Whether the edges order the free of `a` before the allocation of `b`.
  bool before(const Allocation& a, const Allocation& b) const { return a.free != none && reaches(a.free, b.node); }
  bool may_overlap(const Allocation& a, const Allocation& b) const { return !before(a, b) && !before(b, a); }
  // The largest total of allocations that may all be live together: a lower bound for any packing.
  size_t least_bytes() const;

 private:
  bool reaches(size_t from, size_t to) const { return from == to || past_[to][from]; }
  size_t note(cudaGraphNode_t node, const std::vector<size_t>& after);
  std::vector<cudaGraphNode_t> handles(const std::vector<size_t>& nodes) const;
  std::vector<size_t> some_nodes(std::vector<size_t> among_them);
  void add_allocation();
  void add_check(Allocation& allocation);
  void add_free(Allocation& allocation);

  Random& random_;
  const MemoryShape shape_;
  std::atomic<int>& wrong_;
  cudaGraph_t graph_ = nullptr;
  std::vector<cudaGraphNode_t> nodes_;
  std::vector<std::vector<bool>> past_;  // of each node: which ones come before it
  std::vector<Allocation> allocations_;
  std::vector<std::unique_ptr<ByteCheck>> checks_;
};

}  // namespace model
