// A graph as lists that a naive interpreter can run, and the effects of its nodes in CUDA's graph.
//
// Every computing node has cells of its own and writes to them a mixture of its number, of how often it has run, and
// of the cells of all nodes that it follows. Any node that runs too early, too late, twice or not at all changes some
// cell. Nodes that only copy or set follow the same rule as far as they can. Computing nodes also take numbers from
// one counter when they start and end; a kernel that starts early, by a programmatic edge, takes one more when its
// dependencies are satisfied.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "hand_made_kernels.h"

namespace model {

inline uint64_t mix(uint64_t a, uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
  return a * 0xff51afd7ed558ccdu;
}

inline std::atomic<uint64_t> stamps{0};

enum class Type { kernel, host, copy, set, empty, child, event_record, event_wait, signal, wait };

struct Graph;

struct Node {
  Type type = Type::empty;
  uint64_t number = 0;
  size_t index = 0;               // in its graph
  std::vector<Node*> after;       // the nodes that edges come from
  Node* also_after = nullptr;     // what an event or a semaphore makes it wait for besides
  std::vector<uint64_t*> inputs;  // what it reads: the cells of the nodes it follows
  uint64_t* cells = nullptr;      // its own
  uint32_t blocks = 1;            // of a kernel, each with a cell; else the number of cells
  uint32_t delay = 0;             // pauses before a block is done
  bool yields = false;
  Graph* child = nullptr;
  cudaGraphNode_t handle = nullptr;
  // Kernels: which of `after` they need not wait for before they start, and from which of their events on they may
  // start; whether they wait for them later, before reading; and whether their blocks trigger.
  std::vector<bool> early;
  bool when_begun = false;
  bool overlaps = false;  // has the code for all of this
  bool synchronizes = true;
  bool triggers = false;

  uint64_t runs = 0;     // as the interpreter counts them
  uint64_t replays = 0;  // as the node itself does
  std::atomic<uint32_t> entered_blocks{0}, triggered_blocks{0}, begun_blocks{0}, ended_blocks{0};
  uint64_t entered = 0;           // its first block is there
  uint64_t all_triggered = 0;     // if it triggers
  uint64_t began = 0, ended = 0;  // its first block computes, its last one is done

  bool computes() const { return type == Type::kernel || type == Type::host; }

  uint64_t value(uint64_t run, uint64_t block) const {
    uint64_t result = mix(number, mix(run, block));
    for (const uint64_t* input : inputs) result = mix(result, *input);
    return result;
  }
};

struct Graph {
  std::deque<Node> nodes;
  cudaGraph_t handle = nullptr;
};

// Only the blocks of this node synchronize: the order between nodes is up to the runtime.
inline void compute(Node& node, uint64_t first, uint64_t end) {
  const uint32_t part = static_cast<uint32_t>(end - first);
  if (node.begun_blocks.fetch_add(part, std::memory_order_relaxed) == 0) {
    node.began = stamps.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  const uint64_t run = node.replays;
  for (uint64_t block = first; block < end; ++block) {
    for (uint32_t i = 0; i < node.delay; ++i) __builtin_ia32_pause();
    if (node.yields) sched_yield();
    node.cells[block] = node.value(run, block);
  }
  if (node.ended_blocks.fetch_add(part, std::memory_order_acq_rel) + part != node.blocks) return;
  node.begun_blocks.store(0, std::memory_order_relaxed);
  node.entered_blocks.store(0, std::memory_order_relaxed);
  node.triggered_blocks.store(0, std::memory_order_relaxed);
  node.ended_blocks.store(0, std::memory_order_relaxed);
  node.replays = run + 1;
  node.ended = stamps.fetch_add(1, std::memory_order_relaxed) + 1;
}

inline void node_thunk(const void* params, const reprise_launch* launch) {
  compute(*reprise_runtime::test::parameter<Node*>(params, 0), launch->block_begin, launch->block_end);
}
// One block at a time, concurrently with nodes that it overlaps.
inline void overlapping_thunk(const void* params, const reprise_launch* launch) {
  Node& node = *reprise_runtime::test::parameter<Node*>(params, 0);
  const auto next = [] { return stamps.fetch_add(1, std::memory_order_relaxed) + 1; };
  const uint32_t part = static_cast<uint32_t>(launch->block_end - launch->block_begin);
  const uint32_t before = node.entered_blocks.fetch_add(part, std::memory_order_acq_rel);
  if (before == 0) node.entered = next();
  if (node.triggers) {
    for (uint32_t i = 0; i < node.delay; ++i) __builtin_ia32_pause();
    if (node.triggered_blocks.fetch_add(part, std::memory_order_acq_rel) + part == node.blocks)
      node.all_triggered = next();
    __reprise_trigger_programmatic_launch(launch);
  }
  if (node.synchronizes) __reprise_grid_dependency_synchronize(launch);
  compute(node, launch->block_begin, launch->block_end);
}
inline void CUDART_CB node_function(void* node) {
  compute(*static_cast<Node*>(node), 0, static_cast<Node*>(node)->blocks);
}

// ---- the naive interpreter ---------------------------------------------------------------------------------------

inline void interpret_node(Node& node);
inline void interpret(Graph& graph) {
  for (Node& node : graph.nodes) interpret_node(node);
}

inline void interpret_node(Node& node) {
  switch (node.type) {
    case Type::kernel:
    case Type::host:
      for (uint32_t block = 0; block < node.blocks; ++block) node.cells[block] = node.value(node.runs, block);
      ++node.runs;
      break;
    case Type::copy:
      *node.cells = *node.inputs[0];
      break;
    case Type::set:
      std::fill_n(node.cells, node.blocks, (node.number & 0xffffffff) * 0x100000001u);
      break;
    case Type::child:
      interpret(*node.child);
      break;
    case Type::empty:
    case Type::event_record:
    case Type::event_wait:
    case Type::signal:
    case Type::wait:
      break;
  }
}

// ---- the order of a replay ---------------------------------------------------------------------------------------

using Nodes = std::vector<const Node*>;

inline void append(Nodes& to, const Nodes& from) {
  if (to.empty()) {
    to = from;
    return;
  }
  for (const Node* node : from) {
    if (std::find(to.begin(), to.end(), node) == to.end()) to.push_back(node);
  }
}

// Checks that each computing node ran after `start` and after the nodes that it follows; the whole graph follows
// `before`. Returns the last computing nodes, which represent all before them. Calls tell(node, last) with the same
// for the end of each node.
template <class Tell>
Nodes check_order(const Graph& graph, const Nodes& before, uint64_t start, Tell&& tell) {
  std::vector<Nodes> starts(graph.nodes.size()), ends(graph.nodes.size());
  std::vector<bool> followed(graph.nodes.size());
  for (const Node& node : graph.nodes) {
    Nodes follows = node.after.empty() ? before : Nodes{}, overlapped;
    for (size_t i = 0; i < node.after.size(); ++i) {
      const Node& other = *node.after[i];
      const bool early = !node.early.empty() && node.early[i];
      append(early ? overlapped : follows, ends[other.index]);
      followed[other.index] = true;
      if (!early) continue;
      // The time when all blocks of the other have started is unknown, but it is not before the other may start.
      if (node.when_begun) {
        append(follows, starts[other.index]);
      } else {
        EXPECT_LT(other.triggers ? other.all_triggered : other.ended, node.entered)
            << "node " << node.number << " follows the trigger of " << other.number;
      }
    }
    if (const Node* other = node.also_after) append(follows, other->computes() ? Nodes{other} : ends[other->index]);
    if (node.type == Type::kernel) starts[node.index] = follows;
    Nodes& end = ends[node.index];
    if (node.computes()) {
      EXPECT_GT(node.began, start) << "node " << node.number << " did not run";
      EXPECT_GT(node.ended, node.began) << "node " << node.number;
      const uint64_t first = node.overlaps ? node.entered : node.began;
      for (const Node* other : follows) {
        EXPECT_LT(other->ended, first) << "node " << node.number << " follows " << other->number;
      }
      end = {&node};
      // Its end implies theirs only if it has waited for them.
      for (const Node* other : overlapped) {
        if (!node.synchronizes) continue;
        EXPECT_LT(other->ended, node.began) << "node " << node.number << " has waited for " << other->number;
      }
      if (!node.synchronizes) append(end, overlapped);
    } else {
      end = node.child ? check_order(*node.child, follows, start, tell) : std::move(follows);
    }
    tell(node, end);
  }
  if (graph.nodes.empty()) return before;
  Nodes last;
  for (const Node& node : graph.nodes) {
    if (!followed[node.index]) append(last, ends[node.index]);
  }
  return last;
}

}  // namespace model
