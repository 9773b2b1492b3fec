// Random graphs that an executable graph is made from and updated from: their nodes, the order in which nodes and
// edges are added, parameters, and obstacles to an update. And a plain implementation of CUDA's rules for updating
// one from another.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "pairing_rule.h"

namespace changing {

enum class Type { kernel, copy, set, host, empty, record, wait, signal, semaphore_wait, child, conditional };

// A property that an executable graph cannot take over from an otherwise matching node.
enum class Fault { none, function, cooperative, kind, rows, semaphores, condition_type, bodies };

// Properties of a node that may change.
struct Parameters {
  uint64_t constant = 0;
  int input = 0;        // among the cells that it may read
  bool second = false;  // which kernel, event or semaphore
  uint64_t value = 0;   // that a semaphore is to reach: each is larger than those made before it
  Fault fault = Fault::none;
};

// Properties that stay. All nodes are numbered, including those of nested graphs.
struct Shape {
  Type type = Type::kernel;
  int number = 0;
  int cell = 0;               // that it writes to
  std::vector<int> readable;  // cells
  std::vector<Shape> inside;  // a child graph or body: one after the other
};

struct Blueprint {
  std::vector<Shape> shapes;
  std::vector<std::pair<int, int>> edges;  // from, to: places in `shapes`, in the order in which they are added
  std::vector<int> created;                // places in `shapes`, in the order in which the nodes are
  std::vector<Parameters> parameters;      // by number
  bool allocates = false;                  // has a memory node besides

  const Parameters& of(const Shape& shape) const { return parameters[static_cast<size_t>(shape.number)]; }
};

class Random {
 public:
  explicit Random(uint64_t seed) : random_(seed) {}

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool chance(uint32_t of) { return below(of) == 0; }
  uint64_t word() { return random_(); }
  template <class T>
  T& one_of(std::vector<T>& all) {
    return all[below(static_cast<uint32_t>(all.size()))];
  }

  Parameters parameters();
  // Every edge leads from a lower index to a higher one. Cells are counted from 0.
  Blueprint blueprint(int nodes, int& cells);
  // The same nodes with other parameters; sometimes in another order, or with an obstacle to an update.
  Blueprint next(const Blueprint& before);

 private:
  // `body`: it is a body, which allows fewer types; `depth`: nesting depth.
  Shape shape(Type type, int& cells, int& numbers, bool body = false, int depth = 0);
  void change_order(Blueprint& blueprint);
  void spoil(Blueprint& blueprint);

  std::mt19937_64 random_;
  uint64_t values_ = 0;
};

// The result of an update: for each node of the executable graph the new graph's node, or the error.
struct Outcome {
  cudaError_t status = cudaSuccess;
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  int node = -1, from = -1;  // numbers in the new graph
  std::map<int, int> partners;
};

Outcome expected_update(const Blueprint& exec, const Blueprint& graph);
// Of a child graph or body.
Outcome expected_update(const std::vector<Shape>& exec, const std::vector<Shape>& graph, const Blueprint& from);

}  // namespace changing
