#include "graph/define/memory_layout.h"

#include <algorithm>
#include <bit>

#include "diagnose/refuse.h"
#include "graph/define/graph.h"
#include "graph/define/node.h"
#include "memory/graph/check_mode.h"

namespace reprise_runtime::graph {
namespace {

constexpr size_t unit = 512;

// While memory is checked, each allocation has pages of its own, followed by an inaccessible one.
size_t reserved_bytes(size_t asked) {
  if (memory::checks_memory()) return memory::round_to_pages(asked) + memory::round_to_pages(1);
  return (asked + unit - 1) / unit * unit;
}

const uint32_t* number_of(const Node& node) {
  if (const AllocWork* alloc = std::get_if<AllocWork>(&node.work)) return &alloc->number;
  if (const FreeWork* free = std::get_if<FreeWork>(&node.work)) return &free->number;
  return nullptr;
}

constexpr size_t allocated_bit(size_t slot) { return 2 * slot; }
constexpr size_t freed_bit(size_t slot) { return 2 * slot + 1; }
constexpr size_t slots_in_word = 32;
constexpr uint64_t freed_bits = 0xaaaaaaaaaaaaaaaa;

}  // namespace

void MemoryLayout::add(Past& past, size_t bit) {
  if (past.size() <= bit / 64) past.resize(bit / 64 + 1);
  past[bit / 64] |= uint64_t{1} << bit % 64;
}

// Walks back along the edges until it meets memory nodes.
MemoryLayout::Past MemoryLayout::past_of(const Graph& graph, const EdgeList& edges) {
  visited_.resize(std::max(visited_.size(), graph.node_count()));
  ++last_walk_;
  Past past;
  std::vector<Node*> next;
  for (const Edge& edge : edges) next.push_back(edge.node);
  while (!next.empty()) {
    Node& node = *next.back();
    next.pop_back();
    if (std::exchange(visited_[node.index], last_walk_) == last_walk_) continue;
    if (const uint32_t* number = number_of(node)) {
      const Past& known = pasts_[*number];
      if (past.size() < known.size()) past.resize(known.size());
      for (size_t i = 0; i < known.size(); ++i) past[i] |= known[i];
      continue;
    }
    for (const Edge& edge : node.dependencies) next.push_back(edge.node);
  }
  return past;
}

size_t MemoryLayout::find_gap(uint32_t stretch, size_t bytes, const Past& past) const {
  std::vector<std::pair<size_t, size_t>> taken;
  // Word by word: of many allocations most are freed before.
  for (size_t first = 0; first < slots_.size(); first += slots_in_word) {
    const size_t word = first / slots_in_word;
    // While memory is checked no address is reused, so that accesses to freed memory fault.
    const uint64_t freed = word < past.size() && !memory::checks_memory() ? past[word] : 0;
    for (uint64_t open = ~freed & freed_bits; open; open &= open - 1) {
      const size_t i = first + static_cast<size_t>(std::countr_zero(open)) / 2;
      if (i >= slots_.size()) break;
      if (slots_[i].stretch == stretch) taken.emplace_back(slots_[i].offset, slots_[i].offset + slots_[i].bytes);
    }
  }
  std::sort(taken.begin(), taken.end());
  size_t end = 0;
  for (const auto& [from, to] : taken) {
    if (from > end && from - end >= bytes) return end;
    end = std::max(end, to);
  }
  return end;
}

Result<MemoryLayout::Slot> MemoryLayout::find_slot(size_t bytes, int device, const Past& past) {
  size_t all = 0;
  for (uint32_t i = 0; i < stretches_.size(); ++i) {
    const memory::GraphStretch& addresses = *stretches_[i].addresses;
    if (addresses.device() != device) continue;
    const size_t gap = find_gap(i, bytes, past);
    if (bytes <= addresses.bytes() && gap <= addresses.bytes() - bytes) return Slot{i, gap, bytes};
    all += addresses.bytes();
  }
  // Each stretch doubles the addresses.
  Ref<memory::GraphStretch> more = memory::GraphMemory::instance().reserve(std::max(bytes, all), device);
  if (!more) more = memory::GraphMemory::instance().reserve(bytes, device);
  if (!more)
    return diagnose::refuse(cudaErrorMemoryAllocation, "bytesize is %zu; no range of free addresses is large enough",
                            bytes);
  stretches_.push_back({std::move(more), 0});
  return Slot{static_cast<uint32_t>(stretches_.size() - 1), 0, bytes};
}

cudaError_t MemoryLayout::place(AllocWork& work, const Graph& graph, const EdgeList& edges) {
  const size_t asked = work.user_params.bytesize, bytes = reserved_bytes(asked);
  if (bytes < asked)
    return diagnose::refuse(cudaErrorMemoryAllocation, "bytesize is %zu, which exceeds the address space", asked);
  Past past = past_of(graph, edges);
  Result<Slot> slot = find_slot(bytes, work.user_params.poolProps.location.id, past);
  if (!slot.ok()) return slot.status();
  Stretch& stretch = stretches_[slot->stretch];
  stretch.extent = std::max(stretch.extent, slot->offset + bytes);
  work.allocation = memory::GraphMemory::instance().allocate(stretch.addresses, slot->offset, bytes, asked,
                                                             graph.handle(), graph.id());
  work.user_params.dptr = work.allocation->pointer();
  work.allocation->slot = static_cast<uint32_t>(slots_.size());
  work.number = static_cast<uint32_t>(pasts_.size());
  add(past, allocated_bit(slots_.size()));
  slots_.push_back(*slot);
  pasts_.push_back(std::move(past));
  return cudaSuccess;
}

void MemoryLayout::note_free(FreeWork& work, const Graph& graph, const EdgeList& edges) {
  Past past = past_of(graph, edges);
  const memory::GraphAllocation& freed = *work.allocation;
  if (freed.graph == graph.handle() && has(past, allocated_bit(freed.slot))) add(past, freed_bit(freed.slot));
  work.number = static_cast<uint32_t>(pasts_.size());
  pasts_.push_back(std::move(past));
}

void MemoryLayout::add_parts(memory::GraphMemoryUse& use) const {
  for (const Stretch& stretch : stretches_) {
    const size_t pages = (stretch.extent + memory::GraphFrames::bytes - 1) / memory::GraphFrames::bytes;
    use.parts.push_back({stretch.addresses, static_cast<uint32_t>(pages)});
  }
}

size_t MemoryLayout::footprint() const {
  size_t bytes = 0;
  for (const Stretch& stretch : stretches_) bytes += stretch.extent;
  return bytes;
}

}  // namespace reprise_runtime::graph
