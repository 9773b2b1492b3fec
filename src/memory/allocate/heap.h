// Allocates one kind of memory for one owner: a device's memory, pinned host memory, or managed memory.
//
// Small requests share slabs. The bookkeeping of a block lies outside the slab, so that a kernel that writes past its
// buffer cannot corrupt the allocator. Larger requests get their own span.
//
// Thread safety: all calls may be made from any thread. One lock for each block size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/address/address_window.h"
#include "memory/allocate/capacity.h"
#include "memory/allocate/size_class.h"

namespace reprise_runtime::memory {

class Heap {
 public:
  // `smallest` is the smallest block size, a multiple of 512. `capacity` is charged for every allocation.
  Heap(AddressWindow& window, Capacity& capacity, MemoryKind kind, int device, std::size_t smallest = smallest_block);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  // Returns null if memory is short. `bytes` is not 0. Lookups return `flags` (8 bits).
  void* allocate(std::size_t bytes, std::uint32_t flags = 0);

  // Returns false and changes nothing if `address` is not the start of a live allocation in `span`, a span of this
  // heap.
  bool free(Span* span, void* address);

  // Frees all live allocations. Only for a device reset: no work may be using the memory.
  void free_all();

 private:
  struct Bin {
    Mutex mutex;
    std::vector<Span*> with_free_blocks REPRISE_GUARDED_BY(mutex);
  };

  void* allocate_small(SizeClass size_class, std::size_t bytes, std::uint32_t flags);
  void* allocate_large(std::size_t bytes, std::uint32_t flags);
  bool free_small(Span* span, void* address);
  bool free_large(Span* span, void* address);
  Span* new_slab(Bin& bin, SizeClass size_class) REPRISE_REQUIRES(bin.mutex);
  void unlist(Bin& bin, Span* slab) REPRISE_REQUIRES(bin.mutex);

  AddressWindow& window_;
  Capacity& capacity_;
  const MemoryKind kind_;
  const int device_;
  const std::size_t smallest_;
  std::array<Bin, size_class_count> bins_;
};

}  // namespace reprise_runtime::memory
