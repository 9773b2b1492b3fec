// The addresses of graph memory: the stretches that graphs reserve, and lookups in them.
#include <algorithm>

#include "memory/graph/check_mode.h"
#include "memory/graph/graph_memory.h"

namespace reprise_runtime::memory {

GraphStretch::GraphStretch(Span& span, std::size_t bytes, int device)
    : span_(span),
      base_(span.base.load(std::memory_order_relaxed)),
      bytes_(bytes),
      device_(device),
      frames_(bytes / GraphFrames::bytes, GraphFrames::none) {}

GraphStretch::~GraphStretch() { GraphMemory::instance().retire(*this); }

GraphAllocation::GraphAllocation(Ref<GraphStretch> in, std::uintptr_t at, std::size_t set_aside, std::size_t asked_for,
                                 Handle of_graph, std::uint64_t id)
    : stretch(std::move(in)), address(at), bytes(set_aside), asked(asked_for), graph(of_graph), graph_id(id) {}

void GraphAllocation::open() const { protect(address, round_to_pages(asked), true); }
void GraphAllocation::close() const { protect(address, round_to_pages(asked), false); }

GraphAllocation::~GraphAllocation() { GraphMemory::instance().forget(*this); }

Ref<GraphStretch> GraphMemory::reserve(std::size_t bytes, int device) {
  constexpr std::size_t page = GraphFrames::bytes;
  const std::size_t rounded = (bytes + page - 1) / page * page;
  if (rounded < bytes) return nullptr;
  {
    MutexLock lock(mutex_);
    release_retired();
  }
  Span* span = AddressWindow::instance().acquire(rounded, AddressWindow::Access::none);
  if (!span) return nullptr;
  span->block_bytes.store(0, std::memory_order_relaxed);
  span->kind.store(MemoryKind::graph, std::memory_order_relaxed);
  span->device.store(static_cast<std::int16_t>(device), std::memory_order_relaxed);
  span->large_size.store(0, std::memory_order_relaxed);
  span->owner.store(this, std::memory_order_release);
  Ref<GraphStretch> stretch = Ref<GraphStretch>::adopt(new GraphStretch(*span, rounded, device));
  {
    MutexLock lock(mutex_);
    stretches_.emplace(stretch->base(), stretch.get());
  }
  AddressWindow::instance().publish(span);
  return stretch;
}

Ref<GraphAllocation> GraphMemory::allocate(const Ref<GraphStretch>& stretch, std::size_t offset, std::size_t bytes,
                                           std::size_t asked, Handle graph, std::uint64_t graph_id) {
  auto made = make_ref<GraphAllocation>(stretch, stretch->base() + offset, bytes, asked, graph, graph_id);
  MutexLock lock(mutex_);
  stretch->extent_ = std::max(stretch->extent_, offset + bytes);
  MutexLock names(latest_mutex_);
  latest_[made->address] = made.get();
  return made;
}

namespace {

// Null if the allocation is being destroyed: its destructor waits for the lock.
Ref<GraphAllocation> as_ref(GraphAllocation& allocation) {
  return allocation.retain_if_alive() ? Ref<GraphAllocation>::adopt(&allocation) : nullptr;
}

}  // namespace

Ref<GraphAllocation> GraphMemory::starting_at(const void* address) {
  MutexLock names(latest_mutex_);
  auto found = latest_.find(reinterpret_cast<std::uintptr_t>(address));
  return found == latest_.end() ? nullptr : as_ref(*found->second);
}

Ref<GraphAllocation> GraphMemory::around(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  MutexLock names(latest_mutex_);
  Ref<GraphAllocation> found;
  for (const auto& [start, allocation] : latest_) {
    if (wanted - start < allocation->bytes) found = as_ref(*allocation);
  }
  return found;
}

Range GraphMemory::find(std::uintptr_t address) {
  MutexLock lock(mutex_);
  Range range;
  range.kind = MemoryKind::dead;
  auto after = live_.upper_bound(address);
  if (after != live_.begin()) {
    const GraphAllocation& allocation = *std::prev(after)->second;
    if (address - allocation.address < allocation.asked) {
      return {allocation.address, allocation.asked, MemoryKind::device, 0, allocation.device()};
    }
    if (address - allocation.address < allocation.bytes) return range;
  }
  auto next = stretches_.upper_bound(address);
  if (next == stretches_.begin()) return range;
  const GraphStretch& stretch = *std::prev(next)->second;
  if (address - stretch.base() >= stretch.extent_) return range;
  return {stretch.base(), stretch.extent_, MemoryKind::graph, 0, stretch.device()};
}

void GraphMemory::forget(GraphAllocation& allocation) {
  MutexLock names(latest_mutex_);
  auto found = latest_.find(allocation.address);
  if (found != latest_.end() && found->second == &allocation) latest_.erase(found);
}

void GraphMemory::retire(GraphStretch& stretch) {
  MutexLock lock(mutex_);
  stretches_.erase(stretch.base());
  retired_.push_back({&stretch.span_, std::move(stretch.in_use_until_)});
  release_retired();
}

void GraphMemory::release_retired() {
  std::erase_if(retired_, [](const Retired& each) {
    const bool over = std::all_of(each.in_use_until.begin(), each.in_use_until.end(),
                                  [](const exec::Marker& marker) { return marker.reached(); });
    if (over) AddressWindow::instance().release(each.span);
    return over;
  });
}

}  // namespace reprise_runtime::memory
