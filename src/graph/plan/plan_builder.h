// From a graph to a plan: child graphs become part of it, edges become lists of steps.
#pragma once

#include "graph/plan/plan.h"

namespace reprise_runtime::graph {

class PlanBuilder {
 public:
  PlanBuilder(Plan& plan, bool priorities) : plan_(plan), priorities_(priorities) {}

  // Adds the steps of a whole graph, whose mutex is held.
  [[nodiscard]] cudaError_t add(Graph& graph);

  // The node that stood in the way.
  Node* stuck() const { return stuck_; }

 private:
  static constexpr uint32_t none = ~uint32_t{0};
  using Steps = std::vector<uint32_t>;

  // What a node's step depends on, and for one that may start early what its end waits for besides.
  struct Before {
    Steps dependencies, late;
  };

  // The graph's roots depend on step `entry`. If `joined`, gives the one step that all its leaves come before.
  Result<uint32_t> add(Graph& graph, uint32_t entry, bool joined, ExecIndex& index);
  Result<uint32_t> add_child(ChildWork& work, ExecIndex& index);
  Result<uint32_t> add_node(Node& node);
  void place_in_launch(KernelStep& step, const KernelWork& work);
  // The step is there: it gets its bodies.
  [[nodiscard]] cudaError_t add_bodies(Node& node, ConditionalStep& step, std::vector<InnerIndex>& inside);
  uint32_t add_join(const Steps& dependencies) { return add_step(join_step(), dependencies); }
  uint32_t add_step(Step& step, const Steps& dependencies);
  Step& join_step();
  void read_before(const Node& node, uint32_t entry);

  Plan& plan_;
  const bool priorities_;  // count
  Node* stuck_ = nullptr;
  Before before_;  // of the node that is being added
};

}  // namespace reprise_runtime::graph
