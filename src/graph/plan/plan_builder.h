// Builds the contents of a plan from a graph: nodes become steps, edges become lists of steps, and child graphs become
// part of the plan.
//
// Thread safety: one thread; the graph's mutex is held.
#pragma once

#include "graph/plan/plan.h"

namespace reprise_runtime::graph {

class PlanBuilder {
 public:
  // `contents` are those of `plan`. With `priorities` set, steps get the priorities of their kernel nodes.
  PlanBuilder(Plan& plan, PlanContents& contents, bool priorities)
      : plan_(plan), contents_(contents), layout_(contents.layout), priorities_(priorities) {}

  // Adds the steps of the whole graph.
  [[nodiscard]] cudaError_t build(Graph& graph);

  // The node that could not be added; null if none.
  Node* error_node() const { return error_node_; }

 private:
  static constexpr uint32_t none = ~uint32_t{0};
  using Steps = std::vector<uint32_t>;

  // What the step of a node depends on; and, for a step that may start early, what else must end before it has ended.
  struct Before {
    Steps dependencies, late;
  };

  // Adds a graph whose roots depend on step `entry`. If `joined`, returns the one step that follows all its leaves.
  Result<uint32_t> add(Graph& graph, uint32_t entry, bool joined, ExecIndex& index);
  Result<uint32_t> add_child(ChildWork& work, ExecIndex& index);
  Result<uint32_t> add_node(Node& node);
  Result<uint32_t> join_leaves(Steps& leaves, uint32_t entry);
  // Makes the kernel step part of the plan's launches, and lets device code change it if its node allows that.
  void place_in_launch(KernelStep& step, const KernelWork& work);
  // Adds plans for the bodies of a conditional node, whose step exists.
  [[nodiscard]] cudaError_t add_bodies(Node& node, ConditionalStep& step, std::vector<InnerIndex>& inside);
  uint32_t add_join(const Steps& dependencies);
  uint32_t add_step(Step& step, const Steps& dependencies);
  // Fills before_ for a node. `steps` are those of the nodes of its graph, by Node::index.
  void find_dependencies(const Node& node, uint32_t entry, const Steps& steps);

  Plan& plan_;
  PlanContents& contents_;
  PlanLayout& layout_;
  const bool priorities_;
  Node* error_node_ = nullptr;
  Before before_;  // of the node that is being added
};

}  // namespace reprise_runtime::graph
