// What an executable graph remembers of the graph it was made from: the nodes, how they depend on each other, and which
// step each became. Graphs inside are outlines of their own.
//
// Thread safety: belongs to the executable graph, whose mutex guards it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graph/define/edge.h"
#include "graph/define/graph.h"
#include "graph/define/held_objects.h"
#include "graph/update/pending_places.h"

namespace reprise_runtime::graph {

class Plan;

struct Outline {
  static constexpr uint32_t none = ~uint32_t{0};
  static constexpr int16_t no_owner = -1;

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
    bool spares_links;  // the attribute cudaLaunchAttributeNvlinkUtilCentricScheduling
    int priority;       // as it was asked for
    int conditional_type;
  };
  // A copy of several rows, as it was said.
  struct Shape {
    memory::BoxCopy box;
    size_t from_height, to_height;
    bool placed;
    cudaPos from, to;
  };
  // What a copy, a set or a list of semaphores was at first: it cannot become all that another node can be.
  struct Limits {
    bool flat = true;  // one row
    // Whose memory a copy or set writes to and reads from: see update_limits.cpp.
    int16_t to_owner = no_owner, from_owner = no_owner;
    // Of a copy; which of the shapes if it is not flat.
    cudaMemcpyKind kind = cudaMemcpyDefault;
    uint32_t shape = none;
    // Of a set. The width also of semaphores: how many; and of a conditional node: the place of its condition.
    unsigned element_bytes = 0;
    size_t width = 0, height = 0, pitch = 0;
  };
  struct Dependency {
    uint32_t entry;
    cudaGraphEdgeData data;
  };

  Plan* plan = nullptr;        // the one with the steps, alive as long as the outline
  std::vector<Entry> entries;  // in the order of the nodes' creation; one more at the end
  std::vector<Dependency> dependencies;
  std::vector<Limits> limits;
  std::vector<Shape> shapes;
  std::vector<uint32_t> sinks;  // in the order in which they became ones
  std::vector<std::unique_ptr<Outline>> inside;
  std::vector<PendingPlaces> pending;  // of each entry, once one was changed while a launch was queued
  HeldObjects objects;                 // the user objects of the graph that it was made from, or updated from since
  std::vector<HeldObjects> retired;    // those of before, if the executable graph is gone while launches need them

  size_t node_count() const { return entries.empty() ? 0 : entries.size() - 1; }
  size_t bytes() const;
};

// Graphs inside, as they are come upon: by their node.
struct InnerOutline {
  Node* node;
  uint32_t number;  // among those of the node
  std::unique_ptr<Outline> outline;
};

// Fills in a graph's own part; its mutex is held, and each node's position is the number of its step. Afterwards it is
// the node's place in the order of creation.
void make_outline(Outline& outline, Plan& plan, Graph& graph, std::vector<InnerOutline> inside);

}  // namespace reprise_runtime::graph
