// Changes of a plan's steps: what they do, and whether they do it.
//
// Thread safety: applied while no replay runs, by one thread at a time. What is to be done later is put together beside
// replays, and reads what is constant meanwhile: a kernel's function and shape. Memory is found for it then, by whoever
// holds the mutex of the executable graph: changes that are being made find it, and cannot fail.
#pragma once

#include "graph/define/argument_log.h"
#include "graph/plan/make_step.h"
#include "graph/plan/plan.h"
#include "graph/update/former_kernels.h"

namespace reprise_runtime::graph {

// What a step takes of its node's work.
inline const op::Kernel& part_of(const KernelWork& work) { return work.op; }
inline const op::HostFunction& part_of(const op::HostFunction& work) { return work; }
inline const op::Memcpy& part_of(const MemcpyWork& work) { return work.op; }
inline const op::Memset& part_of(const MemsetWork& work) { return work.op; }
inline const op::SemaphoreSignal& part_of(const SignalWork& work) { return work.op; }
inline const op::SemaphoreWait& part_of(const WaitWork& work) { return work.op; }
inline const HeldCondition& part_of(const ConditionalWork& work) { return work.condition; }
// Events are changed where launches find them; what else there is has nothing that could change.
template <class T>
op::Empty part_of(const T&) {
  return {};
}

class PlanChange {
 public:
  // Memory for set(): after it that cannot fail.
  template <class T>
  static void prepare(Plan&, uint32_t, const T&) {}
  static void prepare(Plan& plan, uint32_t step, const KernelWork& work);
  // From now on the step does `work`, which is of the same type as before.
  template <class T>
  static void set(Plan& plan, uint32_t step, const T& work) noexcept {
    set_step(plan, *plan.steps_[step], part_of(work));
  }
  // The same, for a part that was taken before.
  template <class Part>
  static void set_part(Plan& plan, uint32_t step, const Part& part) noexcept {
    set_step(plan, *plan.steps_[step], part);
  }

  // Memory for arguments, which a step gets later.
  struct Room {
    KernelStep* step;
    char* memory;
    uint32_t bytes;
  };
  static Room make_room(Plan& plan, uint32_t step, uint32_t bytes);
  static uint32_t room_of(const Plan& plan, uint32_t step);
  // With the arguments that it has.
  static void use(const Room& room) noexcept;

  // A kernel, if restore() can take it back. False: not done.
  static bool set_kernel(Plan& plan, uint32_t step, const KernelWork& work, FormerKernels& former);
  static void restore(FormerKernels& former) noexcept;
  // The arguments of a kernel of which nothing else changes. False: more changes, or something about them is wrong.
  static bool set_arguments(Plan& plan, uint32_t step, const cudaKernelNodeParams& parameters);
  // The same, to be changed by `later`, `at` a place there (see ArgumentLog::add).
  static bool log_arguments(Plan& plan, uint32_t step, const cudaKernelNodeParams& parameters, ArgumentLog& later,
                            size_t& at);
  static bool log_arguments(Plan& plan, uint32_t step, const KernelWork& work, ArgumentLog& later, size_t& at);
  // Kernels, copies and sets can be disabled.
  static void enable(Plan& plan, uint32_t step, cudaGraphNodeType type, bool enabled) noexcept {
    enable_step(*plan.steps_[step], type, enabled);
  }
  // Which of the plan's records or waits an event step is.
  static uint32_t event_number(const Plan& plan, uint32_t step);

 private:
  static void set_step(Plan& plan, Step& step, const op::Kernel& op) noexcept;
  // All of a kernel but its arguments.
  static void set_launch(Plan& plan, KernelStep& step, const kernel::Function& function,
                         const kernel::LaunchShape& shape) noexcept;
  static void set_step(Plan&, Step& step, const HeldCondition& condition) noexcept;
  static void set_step(Plan&, Step&, op::Empty) noexcept {}
  template <class Op>
  static void set_step(Plan&, Step& step, const Op& op) noexcept;
};

}  // namespace reprise_runtime::graph
