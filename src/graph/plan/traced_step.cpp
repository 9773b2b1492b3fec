#include "graph/plan/traced_step.h"

#include "graph/define/node.h"
#include "graph/plan/conditional_step.h"

namespace reprise_runtime::graph {
namespace {

const char* name_of(const Step& step) {
  if (step.kind == Step::Kind::kernel) return static_cast<const KernelStep&>(step).function->name();
  if (step.kind == Step::Kind::conditional) {
    switch (static_cast<const ConditionalStep&>(step).type) {
      case cudaGraphCondTypeWhile:
        return "WHILE";
      case cudaGraphCondTypeSwitch:
        return "SWITCH";
      default:
        return "IF";
    }
  }
  Ref<Node> node = nodes().find(step.node);
  return node ? describe(node->type()) : "a destroyed node";
}

}  // namespace

diagnose::TraceEvent trace_event_of(const Step& step, const Replay& replay) {
  diagnose::TraceEvent event;
  event.kind = diagnose::TraceKind::node;
  event.name = name_of(step);
  event.id = step.node.bits;
  event.track = replay.plan.trace_track();
  if (step.kind == Step::Kind::kernel) {
    const auto& kernel = static_cast<const KernelStep&>(step);
    event.grid = static_cast<uint32_t>(kernel.blocks());
    event.bytes = kernel.blocks() * kernel.launch.block[0] * kernel.launch.block[1] * kernel.launch.block[2];
  }
  return event;
}

uint32_t add_to_trace(const Plan& plan, uint64_t graph) {
  const PlanLayout& layout = plan.layout();
  diagnose::GraphShape shape;
  shape.graph = graph;
  shape.first_dependency = layout.first_dependency;
  for (const Step* step : layout.steps) shape.nodes.push_back(step->node.bits);
  for (const uint32_t entry : layout.dependencies) shape.dependencies.push_back(entry & ~PlanLayout::early);
  return diagnose::add_graph(std::move(shape));
}

}  // namespace reprise_runtime::graph
