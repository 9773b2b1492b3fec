// Shapes of graphs that the benchmarks run. Nodes are numbered in topological order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct Shape {
  std::string name;
  std::vector<std::vector<int>> after;  // the dependencies of each node

  int nodes() const { return static_cast<int>(after.size()); }
};

inline Shape chain(int nodes) {
  Shape shape{"chain " + std::to_string(nodes), {}};
  for (int i = 0; i < nodes; ++i) shape.after.push_back(i ? std::vector<int>{i - 1} : std::vector<int>{});
  return shape;
}

inline Shape two_chains(int nodes) {
  Shape shape{"two chains of " + std::to_string(nodes / 2), {}};
  for (int i = 0; i < nodes; ++i) shape.after.push_back(i > 1 ? std::vector<int>{i - 2} : std::vector<int>{});
  return shape;
}

inline Shape fork_join(int width) {
  Shape shape{"fork-join " + std::to_string(width), {{}}};
  std::vector<int> middle;
  for (int i = 1; i <= width; ++i) {
    shape.after.push_back({0});
    middle.push_back(i);
  }
  shape.after.push_back(middle);
  return shape;
}

// Layers of `width` nodes, each of which depends on two nodes of the layer before.
inline Shape layered(int layers, int width) {
  Shape shape{"layered " + std::to_string(layers) + " x " + std::to_string(width), {}};
  uint32_t state = 1;
  auto random = [&](int below) { return static_cast<int>((state = state * 1664525u + 1013904223u) >> 8) % below; };
  for (int layer = 0; layer < layers; ++layer) {
    for (int i = 0; i < width; ++i) {
      if (layer == 0) {
        shape.after.push_back({});
        continue;
      }
      const int first = random(width), step = 1 + random(width - 1), before = (layer - 1) * width;
      shape.after.push_back({before + first, before + (first + step) % width});
    }
  }
  return shape;
}

// Binary tree: each node but the root depends on its parent.
inline Shape tree(int nodes) {
  Shape shape{"tree " + std::to_string(nodes), {}};
  for (int i = 0; i < nodes; ++i) shape.after.push_back(i ? std::vector<int>{(i - 1) / 2} : std::vector<int>{});
  return shape;
}

}  // namespace bench
