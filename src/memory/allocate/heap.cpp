#include "memory/allocate/heap.h"

#include <algorithm>
#include <cassert>

namespace reprise_runtime::memory {
namespace {

constexpr std::size_t page = 4096;

std::size_t large_charge(std::size_t bytes) { return (bytes + page - 1) / page * page; }

// Enough blocks to amortise a slab, in whole granules, and no more than a span can describe.
std::size_t slab_bytes(std::size_t block_bytes) {
  return std::max(AddressWindow::granule,
                  (8 * block_bytes + AddressWindow::granule - 1) / AddressWindow::granule * AddressWindow::granule);
}
static_assert(AddressWindow::granule / smallest_block <= Span::max_blocks);
static_assert(largest_block < (std::size_t{1} << Span::size_bits));

}  // namespace

Heap::Heap(AddressWindow& window, Capacity& capacity, MemoryKind kind, int device, std::size_t smallest)
    : window_(window), capacity_(capacity), kind_(kind), device_(device), smallest_(smallest) {}

Heap::~Heap() { free_all(); }

void* Heap::allocate(std::size_t bytes, std::uint32_t flags) {
  assert(bytes > 0 && flags < 256);
  const std::size_t at_least = std::max(bytes, smallest_);
  return at_least <= largest_block ? allocate_small(size_class_of(at_least), bytes, flags)
                                   : allocate_large(bytes, flags);
}

void* Heap::allocate_small(SizeClass size_class, std::size_t bytes, std::uint32_t flags) {
  if (!capacity_.charge(size_class.block_bytes)) return nullptr;
  Bin& bin = bins_[size_class.index];
  MutexLock lock(bin.mutex);
  if (bin.with_free_blocks.empty() && !new_slab(bin, size_class)) {
    capacity_.refund(size_class.block_bytes);
    return nullptr;
  }
  Span* slab = bin.with_free_blocks.back();
  const std::uint16_t index = slab->free_blocks[--slab->free_count];
  if (slab->free_count == 0) unlist(bin, slab);
  slab->blocks[index].store(static_cast<std::uint32_t>(bytes) | flags << Span::size_bits, std::memory_order_release);
  return reinterpret_cast<void*>(slab->base.load(std::memory_order_relaxed) +
                                 std::size_t{index} * size_class.block_bytes);
}

Span* Heap::new_slab(Bin& bin, SizeClass size_class) {
  Span* slab = window_.acquire(slab_bytes(size_class.block_bytes));
  if (!slab) return nullptr;
  slab->block_bytes.store(size_class.block_bytes, std::memory_order_relaxed);
  slab->kind.store(kind_, std::memory_order_relaxed);
  slab->device.store(static_cast<std::int16_t>(device_), std::memory_order_relaxed);
  slab->block_count = static_cast<std::uint16_t>(
      std::min(slab->bytes.load(std::memory_order_relaxed) / size_class.block_bytes, Span::max_blocks));
  slab->free_count = slab->block_count;
  for (std::uint16_t i = 0; i < slab->block_count; ++i) {
    slab->blocks[i].store(0, std::memory_order_relaxed);
    slab->free_blocks[i] = static_cast<std::uint16_t>(slab->block_count - 1 - i);  // the lowest address on top
  }
  window_.publish(slab);
  slab->slot = static_cast<std::uint32_t>(bin.with_free_blocks.size());
  bin.with_free_blocks.push_back(slab);
  return slab;
}

void Heap::unlist(Bin& bin, Span* slab) {
  bin.with_free_blocks[slab->slot] = bin.with_free_blocks.back();
  bin.with_free_blocks[slab->slot]->slot = slab->slot;
  bin.with_free_blocks.pop_back();
}

void* Heap::allocate_large(std::size_t bytes, std::uint32_t flags) {
  if (bytes > SIZE_MAX - AddressWindow::huge_page || !capacity_.charge(large_charge(bytes))) return nullptr;
  Span* span = window_.acquire(bytes);
  if (!span) {
    capacity_.refund(large_charge(bytes));
    return nullptr;
  }
  span->block_bytes.store(0, std::memory_order_relaxed);
  span->kind.store(kind_, std::memory_order_relaxed);
  span->device.store(static_cast<std::int16_t>(device_), std::memory_order_relaxed);
  span->large_flags.store(flags, std::memory_order_relaxed);
  span->large_size.store(bytes, std::memory_order_relaxed);
  window_.publish(span);
  return reinterpret_cast<void*>(span->base.load(std::memory_order_relaxed));
}

bool Heap::free(Span* span, void* address) {
  return span->block_bytes.load(std::memory_order_relaxed) ? free_small(span, address) : free_large(span, address);
}

bool Heap::free_small(Span* span, void* address) {
  const std::uint32_t block_bytes = span->block_bytes.load(std::memory_order_relaxed);
  if (block_bytes == 0) return false;  // lost a race with another free of the same address
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - span->base.load(std::memory_order_relaxed);
  const std::size_t index = offset / block_bytes;
  if (index * block_bytes != offset) return false;
  const SizeClass size_class = size_class_of(block_bytes);
  Bin& bin = bins_[size_class.index];
  MutexLock lock(bin.mutex);
  if (index >= span->block_count || span->block_bytes.load(std::memory_order_relaxed) != block_bytes) return false;
  if (span->blocks[index].exchange(0, std::memory_order_relaxed) == 0) return false;
  capacity_.refund(block_bytes);
  span->free_blocks[span->free_count++] = static_cast<std::uint16_t>(index);
  if (span->free_count == 1) {
    span->slot = static_cast<std::uint32_t>(bin.with_free_blocks.size());
    bin.with_free_blocks.push_back(span);
  }
  // One empty slab of each size is kept for the next request. A slab in a memory file is released at once: its next
  // blocks would be visible to other processes.
  const bool empty = span->free_count == span->block_count;
  if (empty && (bin.with_free_blocks.size() > 1 || span->shared_fd.load(std::memory_order_relaxed) >= 0)) {
    unlist(bin, span);
    window_.release(span);
  }
  return true;
}

bool Heap::free_large(Span* span, void* address) {
  if (reinterpret_cast<std::uintptr_t>(address) != span->base.load(std::memory_order_relaxed)) return false;
  const std::size_t bytes = span->large_size.exchange(0, std::memory_order_relaxed);  // one of two racing frees wins
  if (bytes == 0) return false;
  window_.release(span);
  capacity_.refund(large_charge(bytes));
  return true;
}

void Heap::free_all() {
  std::vector<Span*> mine;
  window_.for_each([&](Span& span) {
    if (!span.owner.load(std::memory_order_relaxed) && span.kind.load(std::memory_order_relaxed) == kind_ &&
        span.device.load(std::memory_order_relaxed) == device_) {
      mine.push_back(&span);
    }
  });
  for (Span* span : mine) {
    if (span->block_bytes.load(std::memory_order_relaxed) == 0) {
      free_large(span, reinterpret_cast<void*>(span->base.load(std::memory_order_relaxed)));
      continue;
    }
    const SizeClass size_class = size_class_of(span->block_bytes.load(std::memory_order_relaxed));
    Bin& bin = bins_[size_class.index];
    MutexLock lock(bin.mutex);
    for (std::uint16_t i = 0; i < span->block_count; ++i) {
      if (span->blocks[i].exchange(0, std::memory_order_relaxed)) capacity_.refund(size_class.block_bytes);
    }
    if (span->free_count) unlist(bin, span);
    window_.release(span);
  }
}

}  // namespace reprise_runtime::memory
