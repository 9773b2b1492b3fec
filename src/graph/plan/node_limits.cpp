#include "graph/plan/node_limits.h"

#include "base/devices.h"
#include "memory/graph/graph_memory.h"
#include "memory/pool/pool.h"

namespace reprise_runtime::graph {
namespace {

int16_t device_of(const memory::Range& range, bool pooled) {
  using memory::MemoryKind;
  switch (range.kind) {
    case MemoryKind::pageable:
    case MemoryKind::dead:
    case MemoryKind::variable:
      return MemoryOwner::no_device;  // one copy serves all devices
    case MemoryKind::pinned:
      return pooled ? MemoryOwner::no_device : static_cast<int16_t>(range.device);  // a pool of the host
    default:
      return static_cast<int16_t>(range.device);
  }
}

bool same(const memory::Place& a, const memory::Place& b) {
  return a.address == b.address && a.pitch == b.pitch && a.slice == b.slice;
}

bool same(const cudaPos& a, const cudaPos& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

NodeLimits limits_of(const MemcpyWork& copy, std::vector<CopyShape>& shapes) {
  NodeLimits limits;
  limits.to_owner = MemoryOwner::of(copy.op.box.to.address);
  limits.from_owner = MemoryOwner::of(copy.op.box.from.address);
  limits.kind = copy.user_params.kind;
  limits.flat = is_flat(copy.op.box.extent);
  if (!limits.flat) {
    limits.shape = static_cast<uint32_t>(shapes.size());
    shapes.push_back(CopyShape::of(copy));
  }
  return limits;
}

NodeLimits limits_of(const MemsetWork& set) {
  NodeLimits limits;
  limits.to_owner = MemoryOwner::of(set.user_params.dst);
  limits.flat = set.user_params.height == 1;
  limits.width = set.user_params.width;
  limits.height = set.user_params.height;
  limits.pitch = set.user_params.pitch;
  limits.element_bytes = set.user_params.elementSize;
  return limits;
}

}  // namespace

MemoryOwner MemoryOwner::of(const void* address) {
  memory::SpanOwner* const span_owner = memory::owner_of(address);
  MemoryOwner owner;
  if (span_owner == &memory::GraphMemory::instance()) {
    owner.allocator = Allocator::graph;
  } else if (dynamic_cast<memory::Pool*>(span_owner)) {
    owner.allocator = Allocator::pool;
  }
  if (device_count() > 1) owner.device = device_of(memory::lookup(address), owner.allocator == Allocator::pool);
  return owner;
}

CopyShape CopyShape::of(const MemcpyWork& work) {
  return {work.op.box, work.from_height, work.to_height, work.placed, work.user_params.srcPos, work.user_params.dstPos};
}

bool CopyShape::same_as(const CopyShape& other) const {
  const bool same_box = same(box.to, other.box.to) && same(box.from, other.box.from) && box.extent == other.box.extent;
  if (!same_box || from_height != other.from_height || to_height != other.to_height) return false;
  return !placed || !other.placed || (same(from, other.from) && same(to, other.to));
}

bool has_limits(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset ||
         type == cudaGraphNodeTypeExtSemaphoreSignal || type == cudaGraphNodeTypeExtSemaphoreWait ||
         type == cudaGraphNodeTypeConditional;
}

NodeLimits limits_of(const Work& work, std::vector<CopyShape>& shapes) {
  NodeLimits limits;
  if (const MemcpyWork* copy = std::get_if<MemcpyWork>(&work)) {
    limits = limits_of(*copy, shapes);
  } else if (const MemsetWork* set = std::get_if<MemsetWork>(&work)) {
    limits = limits_of(*set);
  } else if (const SignalWork* signal = std::get_if<SignalWork>(&work)) {
    limits.semaphores = static_cast<uint32_t>(signal->handles.size());
  } else if (const WaitWork* wait = std::get_if<WaitWork>(&work)) {
    limits.semaphores = static_cast<uint32_t>(wait->handles.size());
  } else if (const ConditionalWork* conditional = std::get_if<ConditionalWork>(&work)) {
    limits.condition = static_cast<uint32_t>(conditional->condition->place());
  }
  return limits;
}

}  // namespace reprise_runtime::graph
