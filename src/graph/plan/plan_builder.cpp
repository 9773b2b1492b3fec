#include "graph/plan/plan_builder.h"

#include <algorithm>

#include "diagnose/refuse.h"
#include "graph/define/kernel_attributes.h"
#include "graph/plan/conditional_step.h"
#include "graph/plan/make_step.h"
#include "graph/plan/order.h"

namespace reprise_runtime::graph {

cudaError_t PlanBuilder::build(Graph& graph) {
  layout_.steps.reserve(graph.node_count());
  layout_.first_dependency.reserve(graph.node_count() + 1);
  layout_.dependencies.reserve(graph.edge_count());
  const cudaError_t status = add(graph, none, false, contents_.index).status();
  layout_.first_dependency.push_back(static_cast<uint32_t>(layout_.dependencies.size()));
  return status;
}

Result<uint32_t> PlanBuilder::add(Graph& graph, uint32_t entry, bool joined, ExecIndex& index) {
  graph.number_nodes();
  std::vector<Node*> order = topological_order(graph, error_node_);
  if (error_node_) {
    return diagnose::refuse(cudaErrorInvalidValue, "graph %llu has a cycle",
                            static_cast<unsigned long long>(graph.id()));
  }
  if (priorities_) order = order_by_priority(order);
  index.objects.share(graph.objects());
  Steps steps(order.size()), leaves;
  std::vector<InnerIndex> inside;
  for (Node* node : order) {
    find_dependencies(*node, entry, steps);
    ChildWork* child = std::get_if<ChildWork>(&node->work);
    if (child) inside.push_back({node, 0, std::make_unique<ExecIndex>()});
    Result<uint32_t> step = child ? add_child(*child, *inside.back().index) : add_node(*node);
    if (!step.ok()) return step;
    steps[node->index] = *step;
    if (layout_.steps[*step]->kind == Step::Kind::conditional && !child) {
      ConditionalStep& conditional = static_cast<ConditionalStep&>(*layout_.steps[*step]);
      if (cudaError_t failed = add_bodies(*node, conditional, inside); failed != cudaSuccess) return failed;
    }
    if (joined && node->dependents.empty()) leaves.push_back(*step);
  }
  make_exec_index(index, plan_, graph, steps, std::move(inside));
  return joined ? join_leaves(leaves, entry) : none;
}

Result<uint32_t> PlanBuilder::join_leaves(Steps& leaves, uint32_t entry) {
  if (leaves.size() == 1) return leaves[0];
  if (leaves.empty() && entry != none) return entry;
  // A leaf that started early may end before the steps that it overlapped with.
  for (size_t i = 0, count = leaves.size(); i < count; ++i) {
    const PlanLayout::Late* late = layout_.late_of(leaves[i]);
    if (late) leaves.insert(leaves.end(), late->others.begin(), late->others.end());
  }
  return add_join(leaves);
}

void PlanBuilder::find_dependencies(const Node& node, uint32_t entry, const Steps& steps) {
  auto& [dependencies, late] = before_;
  dependencies.clear();
  late.clear();
  if (node.dependencies.empty() && entry != none) dependencies.push_back(entry);
  const bool kernel = node.type() == cudaGraphNodeTypeKernel;
  for (const Edge& edge : node.dependencies) {
    const uint32_t step = steps[edge.node->index];
    const bool early = kernel && starts_early(edge.data);
    if (early) {
      const bool begun = edge.data.from_port == cudaGraphKernelNodePortLaunchCompletion;
      dependencies.push_back(step | (begun ? PlanLayout::when_begun : PlanLayout::when_triggered));
      late.push_back(step);
    } else {
      dependencies.push_back(step);
    }
    if (const PlanLayout::Late* more = layout_.late_of(step)) {
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
  contents_.conditionals.push_back(&step);
  uint32_t number = 0;
  for (const Ref<Graph>& graph : std::get<ConditionalWork>(node.work).bodies) {
    MutexLock lock(graph->mutex());
    Result<Ref<Plan>> built = Plan::build(*graph, error_node_, priorities_);
    if (!built.ok()) return built.status();
    Plan& body = **built;
    body.put_inside(plan_, step);
    const LaunchScope& scope = body.scope();
    if (scope.launching_device() >= 0) contents_.scope.note_launching(scope.launching_device());
    if (scope.has_updatable_nodes()) contents_.scope.note_updatable();
    inside.push_back({&node, number++, std::make_unique<ExecIndex>(std::move(body.exec_index()))});
    contents_.conditionals.insert(contents_.conditionals.end(), body.conditionals().begin(), body.conditionals().end());
    step.bodies.push_back(std::move(*built));
  }
  return cudaSuccess;
}

void PlanBuilder::place_in_launch(KernelStep& step, const KernelWork& work) {
  LaunchScope& scope = contents_.scope;
  step.launch.grid_state = scope.state();
  if (work.op.function->code()->flags & reprise_kernel_launches_graphs) scope.note_launching(step.device);
  if (!work.updatable) return;
  contents_.updatable.emplace_back(work.updatable, &step);
  work.updatable->attach(step);
  scope.note_updatable();
}

Result<uint32_t> PlanBuilder::add_node(Node& node) {
  Result<Step*> made = make_step(node, contents_.memory, contents_.events);
  if (!made.ok()) {
    error_node_ = &node;
    return made.status();
  }
  Step& step = **made;
  if (priorities_) {
    step.priority = static_cast<int8_t>(std::clamp(priority_of(node), -128, 127));
    layout_.has_priorities |= step.priority != 0;
  }
  if (step.kind == Step::Kind::kernel) {
    place_in_launch(static_cast<KernelStep&>(step), std::get<KernelWork>(node.work));
    step.overlaps =
        !before_.late.empty() || std::any_of(node.dependents.begin(), node.dependents.end(), [](const Edge& edge) {
          return starts_early(edge.data) && edge.node->type() == cudaGraphNodeTypeKernel;
        });
  }
  const uint32_t number = add_step(step, before_.dependencies);
  if (!before_.late.empty()) layout_.late.push_back({number, before_.late});
  return number;
}

uint32_t PlanBuilder::add_step(Step& step, const Steps& dependencies) {
  const uint32_t number = static_cast<uint32_t>(layout_.steps.size());
  layout_.steps.push_back(&step);
  layout_.first_dependency.push_back(static_cast<uint32_t>(layout_.dependencies.size()));
  layout_.dependencies.insert(layout_.dependencies.end(), dependencies.begin(), dependencies.end());
  layout_.is_chain &=
      number == 0 || std::find(dependencies.begin(), dependencies.end(), number - 1) != dependencies.end();
  return number;
}

uint32_t PlanBuilder::add_join(const Steps& dependencies) {
  return add_step(make_join(contents_.memory), dependencies);
}

}  // namespace reprise_runtime::graph
