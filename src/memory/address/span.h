// A range of addresses with one use: a single large allocation, or a slab of equal small blocks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/address/memory_kind.h"

namespace reprise_runtime::memory {

class SpanOwner;

// Fields that `lookup` reads are atomic: a lookup of an address that is being freed sees old or new values, never torn
// ones.
struct Span {
  static constexpr std::size_t max_blocks = 128;

  std::atomic<std::uintptr_t> base{0};
  std::atomic<std::size_t> bytes{0};          // whole granules
  std::atomic<std::uint32_t> block_bytes{0};  // 0: one large allocation
  std::atomic<MemoryKind> kind{MemoryKind::dead};
  std::atomic<std::int16_t> device{0};
  std::atomic<std::uint32_t> large_flags{0};
  std::atomic<std::size_t> large_size{0};  // the requested size; 0: not allocated
  std::atomic<SpanOwner*> owner{nullptr};  // manages the contents, if the span is neither a slab nor one allocation
  std::atomic<int> shared_fd{-1};          // the memory file behind it, once exported to other processes

  // A slab's blocks: 0 while free, else (requested size) + (flags << size_bits).
  static constexpr unsigned size_bits = 24;
  std::atomic<std::uint32_t> blocks[max_blocks] = {};

  // Guarded by the owning heap's lock.
  std::uint16_t block_count = 0;
  std::uint16_t free_count = 0;
  std::uint16_t free_blocks[max_blocks] = {};  // a stack of free_count indices
  std::uint32_t slot = 0;                      // index in the heap's list of slabs with free blocks

  // Guarded by the window's lock.
  bool published = false;
};

}  // namespace reprise_runtime::memory
