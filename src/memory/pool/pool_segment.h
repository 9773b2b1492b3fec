// A stretch of a pool's addresses: a span, cut into blocks that lie one after the other.
//
//   | live 4 KiB | free, stream 1 may use it until ... | live 1 MiB | free      | hole: no memory behind it      |
//   | page                                                          | page      | page           | page          |
//
// Memory comes and goes by pages of 32 MiB, as on NVIDIA's GPUs, where it is what cudaMemPoolAttrReservedMem counts.
//
// Thread safety: belongs to whoever holds the pool's mutex.
// Invariants:
//  1. The blocks cover the segment without gaps, in the order of their links.
//  2. starts_ names the block that starts at a unit, and bits_ has that unit's bit; summary_ has a bit for every word
//  of
//     bits_ that is not 0.
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
  std::size_t asked = 0;      // by the user, while live
  exec::Marker in_use_until;  // of a free block: what its last user's stream may still do with it
  PoolSegment* segment = nullptr;
  PoolBlock* before = nullptr;  // in the segment
  PoolBlock* after = nullptr;
  PoolBlock* next_recent = nullptr;
  State state = State::listed;

  bool free() const { return state == State::recent || state == State::listed; }
};

class PoolSegment {
 public:
  static constexpr std::size_t unit = 512;
  static constexpr std::size_t page = std::size_t{32} << 20;

  // Of all of the span's bytes, which are whole pages: one hole at first.
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

  // Cuts a block in two; gives the second, which is what the first is. Joins a block with the one after it.
  PoolBlock& split(PoolBlock& block, std::size_t bytes);
  void join_with_next(PoolBlock& block);

  // Puts memory behind a hole, or takes it from a free block; both are whole pages.
  [[nodiscard]] bool commit(PoolBlock& hole, const PoolFile* file);
  void decommit(PoolBlock& block, const PoolFile* file);

  std::size_t live = 0;         // blocks
  std::size_t file_offset = 0;  // of a pool that is shared, in its file

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
  // Mostly never touched, and then no memory.
  std::unique_ptr<PoolBlock*[], Free> starts_;
  std::unique_ptr<std::uint64_t[], Free> bits_;
  std::unique_ptr<std::uint64_t[], Free> summary_;
};

}  // namespace reprise_runtime::memory
