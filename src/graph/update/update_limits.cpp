#include "graph/update/update_limits.h"

#include "base/devices.h"
#include "graph/define/node.h"
#include "graph/plan/plan.h"
#include "memory/graph/graph_memory.h"
#include "memory/pool/pool.h"

namespace reprise_runtime::graph {
namespace {

constexpr Obstacle no_obstacle = {};

Obstacle parameter(const char* field) { return {cudaGraphExecUpdateErrorParametersChanged, field}; }

bool flat(const memory::Extent& extent) { return extent.height == 1 && extent.depth == 1; }

bool same(const memory::Place& a, const memory::Place& b) {
  return a.address == b.address && a.pitch == b.pitch && a.slice == b.slice;
}

bool same(const memory::BoxCopy& a, const memory::BoxCopy& b) {
  return same(a.to, b.to) && same(a.from, b.from) && a.extent == b.extent;
}

bool same(const cudaPos& a, const cudaPos& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

Outline::Shape shape_of(const MemcpyWork& work) {
  return {work.op.box, work.from_height, work.to_height, work.placed, work.told.srcPos, work.told.dstPos};
}

// The same bytes are not enough: an H200 compares what was said. Of what was captured the positions are not known.
bool same(const Outline::Shape& a, const Outline::Shape& b) {
  if (!same(a.box, b.box) || a.from_height != b.from_height || a.to_height != b.to_height) return false;
  return !a.placed || !b.placed || (same(a.from, b.from) && same(a.to, b.to));
}

// Whose memory it is: the device that was current when it was allocated, whatever kind of memory it is, for to CUDA
// that is its context; and whether it is of a pool, or what a graph allocates. Memory of the host may become a device's
// and the other way round, as far as the kind of the copy allows, but not a pool's or a graph's: so an H200 has it.
constexpr int16_t no_device = max_devices, in_pool = max_devices + 1, of_graph = 2 * in_pool;

int16_t device_of(const memory::Range& range, bool pooled) {
  using memory::MemoryKind;
  switch (range.kind) {
    case MemoryKind::pageable:
    case MemoryKind::dead:
    case MemoryKind::variable:
      return no_device;  // one copy serves all devices
    case MemoryKind::pinned:
      return pooled ? no_device : static_cast<int16_t>(range.device);  // a pool of the host
    default:
      return static_cast<int16_t>(range.device);
  }
}

int16_t owner_of(const void* address) {
  memory::SpanOwner* const owner = memory::owner_of(address);
  const bool graphs = owner == &memory::GraphMemory::instance();
  const bool pooled = !graphs && dynamic_cast<memory::Pool*>(owner);
  const int16_t device = device_count() == 1 ? no_device : device_of(memory::lookup(address), pooled);
  return static_cast<int16_t>(device + (graphs ? of_graph : pooled ? in_pool : 0));
}

bool other_device(int16_t before, int16_t now) {
  before %= in_pool, now %= in_pool;
  return before != no_device && now != no_device && before != now;
}

bool other_owner(int16_t before, const void* address) {
  const int16_t now = owner_of(address);
  return before / in_pool != now / in_pool || other_device(before, now);
}

template <class Semaphores>
Obstacle semaphore_obstacle(const Outline& outline, const Outline::Entry& entry, const Semaphores& work) {
  return outline.limits[entry.limits].width == work.handles.size() ? no_obstacle : parameter(field::semaphores);
}

}  // namespace

int priority_of(const KernelWork& work) {
  const cudaLaunchAttributeValue* set = work.op.attributes.find(cudaLaunchAttributePriority);
  return set ? set->priority : 0;
}

int priority_of(const Node& node) {
  const KernelWork* kernel = std::get_if<KernelWork>(&node.work);
  return kernel ? priority_of(*kernel) : 0;
}

Outline::Limits limits_of(const Work& work, std::vector<Outline::Shape>& shapes) {
  Outline::Limits limits;
  if (const MemcpyWork* copy = std::get_if<MemcpyWork>(&work)) {
    limits.to_owner = owner_of(copy->op.box.to.address);
    limits.from_owner = owner_of(copy->op.box.from.address);
    limits.kind = copy->told.kind;
    limits.flat = flat(copy->op.box.extent);
    if (!limits.flat) {
      limits.shape = static_cast<uint32_t>(shapes.size());
      shapes.push_back(shape_of(*copy));
    }
  } else if (const MemsetWork* set = std::get_if<MemsetWork>(&work)) {
    limits.to_owner = owner_of(set->told.dst);
    limits.flat = set->told.height == 1;
    limits.width = set->told.width;
    limits.height = set->told.height;
    limits.pitch = set->told.pitch;
    limits.element_bytes = set->told.elementSize;
  } else if (const SignalWork* signal = std::get_if<SignalWork>(&work)) {
    limits.width = signal->handles.size();
  } else if (const WaitWork* wait = std::get_if<WaitWork>(&work)) {
    limits.width = wait->handles.size();
  } else if (const ConditionalWork* conditional = std::get_if<ConditionalWork>(&work)) {
    limits.width = conditional->condition->place();
  }
  return limits;
}

Obstacle find_hint_obstacle(const Outline::Entry& entry, const KernelWork& work, bool priorities_count) {
  if (spares_links(work) != entry.spares_links) return {cudaGraphExecUpdateErrorAttributesChanged, field::links};
  if (priorities_count && priority_of(work) != entry.priority) {
    return {cudaGraphExecUpdateErrorAttributesChanged, field::priority};
  }
  return no_obstacle;
}

// What a kernel does to graphs must have been known when the graph was instantiated.
Obstacle find_device_call_obstacle(const Outline& outline, const Outline::Entry& entry, uint32_t flags) {
  if ((flags & reprise_kernel_changes_nodes) && !entry.changes_nodes) {
    return {cudaGraphExecUpdateErrorUnsupportedFunctionChange, field::function_changes_nodes};
  }
  if (!(flags & reprise_kernel_launches_graphs) || entry.launches_graphs) return no_obstacle;
  const LaunchScope& whole = outline.plan->scope().outermost();
  if (whole.launchable() || whole.launching_device() == entry.device) return no_obstacle;
  return {cudaGraphExecUpdateErrorUnsupportedFunctionChange, field::function_launches_graphs};
}

namespace {

// Instantiation refuses such copies in bodies of conditional nodes too; but an update brings them in.
Obstacle pageable_obstacle(Plan& plan) {
  return plan.scope().outermost().launchable() ? parameter(field::pageable_on_device) : no_obstacle;
}

}  // namespace

// The kind counts as it was given: a copy of the kind cudaMemcpyDefault may go anywhere, but to no other kind.
Obstacle find_obstacle(const Outline& outline, const Outline::Entry& entry, const MemcpyWork& work, int device) {
  const Outline::Limits& limits = outline.limits[entry.limits];
  if (entry.device != device) return parameter(field::device);
  if (limits.kind != work.told.kind) return parameter(field::kind);
  if (other_owner(limits.to_owner, work.op.box.to.address)) return parameter(field::destination_owner);
  if (other_owner(limits.from_owner, work.op.box.from.address)) return parameter(field::source_owner);
  if (work.op.to_pageable() || work.op.from_pageable()) {
    if (Obstacle obstacle = pageable_obstacle(*outline.plan)) return obstacle;
  }
  const bool is_flat = flat(work.op.box.extent);
  if (limits.flat && is_flat) return no_obstacle;
  const bool stays = !limits.flat && !is_flat && same(outline.shapes[limits.shape], shape_of(work));
  return stays ? no_obstacle : parameter(field::copy_box);
}

Obstacle find_obstacle(const Outline& outline, const Outline::Entry& entry, const MemsetWork& work, int device) {
  const Outline::Limits& limits = outline.limits[entry.limits];
  if (entry.device != device) return parameter(field::device);
  if (other_device(limits.to_owner, owner_of(work.told.dst))) return parameter(field::memory_owner);
  if (limits.flat && work.told.height == 1) return no_obstacle;
  if (limits.height != work.told.height) return parameter(field::set_height);
  if (limits.width != work.told.width) return parameter(field::set_width);
  if (limits.pitch != work.told.pitch) return parameter(field::set_pitch);
  if (limits.element_bytes != work.told.elementSize) return parameter(field::set_element);
  return no_obstacle;
}

namespace {

// Instantiation refuses it too.
template <class EventWork>
Obstacle event_obstacle(const EventWork& work) {
  const bool alive = HandleTable<event::Event>::instance().names_live(work.event->handle());
  return alive ? no_obstacle : parameter(field::dead_event);
}

}  // namespace

Obstacle find_obstacle(const Outline&, const Outline::Entry&, const op::EventRecord& work, int) {
  return event_obstacle(work);
}

Obstacle find_obstacle(const Outline&, const Outline::Entry&, const op::EventWait& work, int) {
  return event_obstacle(work);
}

Obstacle find_obstacle(const Outline& outline, const Outline::Entry& entry, const SignalWork& work, int) {
  return semaphore_obstacle(outline, entry, work);
}

Obstacle find_obstacle(const Outline& outline, const Outline::Entry& entry, const WaitWork& work, int) {
  return semaphore_obstacle(outline, entry, work);
}

}  // namespace reprise_runtime::graph
