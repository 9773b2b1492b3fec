#include "graph/plan/traced_step.h"

#include "graph/define/node.h"
#include "graph/plan/conditional_step.h"

namespace reprise_runtime::graph {
namespace {

std::string name_of(const Step& step) {
  if (step.kind == Step::Kind::kernel) return static_cast<const KernelStep&>(step).function->readable_name();
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

TracedStep::TracedStep(const Step& step, const Replay& replay)
    : traced_(diagnose::Trace::on() && !replay.trace_muted && step.enabled && step.kind != Step::Kind::empty) {
  if (traced_) diagnose::Trace::begin(name_of(step), step.node.bits);
}

}  // namespace reprise_runtime::graph
