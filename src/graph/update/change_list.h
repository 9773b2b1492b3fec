// The changes of an update, complete and validated before the first of them is made. Each has a copy of what it needs,
// so that a later launch can make it, and making it takes no memory.
//
// Thread safety: belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "graph/plan/conditional_step.h"
#include "graph/plan/exec_index.h"
#include "graph/plan/op_step.h"
#include "graph/plan/plan.h"

namespace reprise_runtime::graph {

struct KernelChange {
  Plan* plan;
  KernelStep* step;
  char* memory;  // of the plan, for the arguments
  const kernel::Function* function;
  kernel::LaunchShape shape;
  op::ParameterBlock arguments;

  void apply() noexcept;
};

// A host function, copy, set, list of semaphores or batch of memory operations.
template <class Op>
struct OpChange {
  OpStep<Op>* step;
  Op op;

  void apply() noexcept {
    static_assert(std::is_nothrow_move_assignable_v<Op>);
    step->op = std::move(op);
  }
};

// The kernels of the new graph name its condition, which takes over the current value.
struct ConditionChange {
  ConditionalStep* step;
  HeldCondition condition;

  void apply() noexcept;
};

struct EnabledChange {
  Step* step;
  cudaGraphNodeType type;
  bool enabled;

  void apply() noexcept;
};

// A change of one step, to be made while no replay runs.
using StepChange = std::variant<KernelChange, OpChange<op::HostFunction>, OpChange<op::Memcpy>, OpChange<op::Memset>,
                                OpChange<op::SemaphoreSignal>, OpChange<op::SemaphoreWait>, OpChange<op::BatchMemOp>,
                                ConditionChange, EnabledChange>;

inline void apply(StepChange& change) noexcept {
  std::visit([](auto& each) { each.apply(); }, change);
}

// Another event to record or to wait for. A launch looks up its events when it is queued, so that this change can
// always be made at once.
struct EventChange {
  PlanEvents* events;
  uint32_t number;
  bool is_record;
  Ref<event::Event> event;

  void apply() noexcept;
};

// A copy that cudaGraphLaunch waits for, or no longer does. This is counted for the next launch, so that the change can
// always be made at once.
struct BlockingChange {
  BlockingCopies* copies;
  ExecIndex::Entry* entry;
  bool blocks;

  void apply() noexcept;
};

// The user objects of the graph that an index is updated from.
struct ObjectsChange {
  ExecIndex* index;
  HeldObjects objects;
};

struct ChangeList {
  std::vector<StepChange> steps;  // at most one of each step
  std::vector<EventChange> events;
  std::vector<BlockingChange> blocking;
  std::vector<ObjectsChange> objects;

  // The node of the entry does `work` from now on, which is of its type.
  template <class T>
  void add(ExecIndex& index, ExecIndex::Entry& entry, const T& work);
  void add_enabled(ExecIndex& index, const ExecIndex::Entry& entry, bool enabled);
  // The index keeps the objects of `graph`, whose mutex is held, instead of those that it has.
  void add_objects(ExecIndex& index, Graph& graph);

 private:
  void add_kernel(ExecIndex& index, ExecIndex::Entry& entry, const op::Kernel& kernel);
  void add_blocking(ExecIndex& index, ExecIndex::Entry& entry, bool blocks);
  void add_event(ExecIndex& index, const ExecIndex::Entry& entry, const Ref<event::Event>& event, bool is_record);
  template <class Op>
  void add_op(ExecIndex& index, const ExecIndex::Entry& entry, const Op& op) {
    steps.emplace_back(std::in_place_type<OpChange<Op>>, static_cast<OpStep<Op>*>(&index.plan->step(entry.step)), op);
  }
};

template <class T>
void ChangeList::add(ExecIndex& index, ExecIndex::Entry& entry, const T& work) {
  if constexpr (std::is_same_v<T, KernelWork>) {
    add_kernel(index, entry, work.op);
  } else if constexpr (std::is_same_v<T, op::HostFunction> || std::is_same_v<T, op::BatchMemOp>) {
    add_op(index, entry, work);
  } else if constexpr (std::is_same_v<T, MemcpyWork> || std::is_same_v<T, MemsetWork> ||
                       std::is_same_v<T, SignalWork> || std::is_same_v<T, WaitWork>) {
    add_op(index, entry, work.op);
    if constexpr (std::is_same_v<T, MemcpyWork>) add_blocking(index, entry, work.op.blocks_host());
  } else if constexpr (std::is_same_v<T, op::EventRecord> || std::is_same_v<T, op::EventWait>) {
    add_event(index, entry, work.event, std::is_same_v<T, op::EventRecord>);
  } else if constexpr (std::is_same_v<T, ConditionalWork>) {
    steps.emplace_back(ConditionChange{static_cast<ConditionalStep*>(&index.plan->step(entry.step)), work.condition});
  } else {
    // The nodes inside a child graph are entries of their own; empty and memory nodes have nothing that could change.
    static_assert(std::is_same_v<T, op::Empty> || std::is_same_v<T, ChildWork> || std::is_same_v<T, AllocWork> ||
                  std::is_same_v<T, FreeWork>);
  }
}

}  // namespace reprise_runtime::graph
