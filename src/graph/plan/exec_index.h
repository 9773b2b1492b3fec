// What an executable graph remembers of the graph it was made from: the nodes, how they depend on each other, and which
// step each became. Graphs inside are indexes of their own.
//
// Thread safety: belongs to the executable graph, whose mutex guards it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graph/define/edge.h"
#include "graph/define/graph.h"
#include "graph/define/held_objects.h"
#include "graph/plan/node_limits.h"
#include "graph/update/pending_places.h"

namespace reprise_runtime::graph {

class Plan;

struct ExecIndex {
  static constexpr uint32_t none = ~uint32_t{0};

  struct Entry {
    Handle node;
    cudaGraphNodeType type;
    uint32_t step;              // of the plan; none for a node whose graph is inside
    uint32_t first_dependency;  // they end where those of the next entry begin
    uint32_t first_inside;      // the graphs inside it: so do they
    uint32_t limits;            // none where the type says all
    int16_t device;
    bool enabled;      // for the next launch
    bool cooperative;  // of a kernel; so is the rest
    bool launches_graphs, changes_nodes;
    bool link_centric;  // the attribute cudaLaunchAttributeNvlinkUtilCentricScheduling
    int priority;       // as it was asked for
    int conditional_type;
  };
  struct Dependency {
    uint32_t entry;
    cudaGraphEdgeData data;
  };

  Plan* plan = nullptr;        // the one with the steps, alive as long as the index
  std::vector<Entry> entries;  // in the order of the nodes' creation; one more at the end
  std::vector<Dependency> dependencies;
  std::vector<NodeLimits> limits;
  std::vector<CopyShape> shapes;
  std::vector<uint32_t> sinks;  // in the order in which they became ones
  std::vector<std::unique_ptr<ExecIndex>> inside;
  std::vector<PendingPlaces> pending;  // of each entry, once one was changed while a launch was queued
  HeldObjects objects;                 // the user objects of the graph that it was made from, or updated from since
  std::vector<HeldObjects> retired;    // those of before, if the executable graph is gone while launches need them

  size_t node_count() const { return entries.empty() ? 0 : entries.size() - 1; }
  size_t bytes() const;
};

// Graphs inside, as they are come upon: by their node.
struct InnerIndex {
  Node* node;
  uint32_t number;  // among those of the node
  std::unique_ptr<ExecIndex> index;
};

// Fills in a graph's own part; its mutex is held, and each node's position is the number of its step. Afterwards it is
// the node's place in the order of creation.
void make_exec_index(ExecIndex& index, Plan& plan, Graph& graph, std::vector<InnerIndex> inside);

}  // namespace reprise_runtime::graph
