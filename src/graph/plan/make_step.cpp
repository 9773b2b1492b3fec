#include "graph/plan/make_step.h"

#include <cstring>

#include "base/tuning.h"
#include "diagnose/refuse.h"
#include "graph/define/event_work.h"
#include "graph/plan/checked_step.h"
#include "graph/plan/conditional_step.h"
#include "graph/plan/op_step.h"
#include "kernel/cluster.h"
#include "kernel/fault.h"
#include "kernel/grid.h"
#include "kernel/workspace.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

void run_nothing(Step&, Replay&) {}
void run_no_kernel(const void*, const reprise_launch*) {}

class Maker {
 public:
  Maker(const Node& node, StepMemory& memory, PlanEvents& events) : node_(node), memory_(memory), events_(events) {}

  Result<Step*> operator()(const op::Empty&) { return &make_join(memory_); }
  Result<Step*> operator()(const KernelWork& work);
  Result<Step*> operator()(const op::HostFunction& work) { return blocking(op_step(work)); }
  Result<Step*> operator()(const MemcpyWork& work) { return &op_step(work.op); }
  Result<Step*> operator()(const MemsetWork& work) { return &op_step(work.op); }
  Result<Step*> operator()(const SignalWork& work) { return &op_step(work.op); }
  Result<Step*> operator()(const WaitWork& work) { return blocking(op_step(work.op)); }
  Result<Step*> operator()(const op::BatchMemOp& work) {
    if (cudaError_t refused = work.check_addresses(); refused != cudaSuccess) return refused;
    return work.waits() ? blocking(op_step(work)) : &op_step(work);
  }
  Result<Step*> operator()(const op::EventRecord& work) {
    if (cudaError_t dead = check_alive(*work.event); dead != cudaSuccess) return dead;
    EventStep& step = made(memory_.make<EventStep>());
    step.run = traced<&EventStep::record>();
    step.number = events_.add_record(work.event);
    return &step;
  }
  Result<Step*> operator()(const op::EventWait& work) {
    if (cudaError_t dead = check_alive(*work.event); dead != cudaSuccess) return dead;
    EventStep& step = made(memory_.make<EventStep>());
    step.run = traced<&EventStep::wait>();
    step.kind = Step::Kind::event_wait;
    step.number = events_.add_wait(work.event);
    return blocking(step);
  }
  Result<Step*> operator()(const ConditionalWork& work) {
    ConditionalStep& step = made(memory_.make<ConditionalStep>());
    step.run = traced<&ConditionalStep::run_body>();
    step.destroy = &ConditionalStep::destroy_step;
    step.kind = Step::Kind::conditional;
    step.condition = work.condition;
    step.type = work.type;
    memory_.destroy_later(step);
    // A step beside it may be what ends the loop.
    step.may_block = work.type == cudaGraphCondTypeWhile;
    return &step;
  }
  Result<Step*> operator()(const ChildWork&) { return cudaErrorUnknown; }
  Result<Step*> operator()(const AllocWork& work) { return memory_step(work.allocation, true); }
  Result<Step*> operator()(const FreeWork& work) { return memory_step(work.allocation, false); }

 private:
  template <class T>
  T& made(T& step) {
    step.destroy = nullptr;
    step.node = node_.handle();
    step.device = static_cast<int16_t>(node_.device());
    return step;
  }

  template <class Op>
  Step& op_step(const Op& op) {
    OpStep<Op>& step = made(memory_.make<OpStep<Op>>());
    step.op = op;
    step.run = checked<&OpStep<Op>::run_op>();
    if constexpr (!std::is_trivially_destructible_v<Op>) {
      step.destroy = &OpStep<Op>::destroy_op;
      memory_.destroy_later(step);
    }
    return step;
  }

  // The memory is mapped when the launch begins, so there is nothing to do unless memory is checked.
  Step* memory_step(const Ref<memory::GraphAllocation>& allocation, bool allocates) {
    if (!memory::checks_memory()) return &made(make_join(memory_));
    MemoryStep& step = made(memory_.make<MemoryStep>());
    step.allocation = allocation;
    step.allocates = allocates;
    step.run = &MemoryStep::run_memory;
    step.destroy = &MemoryStep::destroy_memory;
    memory_.destroy_later(step);
    return &step;
  }

  static Step* blocking(Step& step) {
    step.may_block = true;
    return &step;
  }

  static cudaError_t check_alive(event::Event& event) {
    if (HandleTable<event::Event>::instance().names_live(event.handle())) return cudaSuccess;
    return refuse(cudaErrorInvalidValue, "the node's event was destroyed");
  }

  const Node& node_;
  StepMemory& memory_;
  PlanEvents& events_;
};

Result<Step*> Maker::operator()(const KernelWork& work) {
  if (cudaError_t refused = kernel::check_cluster(*work.op.function, work.op.attributes); refused != cudaSuccess) {
    return refused;
  }
  const uint32_t bytes = work.op.parameters.size();
  KernelStep& step = made(memory_.make<KernelStep>(bytes));
  step.run = checked<&run_kernel_step>();
  step.kind = Step::Kind::kernel;
  step.params = reinterpret_cast<char*>(&step + 1);
  step.launch.grid_state = nullptr;  // set by PlanBuilder
  work.op.parameters.copy_to(step.params);
  fill_kernel_step(step, *work.op.function, work.op.shape);
  return &step;
}

}  // namespace

Result<Step*> make_step(const Node& node, StepMemory& memory, PlanEvents& events) {
  return std::visit(Maker(node, memory, events), node.work);
}

void fill_kernel_step(KernelStep& step, const kernel::Function& function, const kernel::LaunchShape& shape) {
  const reprise_kernel& code = *function.code();
  step.may_block = code.flags & reprise_kernel_spins;
  const kernel::WorkspaceSize workspace = kernel::WorkspaceSize::of(code, shape.threads(), shape.dynamic_shared);
  step.cooperative = shape.cooperative;
  step.thunk = step.enabled ? code.thunk : &run_no_kernel;
  step.function = &function;
  step.shared_bytes = static_cast<uint32_t>(workspace.shared);
  step.workspace_bytes = static_cast<uint32_t>(workspace.bytes());
  step.launch = {{shape.grid.x, shape.grid.y, shape.grid.z},
                 {shape.block.x, shape.block.y, shape.block.z},
                 0,
                 shape.blocks(),
                 nullptr,
                 nullptr,
                 shape.dynamic_shared,
                 static_cast<uint32_t>(step.device),
                 step.launch.grid_state};
  step.choose_size();
}

void run_kernel_step(Step& step, Replay&) { run_kernel(static_cast<KernelStep&>(step)); }

void enable_step(Step& step, cudaGraphNodeType type, bool enabled) noexcept {
  if (step.enabled == enabled) return;
  step.enabled = enabled;
  step.run = !enabled                          ? &run_nothing
             : type == cudaGraphNodeTypeKernel ? checked<&run_kernel_step>()
             : type == cudaGraphNodeTypeMemcpy ? checked<&OpStep<op::Memcpy>::run_op>()
                                               : checked<&OpStep<op::Memset>::run_op>();
  if (type == cudaGraphNodeTypeKernel) {
    KernelStep& kernel = static_cast<KernelStep&>(step);
    kernel.thunk = enabled ? kernel.function->code()->thunk : &run_no_kernel;
  }
}

Step& make_join(StepMemory& memory) {
  Step& step = memory.make<Step>();
  step.run = &run_nothing;
  step.destroy = nullptr;
  step.node = {};
  step.kind = Step::Kind::empty;
  return step;
}

uint32_t wait_number(const Step& step) { return static_cast<const EventStep&>(step).number; }

double KernelStep::ns_on_one_core() const {
  const double threads = double{1} * launch.block[0] * launch.block[1] * launch.block[2];
  return double{function->ns_per_thread()} * threads * static_cast<double>(blocks());
}

void KernelStep::choose_size() {
  const auto known_to_be = [this] {
    const double ns = ns_on_one_core();
    return ns > 0 && ns < tuning::worth_sharing_ns;
  };
  small = !cooperative && (blocks() == 1 || known_to_be());
}

void call_kernel(const KernelStep& step) {
  if (step.workspace_bytes == 0) return step.thunk(step.params, &step.launch);
  reprise_launch launch = step.launch;
  step.use_workspace(launch, kernel::thread_workspace(step.workspace_bytes));
  step.thunk(step.params, &launch);
}

void run_kernel(const KernelStep& step) {
  if (!step.small) {
    return kernel::run_grid(*step.function, step.shape(), step.params, step.device,
                            static_cast<kernel::GridState*>(step.launch.grid_state));
  }
  if (sticky_error(step.device) != cudaSuccess) [[unlikely]]
    return;
  reprise_launch launch = step.launch;
  step.use_workspace(launch, kernel::thread_workspace(step.workspace_bytes));
  const cudaError_t fault = kernel::run_guarded(step.thunk, step.params, launch);
  if (fault != cudaSuccess) [[unlikely]]
    set_sticky_error(step.device, fault);
}

}  // namespace reprise_runtime::graph
