// A graph as users define it: nodes, edges and user objects.
//
// Thread safety: mutex(), id() and the handle are constant. The functions marked so may be called from any thread.
// Everything else needs the graph's mutex: access.h finds graphs and nodes by their handles and holds the mutex while
// they are used. A thread that holds a graph's mutex may lock those of the graphs inside it, never one around it.
//
// Invariants
//  1. A node in the topology is attached, and its handle names it.
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
#include "graph/define/held_objects.h"
#include "graph/define/lazy.h"
#include "graph/define/memory_layout.h"
#include "graph/define/topology.h"
#include "graph/define/work.h"

namespace reprise_runtime::graph {

class Node;

class Graph : public Handled<Graph> {
 public:
  static constexpr HandleType handle_type = HandleType::graph;

  Graph();
  ~Graph();

  Mutex& mutex() REPRISE_RETURN_CAPABILITY(mutex_) { return mutex_; }
  // A unique number, for drawings and error messages.
  uint64_t id() const { return id_; }
  cudaGraph_t as_user() const { return handle().as<cudaGraph_t>(); }

  Node* first() const { return topology_.first(); }
  Node* first_sink() const { return topology_.first_sink(); }
  Node* last_sink() const { return topology_.last_sink(); }
  size_t node_count() const { return topology_.node_count(); }
  size_t edge_count() const { return topology_.edge_count(); }
  // Makes Node::index of each node its place in the list.
  void number_nodes() { topology_.number_nodes(); }

  // Adds a node that does `work` on `device` and depends on `count` nodes of this graph. `data` may be null.
  Result<Node*> add(Work work, int device, const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                    size_t count);
  // Adds a captured node. The dependencies are in this graph; their data need not fit the type of the node.
  // `What` is Work or op::Kernel.
  template <class What>
  Result<Node*> add_captured(What&& what, int device, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* data, size_t count);
  // Adds a copy of a node of another graph, without edges.
  Result<Node*> add_copy(const Node& original, Work work);
  // Gives a graph that has copies of all nodes of `source` the same edges and user objects.
  void finish_copy(Graph& source);
  // Checks that these are nodes of this graph, with data by which some node could depend on them.
  [[nodiscard]] cudaError_t check_dependencies(const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                                               size_t count);
  // Removes a node with its edges, and destroys what it does not share.
  void remove(Node& node);

  [[nodiscard]] cudaError_t add_edges(const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                      const cudaGraphEdgeData* data, size_t count);
  // Removes edges whatever their data: NVIDIA's runtime does not compare `data` either.
  [[nodiscard]] cudaError_t remove_edges(const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                         const cudaGraphEdgeData* data, size_t count);

  // Removes everything, from the graphs inside too.
  void clear();

  // The node of this graph that is a clone of the one named, or null.
  Node* clone_of(Handle original);

  // ---- embedding --------------------------------------------------------------------------------------------------

  // A graph inside another belongs to a node of that one. Any thread may ask.
  bool embedded() const { return around().bits != 0; }
  Handle around() const { return Handle{embedding_.around.load(std::memory_order_relaxed)}; }
  // Puts the graph, with the captures into it, inside another; with null it is inside none any more.
  void embed(Handle around);
  // The body of a conditional node cannot be cloned.
  bool is_body() const { return embedding_.is_body; }
  void become_body() { embedding_.is_body = true; }

  // ---- capture ----------------------------------------------------------------------------------------------------

  // A capture adds nodes to the graph: neither it nor its nodes can be destroyed.
  bool capturing() const { return capture_.active; }
  // A capture adds nodes to a graph inside it, which would be destroyed with it. Any thread may ask.
  bool captures_inside() const { return capture_.inside.load(std::memory_order_relaxed) > 0; }
  // The error for destroying the graph or its nodes meanwhile.
  cudaError_t refuse_while_capturing() const;
  void set_capturing(bool capturing);

  // ---- conditions -------------------------------------------------------------------------------------------------

  // The conditions that were created for this graph.
  std::vector<HeldCondition>& conditions() { return conditions_.own; }
  // Of an outermost graph: counts the conditions created for it and for the graphs inside. Any thread may do so.
  size_t count_condition() { return conditions_.created.fetch_add(1, std::memory_order_relaxed); }

  // ---- memory -----------------------------------------------------------------------------------------------------

  // Whether it has memory nodes, or a child graph that has. Then nodes and edges cannot be removed, and the graph
  // cannot be cloned.
  bool has_memory() const { return memory_.used; }
  void note_memory() { memory_.used = true; }
  // Where its own allocations lie; null if it has no memory nodes.
  const MemoryLayout* layout() const { return memory_.layout.get(); }

  // ---- executable graphs ------------------------------------------------------------------------------------------

  // Whether device code may change nodes of it, or of graphs inside it. This is never reset. Any thread may ask.
  bool has_updatable() const { return has_updatable_.load(std::memory_order_acquire); }
  void note_updatable();
  // Of a graph with conditional, memory or updatable nodes there is one executable graph at a time: the latest.
  Handle latest_exec;

  HeldObjects& objects() { return objects_; }

 private:
  struct Ends {
    Node *from, *to;
    cudaGraphEdgeData data;
  };
  struct Embedding {
    std::atomic<uint64_t> around{0};  // handle of the graph that it is inside
    bool is_body = false;
  };
  struct CaptureState {
    bool active = false;         // a capture adds to this graph
    std::atomic<int> inside{0};  // how many add to graphs inside it
  };
  struct MemoryUse {
    bool used = false;
    std::unique_ptr<MemoryLayout> layout;
  };
  struct Conditions {
    std::vector<HeldCondition> own;
    std::atomic<size_t> created{0};
  };

  // Adds to the number of captures inside each graph around this one.
  void count_captures_around(int captures);
  Result<Node*> find(cudaGraphNode_t handle);
  template <class What>
  Result<Node*> attach(What&& what, int device, EdgeList&& edges);
  // Gives an allocation node its address, or finds what a free node frees.
  [[nodiscard]] cudaError_t prepare_memory(Work& work, const EdgeList& edges);
  Result<std::vector<Ends>> read_ends(const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                      const cudaGraphEdgeData* data, size_t count);

  Mutex mutex_;
  Topology topology_;
  Embedding embedding_;
  HeldObjects objects_;
  MemoryUse memory_;
  std::atomic<bool> has_updatable_{false};
  CaptureState capture_;
  const uint64_t id_;
  Conditions conditions_;
  Lazy<std::unordered_map<uint64_t, Node*>> clones_;  // by the node that they are clones of
};

// Refuses to destroy a node while a capture adds to a graph inside it; success if none does.
[[nodiscard]] cudaError_t refuse_capture_inside(const Node& node);
// The outermost graph around this one; this one if there is none.
Handle root_of(const Graph& graph);

inline HandleTable<Graph>& graphs() { return HandleTable<Graph>::instance(); }

[[nodiscard]] cudaError_t create_graph(cudaGraph_t* out, unsigned flags);
[[nodiscard]] cudaError_t destroy_graph(cudaGraph_t handle);

}  // namespace reprise_runtime::graph
