// A random graph of all node types, with nested graphs, as CUDA's graph and as the model's lists.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise/external_semaphore.h>

#include <map>
#include <set>

#include "graph_model.h"

namespace model {

inline constexpr reprise_param one_pointer[] = {{0, 8}};
inline constexpr reprise_kernel kernels[] = {
    {"model_node", node_thunk, one_pointer, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"model_overlap", overlapping_thunk, one_pointer, 1, 8, 0, 0, 0, 0, 0, reprise_kernel_programmatic, 0, 0, {}}};
inline char stub, overlapping_stub;
inline const void* const stubs[] = {&stub, &overlapping_stub};
inline reprise_runtime::test::Registered registered("graph_model", kernels, 2, stubs);

// The cells of some graphs are a device variable. There are few; other graphs use other memory.
class CellVariable {
 public:
  static constexpr size_t cells = 1 << 16;

  static CellVariable* take();
  void give_back();
  const void* symbol() const { return &shadow_; }
  uint64_t* address() { return values_; }

 private:
  friend struct CellVariables;
  char shadow_ = 0;
  uint64_t values_[cells];
};

class RandomGraph {
 public:
  RandomGraph(unsigned seed, int nodes) : random_(seed), listed_(seed % 3 == 1), waits_(!listed_ && seed % 2 == 0) {
    variable_ = seed % 3 == 0 ? CellVariable::take() : nullptr;
    if (variable_) {
      EXPECT_EQ(cudaSuccess, cudaGetSymbolAddress(reinterpret_cast<void**>(&cells_), variable_->symbol()));
      EXPECT_EQ(variable_->address(), cells_);
    } else {
      EXPECT_EQ(cudaSuccess, cudaMalloc(reinterpret_cast<void**>(&cells_), cell_count * sizeof(uint64_t)));
    }
    EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&beside_, cudaStreamNonBlocking));
    gate_event_ = new_event();
    gate_.type = watcher_.type = Type::host;
    for (Node* node : {&gate_, &watcher_}) node->cells = take_cells(1);
    gate_.number = ++numbers_;
    gate_.yields = true;
    top_ = make(nodes, 2);
  }
  ~RandomGraph() {
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(top_->handle));
    for (cudaEvent_t event : events_) EXPECT_EQ(cudaSuccess, cudaEventDestroy(event));
    for (cudaExternalSemaphore_t semaphore : semaphores_) {
      EXPECT_EQ(cudaSuccess, cudaDestroyExternalSemaphore(semaphore));
    }
    EXPECT_EQ(cudaSuccess, cudaStreamDestroy(beside_));
    if (variable_) {
      variable_->give_back();
    } else {
      EXPECT_EQ(cudaSuccess, cudaFree(cells_));
    }
  }
  RandomGraph(const RandomGraph&) = delete;

  cudaGraph_t handle() const { return top_->handle; }
  // Whether nodes wait for unrelated nodes, so that one thread cannot run the graph in any order.
  bool waits() const { return waits_; }
  // Whether no node may block, so that threads replay it by a static schedule.
  bool listed() const { return listed_; }
  uint32_t pick(uint32_t below) { return static_cast<uint32_t>(random_() % below); }

  // Called before that many replays; returns the cells that the naive interpreter expects afterwards.
  void begin(int replays) {
    std::vector<uint64_t> before(cells_, cells_ + used_);
    interpret_node(gate_);
    for (int i = 0; i < replays; ++i) interpret(*top_);
    expected_.assign(cells_, cells_ + used_);
    std::copy(before.begin(), before.end(), cells_);
    if (replays == 1) start_ = stamps;
    EXPECT_EQ(cudaSuccess, cudaLaunchHostFunc(beside_, node_function, &gate_));
    EXPECT_EQ(cudaSuccess, cudaEventRecord(gate_event_, beside_));
  }
  // After the last launch: work that follows one of its event records.
  void watch() {
    if (records_.empty()) return;
    watched_ = records_[pick(static_cast<uint32_t>(records_.size()))];
    EXPECT_EQ(cudaSuccess, cudaStreamWaitEvent(beside_, watched_.event, 0));
    EXPECT_EQ(cudaSuccess, cudaLaunchHostFunc(beside_, node_function, &watcher_));
  }
  // After all work is done.
  void check() {
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(beside_));
    watcher_cell_is_not_compared();
    EXPECT_EQ(expected_, std::vector<uint64_t>(cells_, cells_ + used_));
    check_order(*top_, {}, start_, [&](const Node& node, const Nodes& before) {
      if (&node != watched_.node) return;
      for (const Node* other : before) EXPECT_LT(other->ended, watcher_.began) << "an event came before its time";
    });
    for (const Record& record : records_) EXPECT_EQ(cudaSuccess, cudaEventQuery(record.event));
    watched_ = {};
  }

  // Of the graph and its nested graphs.
  int node_count() const {
    int count = 0;
    for (const Graph& graph : graphs_) count += static_cast<int>(graph.nodes.size());
    return count;
  }
  int edge_count() const {
    int count = 0;
    for (const Graph& graph : graphs_) {
      for (const Node& node : graph.nodes) count += static_cast<int>(node.after.size());
    }
    return count;
  }

  // Checks CUDA's queries for nodes, roots and edges.
  void check_lists();

 private:
  static constexpr size_t cell_count = CellVariable::cells;
  struct Record {
    const Node* node = nullptr;
    cudaEvent_t event = nullptr;
  };

  void watcher_cell_is_not_compared() { expected_[static_cast<size_t>(watcher_.cells - cells_)] = *watcher_.cells; }

  uint64_t* take_cells(uint32_t count) {
    uint64_t* taken = cells_ + used_;
    used_ += count;
    EXPECT_LE(used_, cell_count);
    return taken;
  }
  cudaEvent_t new_event() {
    EXPECT_EQ(cudaSuccess, cudaEventCreateWithFlags(&events_.emplace_back(), pick(2) ? cudaEventDisableTiming : 0));
    return events_.back();
  }
  cudaExternalSemaphore_t new_semaphore() {
    cudaExternalSemaphoreHandleDesc description = {};
    description.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
    EXPECT_EQ(cudaSuccess, repriseCreateSemaphoreFd(&description.handle.fd, repriseSemaphoreBinary, 0));
    EXPECT_EQ(cudaSuccess, cudaImportExternalSemaphore(&semaphores_.emplace_back(), &description));
    return semaphores_.back();
  }

  Graph* make(int count, int depth) {
    Graph& graph = graphs_.emplace_back();
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph.handle, 0));
    const uint32_t reach =
        1 + pick(2) * pick(static_cast<uint32_t>(count) + 1);  // how far back nodes look: chains or nets
    const Node* signal = nullptr;                              // that no node waits for yet
    for (int i = 0; i < count; ++i) {
      Node& node = graph.nodes.emplace_back();
      node.number = ++numbers_;
      node.index = static_cast<size_t>(i);
      std::set<uint32_t> before;
      for (uint32_t k = pick(4); k > 0 && i > 0; --k) {
        before.insert(static_cast<uint32_t>(i) - 1 - pick(std::min(static_cast<uint32_t>(i), reach)));
      }
      for (uint32_t other : before) node.after.push_back(&graph.nodes[other]);
      choose(node, depth, signal, i + 1 == count);
      add(graph, node, depth);
      if (node.type == Type::signal) signal = &node;
      if (node.type == Type::wait) signal = nullptr;
    }
    return &graph;
  }

  // A signalled semaphore is waited for in the same graph, at the latest by its last node.
  void choose(Node& node, int depth, const Node* signal, bool last) {
    const uint32_t choice = pick(100);
    node.type = choice < 45   ? Type::kernel
                : choice < 60 ? Type::host
                : choice < 70 ? Type::copy
                : choice < 78 ? Type::set
                : choice < 88 ? Type::empty
                : choice < 91 ? Type::event_record
                              : Type::child;
    if (listed_ && (node.type == Type::host || node.type == Type::event_record)) node.type = Type::kernel;
    if (node.type == Type::child && depth == 0) node.type = Type::empty;
    if (waits_ && pick(12) == 0) node.type = Type::event_wait;
    if (waits_ && pick(12) == 0) node.type = signal ? Type::wait : Type::signal;
    if (last && signal) node.type = Type::wait;
    if (last && node.type == Type::signal) node.type = Type::empty;
    if (node.type == Type::kernel && pick(4) == 0) node.blocks = 1 + pick(8);
    if (node.type == Type::set && pick(2)) node.blocks = 4;
    if (pick(3) == 0) node.delay = pick(200);
    // While a slow root runs, other threads look for work.
    if (listed_ && node.after.empty() && pick(2)) node.delay = 100 + pick(400);
    node.yields = pick(64) == 0;
    if (node.type == Type::wait) node.also_after = const_cast<Node*>(signal);
    if (node.type == Type::event_wait) node.also_after = &gate_;
    if (node.type == Type::kernel && waits_ && pick(4) == 0) choose_overlap(node);
    node.cells = take_cells(node.blocks);
    for (size_t i = 0; i < node.after.size(); ++i) {
      if (node.early.empty() || !node.early[i] || node.synchronizes) read_cells(node, *node.after[i]);
    }
    if (node.also_after) read_cells(node, *node.also_after);
  }
  void choose_overlap(Node& node) {
    node.overlaps = true;
    node.triggers = pick(2);
    node.synchronizes = pick(4) != 0;
    node.when_begun = pick(4) == 0;
    if (pick(4) == 0) return;
    for (const Node* other : node.after) node.early.push_back(other->type == Type::kernel && pick(4) != 0);
  }
  // A node without a value of its own passes on those that it follows.
  void read_cells(Node& node, const Node& other) {
    if (other.computes() || other.type == Type::copy || other.type == Type::set) {
      for (uint32_t block = 0; block < other.blocks; ++block) node.inputs.push_back(other.cells + block);
    } else if (node.inputs.size() < 64) {
      node.inputs.insert(node.inputs.end(), other.inputs.begin(), other.inputs.end());
    }
  }

  void add(Graph& graph, Node& node, int depth);
  cudaGraphNode_t add_by_own_call(Graph& graph, Node& node, const cudaGraphNode_t* before, size_t count);
  cudaGraphNode_t add_kernel(Graph& graph, Node& node, const cudaGraphNode_t* before, size_t count);
  cudaGraphNode_t add_copy(Graph& graph, Node& node, const cudaGraphNode_t* before, size_t count);
  cudaGraphNode_t add_set(Graph& graph, Node& node, const cudaGraphNode_t* before, size_t count);
  cudaGraphNode_t add_semaphore(Graph& graph, Node& node, const cudaGraphNode_t* before, size_t count);

  std::mt19937 random_;
  const bool listed_, waits_;
  CellVariable* variable_ = nullptr;  // that the cells are, if they are one
  uint64_t* cells_ = nullptr;
  size_t used_ = 0;
  uint64_t numbers_ = 0;
  std::deque<Graph> graphs_;
  Graph* top_ = nullptr;
  cudaStream_t beside_ = nullptr;
  Node gate_, watcher_;  // in the stream beside the graph: what event waits wait for, what waits for an event record
  cudaEvent_t gate_event_ = nullptr;
  std::vector<Record> records_;
  Record watched_;
  std::deque<cudaEvent_t> events_;
  std::deque<cudaExternalSemaphore_t> semaphores_;
  std::map<const Node*, cudaExternalSemaphore_t> semaphore_of_;  // of signals
  std::vector<uint64_t> expected_;
  uint64_t start_ = 0;
};

}  // namespace model
