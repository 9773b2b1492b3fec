// Changes of a plan's steps: what they do, and whether they do it.
//
// Thread safety: applied while no replay runs, by one thread at a time.
#pragma once

#include <variant>
#include <vector>

#include "graph/former_arguments.h"
#include "graph/plan.h"

namespace reprise::graph {

class PlanChange {
 public:
  // From now on the step does `work`, which is of the same type as before.
  template <class T>
  static void set(Plan& plan, uint32_t step, const T& work) {
    set_step(plan, *plan.steps_[step], work);
  }
  // The arguments of a kernel of which nothing else changes; those of before are kept. False: more changes.
  static bool set_arguments(Plan& plan, uint32_t step, const KernelWork& work, FormerArguments& former);
  // The same for parameters that were not looked at yet. False: more changes, or something about them is wrong.
  static bool set_arguments(Plan& plan, uint32_t step, const cudaKernelNodeParams& parameters);
  static void set(Plan& plan, uint32_t step, const Work& work) {
    std::visit([&](const auto& alternative) { set_step(plan, *plan.steps_[step], alternative); }, work);
  }
  // Kernels, copies and sets can be disabled.
  static void enable(Plan& plan, uint32_t step, cudaGraphNodeType type, bool enabled) {
    enable(*plan.steps_[step], type, enabled);
  }
  static void enable(Step& step, cudaGraphNodeType type, bool enabled);
  // After the last of several changes.
  static void finish(Plan& plan);
  // Which of the plan's records or waits an event step is.
  static uint32_t event_number(const Plan& plan, uint32_t step);
  // The user objects of a graph that the plan now runs parts of.
  static void share_objects(Plan& plan, const HeldObjects& objects) { plan.objects_.share(objects); }

 private:
  static void set_step(Plan& plan, Step& step, const KernelWork& work);
  static void set_step(Plan& plan, Step& step, const op::HostFunction& work);
  static void set_step(Plan& plan, Step& step, const MemcpyWork& work);
  static void set_step(Plan& plan, Step& step, const MemsetWork& work);
  static void set_step(Plan& plan, Step& step, const SignalWork& work);
  static void set_step(Plan& plan, Step& step, const WaitWork& work);
  static void set_step(Plan& plan, Step& step, const ConditionalWork& work);
  // Events are changed where launches find them; what else there is has nothing that could change.
  template <class T>
  static void set_step(Plan&, Step&, const T&) {}
};

// Changes to be made later, in the order in which they were asked for.
class ChangeList {
 public:
  void set(Plan& plan, uint32_t step, Work work) { changes_.push_back({&plan, step, std::move(work)}); }
  void enable(Plan& plan, uint32_t step, cudaGraphNodeType type, bool enabled) {
    changes_.push_back({&plan, step, Enabling{type, enabled}});
  }
  bool empty() const { return changes_.empty(); }
  void apply() const;

 private:
  struct Enabling {
    cudaGraphNodeType type;
    bool enabled;
  };
  struct Change {
    Plan* plan;
    uint32_t step;
    std::variant<Enabling, Work> what;
  };
  std::vector<Change> changes_;
};

}  // namespace reprise::graph
