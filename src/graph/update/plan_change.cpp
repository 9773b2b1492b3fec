#include "graph/update/plan_change.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "graph/plan/checked_step.h"
#include "graph/plan/conditional_step.h"
#include "graph/plan/make_step.h"
#include "graph/plan/op_step.h"

namespace reprise_runtime::graph {
namespace {

bool in_run_of_kernels(const KernelStep& step) { return step.small && !step.overlaps; }

// All but the arguments.
bool same_launch(const KernelStep& step, const op::Kernel& kernel) {
  const kernel::LaunchShape& shape = kernel.shape;
  return step.function == kernel.function && step.launch.grid[0] == shape.grid.x &&
         step.launch.block[0] == shape.block.x && step.launch.grid[1] == shape.grid.y &&
         step.launch.grid[2] == shape.grid.z && step.launch.block[1] == shape.block.y &&
         step.launch.block[2] == shape.block.z && step.launch.dynamic_shared == shape.dynamic_shared &&
         step.cooperative == shape.cooperative;
}

}  // namespace

PlanChange::Room PlanChange::make_room(Plan& plan, uint32_t number, uint32_t bytes) {
  return {static_cast<KernelStep*>(plan.steps_[number]), plan.memory_.make_bytes(bytes), bytes};
}

uint32_t PlanChange::room_of(const Plan& plan, uint32_t number) {
  return static_cast<const KernelStep&>(*plan.steps_[number]).params_room;
}

void PlanChange::use(const Room& room) noexcept {
  KernelStep& step = *room.step;
  if (step.params_room >= room.bytes) return;
  std::memcpy(room.memory, step.params, step.params_room);
  step.params = room.memory;
  step.params_room = room.bytes;
}

void PlanChange::prepare(Plan& plan, uint32_t number, const KernelWork& work) {
  if (const uint32_t bytes = work.op.parameters.size(); bytes > room_of(plan, number))
    use(make_room(plan, number, bytes));
}

void PlanChange::set_step(Plan& plan, Step& changed, const op::Kernel& op) noexcept {
  KernelStep& step = static_cast<KernelStep&>(changed);
  if (!same_launch(step, op)) set_launch(plan, step, *op.function, op.shape);
  op.parameters.copy_to(step.params);
}

void PlanChange::set_launch(Plan& plan, KernelStep& step, const kernel::Function& function,
                            const kernel::LaunchShape& shape) noexcept {
  const bool before = in_run_of_kernels(step);
  fill_kernel_step(step, function, shape);
  if (!step.enabled) step.thunk = &run_no_kernel;
  if (step.may_block) plan.note_blocking();
  if (before != in_run_of_kernels(step) || (before && step.workspace_bytes > plan.workspace_bytes_)) {
    plan.runs_stale_ = true;
  } else if (plan.workspace_) {
    step.use_workspace(step.launch, plan.workspace_);
  }
}

bool PlanChange::set_kernel(Plan& plan, uint32_t number, const KernelWork& work, FormerKernels& former) {
  KernelStep& step = static_cast<KernelStep&>(*plan.steps_[number]);
  if (!same_launch(step, work.op)) {
    if (work.op.function->code()->flags & reprise_kernel_spins) return false;
    prepare(plan, number, work);
    former.launches.push_back({&plan, &step, step.function, step.shape()});
    set_launch(plan, step, *work.op.function, work.op.shape);
  }
  former.arguments.keep(step.params, work.op.parameters.size());
  work.op.parameters.copy_to(step.params);
  return true;
}

// Each kernel was changed once.
void PlanChange::restore(FormerKernels& former) noexcept {
  for (; !former.launches.empty(); former.launches.pop_back()) {
    const FormerKernels::Launch& last = former.launches.back();
    set_launch(*last.plan, *last.step, *last.function, last.shape);
  }
  former.arguments.write();
  former.clear();
}

bool PlanChange::log_arguments(Plan& plan, uint32_t number, const KernelWork& work, ArgumentLog& later, size_t& at) {
  KernelStep& step = static_cast<KernelStep&>(*plan.steps_[number]);
  if (!same_launch(step, work.op)) return false;
  work.op.parameters.copy_to(later.add(step.params, work.op.parameters.size(), at));
  return true;
}

namespace {

bool same(const uint32_t (&before)[3], const dim3& now) {
  return before[0] == now.x && before[1] == now.y && before[2] == now.z;
}

// With shared memory it is not sure: how much a function may have can change too.
bool surely_same_launch(const KernelStep& step, const cudaKernelNodeParams& now) {
  return step.function->host_stub() == now.func && same(step.launch.grid, now.gridDim) &&
         same(step.launch.block, now.blockDim) && now.sharedMemBytes == 0 && step.launch.dynamic_shared == 0;
}

bool all_there(const reprise_kernel& code, void* const* arguments) {
  for (uint32_t i = 0; arguments && i < code.param_count; ++i) {
    if (!arguments[i]) return false;
  }
  return arguments;
}

void copy_arguments(const reprise_kernel& code, void* const* arguments, char* place) {
  for (uint32_t i = 0; i < code.param_count; ++i) {
    char* to = place + code.params[i].offset;
    if (const uint32_t size = code.params[i].size; size == 8) {
      std::memcpy(to, arguments[i], 8);
    } else if (size == 4) {
      std::memcpy(to, arguments[i], 4);
    } else {
      std::memcpy(to, arguments[i], size);
    }
  }
}

}  // namespace

bool PlanChange::set_arguments(Plan& plan, uint32_t number, const cudaKernelNodeParams& parameters) {
  const KernelStep& step = static_cast<KernelStep&>(*plan.steps_[number]);
  const reprise_kernel& code = *step.function->code();
  if (!surely_same_launch(step, parameters) || !all_there(code, parameters.kernelParams)) return false;
  copy_arguments(code, parameters.kernelParams, step.params);
  return true;
}

bool PlanChange::log_arguments(Plan& plan, uint32_t number, const cudaKernelNodeParams& parameters, ArgumentLog& later,
                               size_t& at) {
  const KernelStep& step = static_cast<KernelStep&>(*plan.steps_[number]);
  const reprise_kernel& code = *step.function->code();
  if (!surely_same_launch(step, parameters) || !all_there(code, parameters.kernelParams)) return false;
  copy_arguments(code, parameters.kernelParams, later.add(step.params, code.param_bytes, at));
  return true;
}

namespace {

// There are as many as before: no memory is needed.
void assign(op::SemaphoreList& list, const op::SemaphoreList& now) { std::copy(now.begin(), now.end(), list.begin()); }
void assign(op::SemaphoreSignal& op, const op::SemaphoreSignal& now) { assign(op.semaphores, now.semaphores); }
void assign(op::SemaphoreWait& op, const op::SemaphoreWait& now) { assign(op.semaphores, now.semaphores); }
template <class Op>
void assign(Op& op, const Op& now) {
  static_assert(std::is_nothrow_copy_assignable_v<Op>);
  op = now;
}

}  // namespace

template <class Op>
void PlanChange::set_step(Plan&, Step& step, const Op& op) noexcept {
  assign(static_cast<OpStep<Op>&>(step).op, op);
}
template void PlanChange::set_step(Plan&, Step&, const op::HostFunction&) noexcept;
template void PlanChange::set_step(Plan&, Step&, const op::Memcpy&) noexcept;
template void PlanChange::set_step(Plan&, Step&, const op::Memset&) noexcept;
template void PlanChange::set_step(Plan&, Step&, const op::SemaphoreSignal&) noexcept;
template void PlanChange::set_step(Plan&, Step&, const op::SemaphoreWait&) noexcept;

// The kernels that now run name the other graph's condition; its default counts from now on, and the value stays.
void PlanChange::set_step(Plan&, Step& step, const HeldCondition& condition) noexcept {
  HeldCondition& here = static_cast<ConditionalStep&>(step).condition;
  if (here != condition) condition->set(here->value());
  here = condition;
}

uint32_t PlanChange::event_number(const Plan& plan, uint32_t step) {
  return static_cast<const EventStep&>(*plan.steps_[step]).number;
}

}  // namespace reprise_runtime::graph
