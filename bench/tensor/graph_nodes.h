// The time of each node of a graph.
#pragma once

#include <reprise/graph.h>

#include <string>
#include <vector>

struct NodeTime {
  std::string name;
  std::string shape;  // grid, block and cluster
  double microseconds;
};

// Measures each kernel node alone in a chain of many copies: its time within a graph, including the transition to the
// next node.
std::vector<NodeTime> node_times(reprise::GraphRef graph);
