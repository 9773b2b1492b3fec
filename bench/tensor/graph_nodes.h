// What the nodes of a graph take by themselves.
#pragma once

#include <reprise/graph.h>

#include <string>
#include <vector>

struct NodeTime {
  std::string name;
  std::string shape;  // grid, block and cluster
  double microseconds;
};

// Each kernel node alone, many times over in a chain: what it takes within a graph, the way to the next one included.
std::vector<NodeTime> node_times(reprise::GraphRef graph);
