// Edges: from which point of a node on, another may start.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::graph {

class Node;

struct Edge {
  Node* node;  // the other end
  cudaGraphEdgeData data;
};

bool operator==(const cudaGraphEdgeData& a, const cudaGraphEdgeData& b);

inline constexpr cudaGraphEdgeData plain_edge = {};

// Whether the data says more than that one node follows another.
inline bool has_data(const cudaGraphEdgeData& data) { return !(data == plain_edge); }

// The dependent may start before the node it depends on has ended.
inline bool starts_early(const cudaGraphEdgeData& data) { return data.from_port != cudaGraphKernelNodePortDefault; }

// Ports and types that fit the nodes at the two ends.
[[nodiscard]] cudaError_t check_edge_data(const cudaGraphEdgeData& data, cudaGraphNodeType from, cudaGraphNodeType to);

}  // namespace reprise_runtime::graph
