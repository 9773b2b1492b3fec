// A range of a pool's addresses: a span, divided into adjacent blocks.
//
//   | live 4 KiB | free, stream 1 may use it until ... | live 1 MiB | free      | hole: no memory behind it      |
//   | page                                                          | page      | page           | page          |
//
// Memory is mapped in pages of 32 MiB, as on NVIDIA's GPUs; cudaMemPoolAttrReservedMem counts them.
//
// Thread safety: the pool's mutex guards all of it.
// Invariants:
//  1. The blocks cover the segment without gaps, in the order of their links.
//  2. starts_ has the block that starts at a unit, and bits_ that unit's bit; summary_ has a bit for every nonzero word
//     of bits_.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "exec/progress.h"
#include "memory/address/span.h"
#include "memory/pool/pool_file.h"

namespace reprise_runtime::memory {

class PoolSegment;

struct PoolBlock {
  enum class State : std::uint8_t {
    live,    // allocated
    recent,  // free, and kept whole for the next request of its size
    listed,  // free, joined with free neighbours
    hole,    // whole pages without memory
  };

  std::uintptr_t base = 0;
  std::size_t bytes = 0;
  std::size_t asked = 0;      // requested bytes, while live
  exec::Marker in_use_until;  // of a free block: the point up to which its last stream may use it
  PoolSegment* segment = nullptr;
  PoolBlock* before = nullptr;  // in the segment
  PoolBlock* after = nullptr;
  PoolBlock* next_recent = nullptr;
  State state = State::listed;
  const void* caller = nullptr;  // that allocated it, or freed it: a return address in the program

  bool free() const { return state == State::recent || state == State::listed; }
};

class PoolSegment {
 public:
  static constexpr std::size_t unit = 512;
  static constexpr std::size_t page = std::size_t{32} << 20;

  // Covers all of the span's bytes, which are whole pages, with one hole.
  PoolSegment(Span& span, std::size_t bytes);
  ~PoolSegment();
  PoolSegment(const PoolSegment&) = delete;
  PoolSegment& operator=(const PoolSegment&) = delete;

  Span& span() const { return span_; }
  std::size_t bytes() const { return bytes_; }
  std::uintptr_t base() const { return base_; }
  PoolBlock* first() const { return first_; }

  // The block that starts at the address, or null. The block around it.
  PoolBlock* starting_at(std::uintptr_t address) const;
  PoolBlock* around(std::uintptr_t address) const;

  // Splits a block and returns the second part, in the same state. Merges a block with the next one.
  PoolBlock& split(PoolBlock& block, std::size_t bytes);
  void join_with_next(PoolBlock& block);

  // Maps memory behind a hole, or unmaps it from a free block; both are whole pages.
  [[nodiscard]] bool commit(PoolBlock& hole, const PoolFile* file);
  void decommit(PoolBlock& block, const PoolFile* file);

  std::size_t live = 0;         // blocks
  std::size_t file_offset = 0;  // in the file of a shared pool

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  void enter(PoolBlock& block);
  void leave(const PoolBlock& block);
  std::size_t unit_of(std::uintptr_t address) const { return (address - base_) / unit; }

  Span& span_;
  const std::uintptr_t base_;
  const std::size_t bytes_;
  PoolBlock* first_;
  // Untouched parts use no memory.
  std::unique_ptr<PoolBlock*[], Free> starts_;
  std::unique_ptr<std::uint64_t[], Free> bits_;
  std::unique_ptr<std::uint64_t[], Free> summary_;
};

}  // namespace reprise_runtime::memory
