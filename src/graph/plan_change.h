// Changes of a plan's steps: what they do, and whether they do it.
//
// Thread safety: applied while no replay runs, by one thread at a time. What is to be done later is put together beside
// replays, and reads what is constant meanwhile: a kernel's function and shape.
#pragma once

#include <variant>
#include <vector>

#include "graph/argument_log.h"
#include "graph/former_kernels.h"
#include "graph/plan.h"

namespace reprise::graph {

// What a step takes of its node's work.
inline const KernelWork& part_of(const KernelWork& work) { return work; }
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
  // From now on the step does `work`, which is of the same type as before.
  template <class T>
  static void set(Plan& plan, uint32_t step, const T& work) {
    set_step(plan, *plan.steps_[step], part_of(work));
  }
  // The same, for a part that was taken before.
  template <class Part>
  static void set_part(Plan& plan, uint32_t step, const Part& part) {
    set_step(plan, *plan.steps_[step], part);
  }
  // A kernel, if restore() can take it back. False: not done.
  static bool set_kernel(Plan& plan, uint32_t step, const KernelWork& work, FormerKernels& former);
  static void restore(FormerKernels& former);
  // The arguments of a kernel of which nothing else changes, to be changed by `later`. False: more changes.
  static bool log_arguments(Plan& plan, uint32_t step, const KernelWork& work, ArgumentLog& later);
  // The same for parameters that were not looked at yet; at once, or by `later`. False: more changes, or something about them is
  // wrong.
  static bool set_arguments(Plan& plan, uint32_t step, const cudaKernelNodeParams& parameters, ArgumentLog* later);
  // Kernels, copies and sets can be disabled.
  static void enable(Plan& plan, uint32_t step, cudaGraphNodeType type, bool enabled) {
    enable(*plan.steps_[step], type, enabled);
  }
  static void enable(Step& step, cudaGraphNodeType type, bool enabled);
  // Which of the plan's records or waits an event step is.
  static uint32_t event_number(const Plan& plan, uint32_t step);

 private:
  static void set_step(Plan& plan, Step& step, const KernelWork& work);
  // All of a kernel but its arguments.
  static void set_launch(Plan& plan, KernelStep& step, const kernel::Function& function,
                         const kernel::LaunchShape& shape);
  static void set_step(Plan&, Step& step, const HeldCondition& condition);
  static void set_step(Plan&, Step&, op::Empty) {}
  template <class Op>
  static void set_step(Plan&, Step& step, const Op& op);
};

// Changes to be made later, in the order in which they were asked for.
class ChangeList {
 public:
  template <class T>
  void set(Plan& plan, uint32_t step, const T& work) {
    push(plan, step, part_of(work));
  }
  // Of a kernel of which nothing but the arguments changes. False: more changes, or may have changed when its turn comes.
  bool set_arguments(Plan& plan, uint32_t step, const KernelWork& work) {
    return !changes_kernels_ && PlanChange::log_arguments(plan, step, work, arguments_);
  }
  bool set_arguments(Plan& plan, uint32_t step, const cudaKernelNodeParams& parameters) {
    return !changes_kernels_ && PlanChange::set_arguments(plan, step, parameters, &arguments_);
  }
  void enable(Plan& plan, uint32_t step, cudaGraphNodeType type, bool enabled) {
    changes_.push_back({&plan, step, Enabling{type, enabled}});
  }
  void reserve(size_t changes) {
    if (changes_.capacity() - changes_.size() < changes) {
      changes_.reserve(std::max(2 * changes_.capacity(), changes_.size() + changes));
    }
  }
  ArgumentLog& arguments() { return arguments_; }
  // How many there are of either kind.
  struct Size {
    size_t arguments, changes;
  };
  Size size() const { return {arguments_.size(), changes_.size()}; }
  // What was asked for before has been asked for again since, but for whether nodes are enabled.
  void supersede(const Size& before);
  // The same nodes may be changed again and again while no launch makes the changes: now and then what was superseded goes.
  // Not within a whole update, which counts on the sizes.
  void condense() {
    if (arguments_.size() + changes_.size() > condense_above_) [[unlikely]] keep_last();
  }
  bool empty() const { return changes_.empty() && arguments_.empty() && retired_.empty(); }
  // More than the arguments of some kernel.
  bool changes_kernels() const { return changes_kernels_; }
  // User objects that the launches before the changes still need.
  void retire(HeldObjects objects) {
    if (!objects.empty()) retired_.push_back(std::move(objects));
  }
  // Nobody will make the changes: the plan keeps the objects.
  void leave_objects_to(Plan& plan) {
    for (const HeldObjects& each : retired_) plan.outline().objects.share(each);
  }
  void apply() const;

 private:
  struct Enabling {
    cudaGraphNodeType type;
    bool enabled;
  };
  struct Change {
    Plan* plan;
    uint32_t step;
    std::variant<Enabling, std::unique_ptr<KernelWork>, op::HostFunction, op::Memcpy, op::Memset, op::SemaphoreSignal,
                 op::SemaphoreWait, HeldCondition>
        what;
  };
  template <class Part>
  void push(Plan& plan, uint32_t step, const Part& part) {
    changes_.push_back({&plan, step, part});
  }
  void push(Plan& plan, uint32_t step, const KernelWork& work) {
    changes_kernels_ = true;
    changes_.push_back({&plan, step, std::make_unique<KernelWork>(work)});
  }
  void push(Plan&, uint32_t, op::Empty) {}
  void keep_last();

  template <class Part>
  static void make(const Change& change, const Part& part) {
    PlanChange::set_part(*change.plan, change.step, part);
  }
  static void make(const Change& change, const std::unique_ptr<KernelWork>& work) {
    PlanChange::set_part(*change.plan, change.step, *work);
  }
  static void make(const Change& change, const Enabling& enabling) {
    PlanChange::enable(*change.plan, change.step, enabling.type, enabling.enabled);
  }

  // All of them come before the other changes of the same kernel: none is logged after such a change.
  ArgumentLog arguments_;
  std::vector<Change> changes_;
  bool changes_kernels_ = false;
  size_t condense_above_ = 4096;
  std::vector<HeldObjects> retired_;
};

}  // namespace reprise::graph
