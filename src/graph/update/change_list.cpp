#include "graph/update/change_list.h"

#include "graph/plan/make_step.h"

namespace reprise_runtime::graph {
namespace {

// Everything but the arguments.
bool same_launch(const KernelStep& step, const kernel::Function& function, const kernel::LaunchShape& shape) {
  const reprise_launch& launch = step.launch;
  return step.function == &function && launch.grid[0] == shape.grid.x && launch.grid[1] == shape.grid.y &&
         launch.grid[2] == shape.grid.z && launch.block[0] == shape.block.x && launch.block[1] == shape.block.y &&
         launch.block[2] == shape.block.z && launch.dynamic_shared == shape.dynamic_shared &&
         step.cooperative == shape.cooperative;
}

}  // namespace

void KernelChange::apply() noexcept {
  if (!same_launch(*step, *function, shape)) plan->change_launch(*step, *function, shape);
  step->params = memory;
  arguments.copy_to(memory);
}

void ConditionChange::apply() noexcept {
  if (step->condition != condition) condition->set(step->condition->value());
  step->condition = std::move(condition);
}

void EnabledChange::apply() noexcept { enable_step(*step, type, enabled); }

void EventChange::apply() noexcept {
  is_record ? events->change_record(number, std::move(event)) : events->change_wait(number, std::move(event));
}

void BlockingChange::apply() noexcept {
  if (entry->enabled) copies->change(entry->blocking_copy, blocks);
  entry->blocking_copy = blocks;
}

void ChangeList::add_kernel(ExecIndex& index, ExecIndex::Entry& entry, const op::Kernel& kernel) {
  // A launch may use the step's memory meanwhile, or be about to change it: the entry knows the memory of the future.
  // Larger memory stays with the entry even if the update fails.
  if (const uint32_t bytes = kernel.parameters.size(); bytes > entry.argument_bytes) {
    entry.arguments = index.plan->allocate_arguments(bytes);
    entry.argument_bytes = bytes;
  }
  KernelStep& step = static_cast<KernelStep&>(index.plan->step(entry.step));
  steps.emplace_back(std::in_place_type<KernelChange>, index.plan, &step, entry.arguments, kernel.function,
                     kernel.shape, kernel.parameters);
}

void ChangeList::add_blocking(ExecIndex& index, ExecIndex::Entry& entry, bool blocks) {
  if (blocks != entry.blocking_copy) blocking.push_back({&index.plan->blocking_copies(), &entry, blocks});
}

void ChangeList::add_event(ExecIndex& index, const ExecIndex::Entry& entry, const Ref<event::Event>& event,
                           bool is_record) {
  const uint32_t number = static_cast<EventStep&>(index.plan->step(entry.step)).number;
  events.push_back({&index.plan->events(), number, is_record, event});
}

void ChangeList::add_enabled(ExecIndex& index, const ExecIndex::Entry& entry, bool enabled) {
  steps.emplace_back(EnabledChange{&index.plan->step(entry.step), entry.type, enabled});
}

void ChangeList::add_objects(ExecIndex& index, Graph& graph) {
  if (graph.objects().empty() && index.objects.empty()) return;
  objects.push_back({&index, {}});
  objects.back().objects.share(graph.objects());
}

}  // namespace reprise_runtime::graph
