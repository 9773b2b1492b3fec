// Edges, and the data that says at which point of a node its dependent may start.
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

// Whether it is more than a plain dependency.
inline bool has_data(const cudaGraphEdgeData& data) { return !(data == plain_edge); }

// Whether the dependent may start before the node that it depends on has ended.
inline bool starts_early(const cudaGraphEdgeData& data) { return data.from_port != cudaGraphKernelNodePortDefault; }

// Checks that ports and type fit the nodes at both ends.
[[nodiscard]] cudaError_t check_edge_data(const cudaGraphEdgeData& data, cudaGraphNodeType from, cudaGraphNodeType to);

}  // namespace reprise_runtime::graph
