// The nodes of the graph that an executable graph was made from: how they depend on each other, which step each became,
// and what limits later changes of it. Updates pair new graphs with it and find nodes in it. Child graphs and bodies
// have indexes of their own, inside that of the graph around them.
//
// Thread safety: belongs to the executable graph, whose mutex guards it.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "graph/define/edge.h"
#include "graph/define/graph.h"
#include "graph/define/held_objects.h"
#include "graph/plan/node_limits.h"

namespace reprise_runtime::graph {

class Plan;

struct ExecIndex {
  static constexpr uint32_t none = ~uint32_t{0};

  struct Entry {
    Handle node = {};
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    uint32_t step = none;           // of the plan; none for a child graph node
    uint32_t first_dependency = 0;  // the dependencies end where those of the next entry begin
    uint32_t first_inside = 0;      // likewise the indexes of its child graph or bodies
    uint32_t limits = none;         // none where the type has none
    int16_t device = 0;
    bool enabled = true;         // for the next launch
    bool blocking_copy = false;  // a copy that cudaGraphLaunch waits for while it is enabled; for the next launch
    // Of a kernel.
    bool cooperative = false;
    bool launches_graphs = false, changes_nodes = false;
    bool link_centric = false;  // cudaLaunchAttributeNvlinkUtilCentricScheduling
    int priority = 0;           // as the user gave it
    // Memory of the plan for the kernel's arguments: where its step has them once all queued changes are made.
    char* arguments = nullptr;
    uint32_t argument_bytes = 0;
    int conditional_type = 0;
  };
  struct Dependency {
    uint32_t entry;
    cudaGraphEdgeData data;
  };

  Plan* plan = nullptr;        // the one with the steps; lives as long as the index
  std::vector<Entry> entries;  // in the order of the nodes' creation; one more at the end
  std::vector<Dependency> dependencies;
  std::vector<NodeLimits> limits;
  std::vector<CopyShape> shapes;
  std::vector<uint32_t> sinks;  // in the order in which the nodes became sinks
  std::vector<std::unique_ptr<ExecIndex>> inside;
  HeldObjects objects;  // the user objects of the graph that it was made from, or last updated from

  size_t node_count() const { return entries.empty() ? 0 : entries.size() - 1; }
  // With the nodes of the graphs inside.
  size_t total_node_count() const;
  size_t bytes() const;
  // Whether nothing of the graph is left to do when its blocking copies are done: each sink is one.
  bool ends_with_blocking_copies() const;
};

// Where a node is.
struct NodePlace {
  ExecIndex* index;
  uint32_t entry;
};
// By the bits of the node's handle.
using NodePlaces = std::unordered_map<uint64_t, NodePlace>;
// The places of all nodes, those of the graphs inside included.
NodePlaces find_places(ExecIndex& index);

// The index of a graph inside, while the index around it is made.
struct InnerIndex {
  Node* node;
  uint32_t number;  // among the bodies of the node
  std::unique_ptr<ExecIndex> index;
};

// Fills in a graph's own part. Its mutex is held and its nodes are numbered; `steps` are those of the nodes, by
// Node::index.
void make_exec_index(ExecIndex& index, Plan& plan, Graph& graph, const std::vector<uint32_t>& steps,
                     std::vector<InnerIndex> inside);

}  // namespace reprise_runtime::graph
