#include "graph/plan/plan_builder.h"

#include <algorithm>

#include "diagnose/refuse.h"
#include "graph/define/kernel_attributes.h"
#include "graph/plan/conditional_step.h"
#include "graph/plan/make_step.h"
#include "graph/plan/order.h"

namespace reprise_runtime::graph {

cudaError_t PlanBuilder::add(Graph& graph) {
  plan_.steps_.reserve(graph.node_count());
  plan_.first_dependency_.reserve(graph.node_count() + 1);
  plan_.dependencies_.reserve(graph.edge_count());
  return add(graph, none, false, plan_.exec_index_).status();
}

Result<uint32_t> PlanBuilder::add(Graph& graph, uint32_t entry, bool joined, ExecIndex& index) {
  std::vector<Node*> order = topological_order(graph, stuck_);
  if (stuck_) {
    return diagnose::refuse(cudaErrorInvalidValue, "graph %llu has a cycle",
                            static_cast<unsigned long long>(graph.id()));
  }
  if (priorities_) order = order_by_priority(order);
  index.objects.share(graph.objects());
  Steps leaves;
  std::vector<InnerIndex> inside;
  for (Node* node : order) {
    read_before(*node, entry);
    ChildWork* child = std::get_if<ChildWork>(&node->work);
    if (child) inside.push_back({node, 0, std::make_unique<ExecIndex>()});
    Result<uint32_t> step = child ? add_child(*child, *inside.back().index) : add_node(*node);
    if (!step.ok()) return step;
    node->position = *step;
    if (plan_.steps_[*step]->kind == Step::Kind::conditional && !child) {
      ConditionalStep& conditional = static_cast<ConditionalStep&>(*plan_.steps_[*step]);
      if (cudaError_t failed = add_bodies(*node, conditional, inside); failed != cudaSuccess) return failed;
    }
    if (joined && node->dependents.empty()) leaves.push_back(*step);
  }
  make_exec_index(index, plan_, graph, std::move(inside));
  if (!joined) return none;
  if (leaves.size() == 1) return leaves[0];
  if (leaves.empty() && entry != none) return entry;
  // A leaf that started early may end before what it started beside.
  for (size_t i = 0, count = leaves.size(); i < count; ++i) {
    const Plan::Late* more = plan_.late_of(leaves[i]);
    if (more) leaves.insert(leaves.end(), more->others.begin(), more->others.end());
  }
  return add_join(leaves);
}

void PlanBuilder::read_before(const Node& node, uint32_t entry) {
  auto& [dependencies, late] = before_;
  dependencies.clear();
  late.clear();
  if (node.dependencies.empty() && entry != none) dependencies.push_back(entry);
  const bool kernel = node.type() == cudaGraphNodeTypeKernel;
  for (const Edge& edge : node.dependencies) {
    const uint32_t step = edge.node->position;
    const bool early = kernel && starts_early(edge.data);
    if (early) {
      dependencies.push_back(
          step |
          (edge.data.from_port == cudaGraphKernelNodePortLaunchCompletion ? Plan::when_begun : Plan::when_triggered));
      late.push_back(step);
    } else {
      dependencies.push_back(step);
    }
    if (const Plan::Late* more = plan_.late_of(step)) {
      Steps& waiting = early ? late : dependencies;
      waiting.insert(waiting.end(), more->others.begin(), more->others.end());
    }
  }
}

Result<uint32_t> PlanBuilder::add_child(ChildWork& work, ExecIndex& index) {
  uint32_t entry = none;
  if (before_.dependencies.size() == 1) {
    entry = before_.dependencies[0];
  } else if (!before_.dependencies.empty()) {
    entry = add_join(before_.dependencies);
  }
  MutexLock lock(work.graph->mutex());
  return add(*work.graph, entry, true, index);
}

cudaError_t PlanBuilder::add_bodies(Node& node, ConditionalStep& step, std::vector<InnerIndex>& inside) {
  plan_.conditionals_.push_back(&step);
  uint32_t number = 0;
  for (const Ref<Graph>& graph : std::get<ConditionalWork>(node.work).bodies) {
    MutexLock lock(graph->mutex());
    Result<Ref<Plan>> body = Plan::build(*graph, stuck_, priorities_);
    if (!body.ok()) return body.status();
    LaunchScope& scope = (*body)->scope_;
    scope.put_inside(plan_.scope_);
    step.may_block |= (*body)->may_block();
    (*body)->around_ = &plan_;
    (*body)->runner_ = &step;
    if (scope.launching_device() >= 0) plan_.scope_.note_launching(scope.launching_device());
    if (scope.has_updatable_nodes()) plan_.scope_.note_updatable();
    inside.push_back({&node, number++, std::make_unique<ExecIndex>(std::move((*body)->exec_index_))});
    plan_.conditionals_.insert(plan_.conditionals_.end(), (*body)->conditionals_.begin(), (*body)->conditionals_.end());
    step.bodies.push_back(std::move(*body));
  }
  return cudaSuccess;
}

// What its launches belong to, and who may change it.
void PlanBuilder::place_in_launch(KernelStep& step, const KernelWork& work) {
  LaunchScope& scope = plan_.scope_;
  step.launch.grid_state = scope.state();
  if (work.op.function->code()->flags & reprise_kernel_launches_graphs) scope.note_launching(step.device);
  if (!work.updatable) return;
  plan_.updatable_.emplace_back(work.updatable, &step);
  work.updatable->attach(step);
  scope.note_updatable();
}

Result<uint32_t> PlanBuilder::add_node(Node& node) {
  Result<Step*> made = make_step(node, plan_.memory_, plan_.events_);
  if (!made.ok()) {
    stuck_ = &node;
    return made.status();
  }
  Step& step = **made;
  if (priorities_) {
    step.priority = static_cast<int8_t>(std::clamp(priority_of(node), -128, 127));
    plan_.priorities_ |= step.priority != 0;
  }
  if (step.kind == Step::Kind::kernel) {
    place_in_launch(static_cast<KernelStep&>(step), std::get<KernelWork>(node.work));
    step.overlaps =
        !before_.late.empty() || std::any_of(node.dependents.begin(), node.dependents.end(), [](const Edge& edge) {
          return starts_early(edge.data) && edge.node->type() == cudaGraphNodeTypeKernel;
        });
  }
  const uint32_t index = add_step(step, before_.dependencies);
  if (!before_.late.empty()) plan_.late_.push_back({index, before_.late});
  return index;
}

uint32_t PlanBuilder::add_step(Step& step, const Steps& dependencies) {
  const uint32_t index = static_cast<uint32_t>(plan_.steps_.size());
  plan_.steps_.push_back(&step);
  plan_.first_dependency_.push_back(static_cast<uint32_t>(plan_.dependencies_.size()));
  plan_.dependencies_.insert(plan_.dependencies_.end(), dependencies.begin(), dependencies.end());
  plan_.chain_ &= index == 0 || std::find(dependencies.begin(), dependencies.end(), index - 1) != dependencies.end();
  return index;
}

Step& PlanBuilder::join_step() { return make_join(plan_.memory_); }

}  // namespace reprise_runtime::graph
