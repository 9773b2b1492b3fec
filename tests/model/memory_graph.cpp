#include "memory_graph.h"

#include <algorithm>
#include <functional>

namespace model {

void ByteCheck::run(void* data) {
  const auto& check = *static_cast<const ByteCheck*>(data);
  for (size_t i = 0; i < check.bytes; ++i) {
    if (check.address[i] == check.value) continue;
    ++*check.wrong;
    return;
  }
}

MemoryGraph::MemoryGraph(Random& random, const MemoryShape& shape, std::atomic<int>& wrong)
    : random_(random), shape_(shape), wrong_(wrong) {
  EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph_, 0));
  std::vector<size_t> open;
  while (nodes_.size() < shape_.nodes) {
    const size_t what = pick(random_, 10);
    if (open.empty() || what < 4) {
      add_allocation();
      open.push_back(allocations_.size() - 1);
      continue;
    }
    const size_t at = pick(random_, open.size());
    Allocation& allocation = allocations_[open[at]];
    if (what < 7) {
      add_check(allocation);
      continue;
    }
    if (pick(random_, 100) >= shape_.kept_in_100) add_free(allocation);
    open.erase(open.begin() + static_cast<long>(at));
  }
}

MemoryGraph::~MemoryGraph() { EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph_)); }

size_t MemoryGraph::note(cudaGraphNode_t node, const std::vector<size_t>& after) {
  std::vector<bool> past(shape_.nodes + 4);  // the last allocation may add a node too many
  for (size_t before : after) {
    past[before] = true;
    for (size_t i = 0; i < past_[before].size(); ++i) past[i] = past[i] || past_[before][i];
  }
  nodes_.push_back(node);
  past_.push_back(std::move(past));
  return nodes_.size() - 1;
}

std::vector<cudaGraphNode_t> MemoryGraph::handles(const std::vector<size_t>& nodes) const {
  std::vector<cudaGraphNode_t> all;
  for (size_t node : nodes) all.push_back(nodes_[node]);
  return all;
}

std::vector<size_t> MemoryGraph::some_nodes(std::vector<size_t> among_them) {
  if (!nodes_.empty()) {
    if (shape_.chain) {
      among_them.push_back(nodes_.size() - 1);
    } else {
      for (size_t i = pick(random_, 3); i > 0; --i) among_them.push_back(pick(random_, nodes_.size()));
    }
  }
  std::sort(among_them.begin(), among_them.end());
  among_them.erase(std::unique(among_them.begin(), among_them.end()), among_them.end());
  return among_them;
}

// Followed by a node that writes all of it.
void MemoryGraph::add_allocation() {
  const std::vector<size_t> after = some_nodes({});
  const std::vector<cudaGraphNode_t> edges = handles(after);
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  const double part = std::uniform_real_distribution<double>(0, 1)(random_);
  params.bytesize = 1 + static_cast<size_t>(part * part * static_cast<double>(shape_.most_bytes));
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaSuccess, cudaGraphAddMemAllocNode(&node, graph_, edges.data(), edges.size(), &params));
  Allocation made{static_cast<unsigned char*>(params.dptr),
                  params.bytesize,
                  static_cast<unsigned char>(random_()),
                  note(node, after),
                  none,
                  {}};
  cudaMemsetParams set{};
  set.dst = made.address;
  set.value = made.value;
  set.elementSize = 1;
  set.width = made.bytes;
  set.height = 1;
  const cudaGraphNode_t alloc = node;
  EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&node, graph_, &alloc, 1, &set));
  made.users.push_back(note(node, {made.node}));
  allocations_.push_back(std::move(made));
}

void MemoryGraph::add_check(Allocation& allocation) {
  checks_.push_back(
      std::make_unique<ByteCheck>(ByteCheck{allocation.address, allocation.bytes, allocation.value, &wrong_}));
  const std::vector<size_t> after = some_nodes({allocation.users.front()});
  const std::vector<cudaGraphNode_t> edges = handles(after);
  const cudaHostNodeParams params{&ByteCheck::run, checks_.back().get()};
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaSuccess, cudaGraphAddHostNode(&node, graph_, edges.data(), edges.size(), &params));
  allocation.users.push_back(note(node, after));
}

void MemoryGraph::add_free(Allocation& allocation) {
  const std::vector<size_t> after = some_nodes(allocation.users);
  const std::vector<cudaGraphNode_t> edges = handles(after);
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaSuccess, cudaGraphAddMemFreeNode(&node, graph_, edges.data(), edges.size(), allocation.address));
  allocation.free = note(node, after);
}

std::vector<const MemoryGraph::Allocation*> MemoryGraph::kept() const {
  std::vector<const Allocation*> all;
  for (const Allocation& each : allocations_) {
    if (each.free == none) all.push_back(&each);
  }
  return all;
}

// The heaviest set of pairwise overlapping allocations, by exhaustive search.
size_t MemoryGraph::least_bytes() const {
  auto size = [](const Allocation& each) { return (each.bytes + 511) / 512 * 512; };
  std::vector<const Allocation*> chosen;
  size_t best = 0;
  std::function<void(size_t, size_t, size_t)> go = [&](size_t next, size_t weight, size_t left) {
    best = std::max(best, weight);
    if (next == allocations_.size() || weight + left <= best) return;
    const Allocation& each = allocations_[next];
    const bool fits =
        std::all_of(chosen.begin(), chosen.end(), [&](const Allocation* other) { return may_overlap(*other, each); });
    if (fits) {
      chosen.push_back(&each);
      go(next + 1, weight + size(each), left - size(each));
      chosen.pop_back();
    }
    go(next + 1, weight, left - size(each));
  };
  size_t all = 0;
  for (const Allocation& each : allocations_) all += size(each);
  go(0, 0, all);
  return best;
}

}  // namespace model
