// A graph as users define it: nodes, edges and user objects.
//
// Thread safety: everything but mutex(), id() and the constants of the handle belongs to whoever holds the mutex.
// access.h finds graphs and nodes by their handles and holds the mutex while they are used. Who holds a graph's mutex
// may take those of the graphs inside it, never of one around it.
//
// Invariants
//  1. A node in the list is attached, and its handle names it. Each edge stands in two lists: in the dependents of
//     where it starts, in the dependencies of where it ends, with the same data. Both ends are in this graph.
//     The list of sinks has those nodes that have no dependents.
//  2. There is at most one edge from one node to another, and none from a node to itself. There may be cycles; only an
//     executable graph cannot have them.
//  3. A failed call has changed nothing.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <unordered_map>
#include <vector>

#include "base/handle_table.h"
#include "base/mutex.h"
#include "base/status.h"
#include "graph/define/edge_list.h"
#include "graph/define/held_objects.h"
#include "graph/define/made_later.h"
#include "graph/define/memory_layout.h"
#include "graph/define/work.h"

namespace reprise_runtime::graph {

class Node;

class Graph : public Handled<Graph> {
 public:
  static constexpr HandleType handle_type = HandleType::graph;

  Graph();
  ~Graph();

  Mutex& mutex() REPRISE_RETURN_CAPABILITY(mutex_) { return mutex_; }
  // A number of its own, for drawings and explanations.
  uint64_t id() const { return id_; }
  cudaGraph_t as_user() const { return handle().as<cudaGraph_t>(); }

  Node* first() const { return first_; }
  Node* first_sink() const { return first_sink_; }
  Node* last_sink() const { return last_sink_; }
  size_t node_count() const { return node_count_; }
  size_t edge_count() const { return edge_count_; }

  // The node gets `work`, runs on `device`, and depends on `count` nodes of this graph, by `data` if given.
  Result<Node*> add(Work work, int device, const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                    size_t count);
  // A node that was captured, after nodes that are in this graph: edges need not fit what the node is.
  // `What` is Work or op::Kernel.
  template <class What>
  Result<Node*> add_captured(What&& what, int device, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* data, size_t count);
  // That these are nodes of this graph, by data with which some node could depend on them.
  [[nodiscard]] cudaError_t check_dependencies(const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                                               size_t count);
  // A capture adds to it: it cannot be destroyed, nor can its nodes.
  bool capturing() const { return capturing_; }
  // Or to a graph inside it, which would go with it.
  bool captures_inside() const { return captures_inside_.load(std::memory_order_relaxed) > 0; }
  // Why neither it nor its nodes can be destroyed meanwhile.
  cudaError_t refuse_while_capturing() const;
  void set_capturing(bool capturing);

  // With its edges; what it does not share is destroyed.
  void remove(Node& node);

  [[nodiscard]] cudaError_t add_edges(const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                      const cudaGraphEdgeData* data, size_t count);
  // Whatever data the edges have: NVIDIA's runtime does not compare `data` either.
  [[nodiscard]] cudaError_t remove_edges(const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                         const cudaGraphEdgeData* data, size_t count);

  // Takes everything out, and the graphs inside apart.
  void clear();

  // The node among these that is a clone of the one named, or null.
  Node* clone_of(Handle original);

  // Lowest unused mark for the nodes of this graph.
  uint32_t new_mark();

  // A graph inside another belongs to a node of that one.
  bool embedded() const { return around().bits != 0; }
  Handle around() const { return Handle{around_.load(std::memory_order_relaxed)}; }
  // With what is captured into it; null: it is inside none any more.
  void embed(Handle around);
  // The body of a conditional node, which cannot be cloned.
  bool is_body() const { return is_body_; }
  void become_body() { is_body_ = true; }

  // It has nodes that device code may change, or graphs inside it have: there is no way back.
  bool has_updatable() const { return has_updatable_.load(std::memory_order_acquire); }
  void note_updatable();

  // Those that were made for this graph.
  std::vector<HeldCondition>& conditions() { return conditions_; }
  // For an outermost graph: how many were made so far for it and the graphs inside. Any thread may count one more.
  size_t count_condition() { return condition_count_.fetch_add(1, std::memory_order_relaxed); }
  // Of a graph with conditional, memory or updatable nodes there is one executable graph at a time: the latest.
  Handle exec;

  // Has memory nodes, or a child graph that has: no node or edge leaves it then, and it cannot be cloned.
  bool has_memory() const { return has_memory_; }
  void note_memory() { has_memory_ = true; }
  // Where its own allocations lie; null if it has no memory nodes.
  const MemoryLayout* layout() const { return layout_.get(); }

  HeldObjects& objects() { return objects_; }

 private:
  friend class Cloning;
  struct Ends {
    Node *from, *to;
    cudaGraphEdgeData data;
  };

  // The graphs around it, how many captures begin or end inside.
  void tell_around(int more_captures);
  Result<Node*> find(cudaGraphNode_t handle);
  template <class What>
  Result<Node*> attach(What&& what, int device, EdgeList&& edges);
  // Gives a memory node its address, or finds what it frees.
  [[nodiscard]] cudaError_t prepare_memory(Work& work, const EdgeList& edges);
  Result<std::vector<Ends>> read_ends(const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                      const cudaGraphEdgeData* data, size_t count);
  void append(Node& node);
  // Nothing depends on it now, or something will from now on.
  void become_sink(Node& node);
  void leave_sinks(Node& node);
  void add_dependent(Node& from, Node& to, const cudaGraphEdgeData& data);
  void link(Node& from, Node& to, const cudaGraphEdgeData& data);
  void unlink(Node& from, Node& to);

  Mutex mutex_;
  // What updates of whole graphs read comes first: they wait for memory, mostly.
  Node* first_ = nullptr;
  size_t node_count_ = 0;
  Node* first_sink_ = nullptr;
  std::atomic<uint64_t> around_{0};  // the graph that it is inside
  HeldObjects objects_;
  bool has_memory_ = false;
  std::atomic<bool> has_updatable_{false};
  bool capturing_ = false;
  bool is_body_ = false;
  std::atomic<int> captures_inside_{0};
  Node* last_ = nullptr;
  Node* last_sink_ = nullptr;
  size_t edge_count_ = 0;
  uint64_t root_count_ = 0;  // how often a node has become a root
  uint32_t last_mark_ = 0;
  const uint64_t id_;
  std::unique_ptr<MemoryLayout> layout_;
  std::vector<HeldCondition> conditions_;
  std::atomic<size_t> condition_count_{0};
  MadeLater<std::unordered_map<uint64_t, Node*>> clones_;  // by what they are clones of
};

// Why a node cannot be destroyed while a capture adds to a graph inside it; success where none does.
[[nodiscard]] cudaError_t refuse_capture_inside(const Node& node);
// The outermost graph around this one, or itself.
Handle root_of(const Graph& graph);

inline HandleTable<Graph>& graphs() { return HandleTable<Graph>::instance(); }

[[nodiscard]] cudaError_t create_graph(cudaGraph_t* out, unsigned flags);
[[nodiscard]] cudaError_t destroy_graph(cudaGraph_t handle);

}  // namespace reprise_runtime::graph
