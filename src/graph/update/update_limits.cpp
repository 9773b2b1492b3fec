#include "graph/update/update_limits.h"

#include "base/devices.h"
#include "graph/define/kernel_attributes.h"
#include "graph/define/node.h"
#include "graph/plan/op_step.h"
#include "graph/plan/plan.h"

namespace reprise_runtime::graph {
namespace {

constexpr Obstacle no_obstacle = {};

Obstacle parameter(const char* field) { return {cudaGraphExecUpdateErrorParametersChanged, field}; }

// Memory of the host may become a device's and the other way round, as far as the kind of the copy allows; but memory
// of a pool or of a graph stays such memory, as on an H200.
bool other_owner(const MemoryOwner& before, const void* address) {
  const MemoryOwner now = MemoryOwner::of(address);
  return before.allocator != now.allocator || now.on_other_device_than(before);
}

template <class Semaphores>
Obstacle semaphore_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const Semaphores& work) {
  return index.limits[entry.limits].semaphores == work.handles.size() ? no_obstacle : parameter(field::semaphores);
}

}  // namespace

Obstacle find_hint_obstacle(const ExecIndex::Entry& entry, const KernelWork& work, bool priorities_count) {
  if (is_link_centric(work) != entry.link_centric) return {cudaGraphExecUpdateErrorAttributesChanged, field::links};
  if (priorities_count && priority_of(work) != entry.priority) {
    return {cudaGraphExecUpdateErrorAttributesChanged, field::priority};
  }
  return no_obstacle;
}

// Instantiation prepares a graph for kernels that launch graphs or change nodes, so that none can be added later.
Obstacle find_device_call_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, uint32_t flags) {
  if ((flags & reprise_kernel_changes_nodes) && !entry.changes_nodes) {
    return {cudaGraphExecUpdateErrorUnsupportedFunctionChange, field::function_changes_nodes};
  }
  if (!(flags & reprise_kernel_launches_graphs) || entry.launches_graphs) return no_obstacle;
  const LaunchScope& whole = index.plan->scope().outermost();
  if (whole.launchable() || whole.launching_device() == entry.device) return no_obstacle;
  return {cudaGraphExecUpdateErrorUnsupportedFunctionChange, field::function_launches_graphs};
}

namespace {

// Instantiation refuses such copies in bodies of conditional nodes too; as on an H200, an update does not.
Obstacle pageable_obstacle(Plan& plan) {
  return plan.scope().outermost().launchable() ? parameter(field::pageable_on_device) : no_obstacle;
}

}  // namespace

// The kind is compared as it was given: a copy of kind cudaMemcpyDefault may go anywhere, but cannot get another kind.
Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const MemcpyWork& work, int device) {
  const NodeLimits& limits = index.limits[entry.limits];
  if (entry.device != device) return parameter(field::device);
  if (limits.kind != work.user_params.kind) return parameter(field::kind);
  if (other_owner(limits.to_owner, work.op.box.to.address)) return parameter(field::destination_owner);
  if (other_owner(limits.from_owner, work.op.box.from.address)) return parameter(field::source_owner);
  if (work.op.to_pageable() || work.op.from_pageable()) {
    if (Obstacle obstacle = pageable_obstacle(*index.plan)) return obstacle;
  }
  const bool flat = is_flat(work.op.box.extent);
  if (limits.flat && flat) return no_obstacle;
  const bool stays = !limits.flat && !flat && index.shapes[limits.shape].same_as(CopyShape::of(work));
  return stays ? no_obstacle : parameter(field::copy_box);
}

Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const MemsetWork& work, int device) {
  const NodeLimits& limits = index.limits[entry.limits];
  if (entry.device != device) return parameter(field::device);
  if (limits.to_owner.on_other_device_than(MemoryOwner::of(work.user_params.dst)))
    return parameter(field::memory_owner);
  if (limits.flat && work.user_params.height == 1) return no_obstacle;
  if (limits.height != work.user_params.height) return parameter(field::set_height);
  if (limits.width != work.user_params.width) return parameter(field::set_width);
  if (limits.pitch != work.user_params.pitch) return parameter(field::set_pitch);
  if (limits.element_bytes != work.user_params.elementSize) return parameter(field::set_element);
  return no_obstacle;
}

namespace {

// Instantiation refuses destroyed events too.
template <class EventWork>
Obstacle event_obstacle(const EventWork& work) {
  const bool alive = HandleTable<event::Event>::instance().names_live(work.event->handle());
  return alive ? no_obstacle : parameter(field::dead_event);
}

}  // namespace

Obstacle find_obstacle(const ExecIndex&, const ExecIndex::Entry&, const op::EventRecord& work, int) {
  return event_obstacle(work);
}

Obstacle find_obstacle(const ExecIndex&, const ExecIndex::Entry&, const op::EventWait& work, int) {
  return event_obstacle(work);
}

Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const SignalWork& work, int) {
  return semaphore_obstacle(index, entry, work);
}

Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const WaitWork& work, int) {
  return semaphore_obstacle(index, entry, work);
}

// The types never change, so that the step has them even if changes wait for the next launch.
Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const op::BatchMemOp& work, int device) {
  if (entry.device != device) return parameter(field::device);
  const op::BatchMemOp& before = static_cast<OpStep<op::BatchMemOp>&>(index.plan->step(entry.step)).op;
  if (!before.same_types(work)) return parameter(field::memory_operations);
  return work.check_addresses() == cudaSuccess ? no_obstacle : parameter(field::operation_address);
}

}  // namespace reprise_runtime::graph
