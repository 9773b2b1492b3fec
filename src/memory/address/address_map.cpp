#include "memory/address/address_map.h"

#include "memory/address/address_window.h"
#include "memory/address/foreign_ranges.h"
#include "memory/address/span_owner.h"

namespace reprise_runtime::memory {
namespace {

Range look_into(const Span& span, std::uintptr_t address) {
  if (SpanOwner* owner = span.owner.load(std::memory_order_acquire)) return owner->find(address);
  Range range;
  range.kind = MemoryKind::dead;
  range.device = span.device.load(std::memory_order_relaxed);
  const std::uintptr_t base = span.base.load(std::memory_order_relaxed);
  const std::uint32_t block_bytes = span.block_bytes.load(std::memory_order_relaxed);
  std::size_t size = 0;
  if (block_bytes == 0) {
    range.base = base;
    range.flags = static_cast<std::uint8_t>(span.large_flags.load(std::memory_order_relaxed));
    size = span.large_size.load(std::memory_order_relaxed);
  } else {
    const std::size_t index = (address - base) / block_bytes;
    if (index >= Span::max_blocks) return range;
    const std::uint32_t block = span.blocks[index].load(std::memory_order_acquire);
    range.base = base + index * block_bytes;
    range.flags = static_cast<std::uint8_t>(block >> Span::size_bits);
    size = block & ((std::uint32_t{1} << Span::size_bits) - 1);
  }
  if (address - range.base < size) {
    range.size = size;
    range.kind = span.kind.load(std::memory_order_relaxed);
  }
  return range;
}

}  // namespace

Range lookup(const void* address) {
  const AddressWindow& window = AddressWindow::instance();
  const bool inside = window.contains(address);
  if (inside) {
    if (const Span* span = window.find(address)) return look_into(*span, reinterpret_cast<std::uintptr_t>(address));
  }
  const ForeignRange foreign = ForeignRanges::instance().find(address);
  if (foreign.size == 0) {
    Range range;
    if (inside) range.kind = MemoryKind::dead;
    return range;
  }
  return {foreign.base, foreign.size, foreign.kind, foreign.flags, foreign.device};
}

bool hold_together(const Range& range, const void* address, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (bytes > UINTPTR_MAX - begin) return false;
  std::uintptr_t end = range.base + range.size;
  while (end < begin + bytes) {
    const void* const next = reinterpret_cast<const void*>(end);
    const SpanOwner* owner = owner_of(next);
    if (!owner || !owner->joins_ranges()) return false;
    const Range adjoining = lookup(next);
    if (adjoining.base != end || adjoining.kind != range.kind || adjoining.protection != range.protection) return false;
    end += adjoining.size;
  }
  return true;
}

}  // namespace reprise_runtime::memory
