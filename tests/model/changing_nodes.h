// CUDA nodes of a changing graph: their effect, adding them, and setting one in an executable graph.
//
// Every node computes its own cell from its parameters and one of the cells that it may read.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>

#include "changing_graph.h"

namespace changing {

using Handles = std::map<int, cudaGraphNode_t>;  // by number

// A semaphore that counts up.
class Timeline {
 public:
  Timeline();
  ~Timeline();
  Timeline(const Timeline&) = delete;
  bool reached(uint64_t value) const;

  cudaExternalSemaphore_t semaphore = nullptr;

 private:
  int fd_ = -1;
};

// Memory, events and semaphores of the nodes. A node's shape determines which are its own.
class Nodes {
 public:
  explicit Nodes(int cells);
  ~Nodes();
  Nodes(const Nodes&) = delete;

  uint64_t* cell(int number) { return cells_ + number; }
  size_t cell_count() const { return cell_count_; }
  // Applies the node's effect to a model of the cells and of other state.
  struct Left {
    std::vector<uint64_t> cells;
    std::map<std::pair<int, bool>, uint64_t> signalled;  // by number and which
    std::set<std::pair<int, bool>> recorded;
  };
  static void interpret(const Shape& shape, const Parameters& parameters, Left& left);
  static uint64_t input(const Shape& shape, const Parameters& p, const std::vector<uint64_t>& cells) {
    return cells[static_cast<size_t>(shape.readable[static_cast<size_t>(p.input) % shape.readable.size()])];
  }
  // Whether the state matches the interpreter's.
  void check(const Left& left);

  // Builds a whole graph. For nodes of nested graphs, returns the handles there.
  cudaGraph_t build(const Blueprint& blueprint, Handles& handles);
  cudaGraph_t build(const std::vector<Shape>& chain, const Blueprint& blueprint);

  // Sets a node of an executable graph that has no nested graph.
  cudaError_t set(cudaGraphExec_t exec, cudaGraphNode_t node, const Shape& shape, const Parameters& p);

 private:
  struct Arguments;
  cudaGraphNode_t add(cudaGraph_t graph, const Shape& shape, const std::vector<cudaGraphNode_t>& after,
                      const Blueprint& blueprint, Handles& handles);
  cudaGraphNodeParams params(const Shape& shape, const Parameters& p, Arguments& arguments);
  // The handles of the nodes in its copy of the graph.
  static void note_inside(const Shape& shape, Handles& handles);
  void add_child(cudaGraph_t graph, const Shape& shape, const std::vector<cudaGraphNode_t>& after,
                 const Blueprint& blueprint, Handles& handles);
  void add_conditional(cudaGraph_t graph, const Shape& shape, const std::vector<cudaGraphNode_t>& after,
                       const Blueprint& blueprint, Handles& handles);
  void fill(cudaGraph_t graph, const std::vector<Shape>& chain, const Blueprint& blueprint, Handles& handles);
  Timeline& timeline(int number, bool second);
  cudaEvent_t event(int number, bool second);

  struct HostData {
    uint64_t* to;
    const uint64_t* from;
    uint64_t constant;
  };
  static void CUDART_CB host_function(void* data);

  size_t cell_count_;
  uint64_t* cells_ = nullptr;
  std::deque<HostData> host_data_;
  std::map<std::pair<int, bool>, std::unique_ptr<Timeline>> timelines_;
  std::map<std::pair<int, bool>, cudaEvent_t> events_;
  Timeline reached_;  // has reached every value that nodes wait for
};

}  // namespace changing
