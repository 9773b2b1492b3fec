// Address ranges that CUDA knows and this library did not allocate: registered host memory, __device__ variables,
// memory opened from another process. The ranges are sorted and never overlap.
//
// Thread safety: all functions may be called from any thread. `find` takes no lock, and retries if a change runs
// concurrently. Changes take a lock.
// Invariants:
//  1. `version_` is odd while the table is being changed; a reader that saw one even value before and after has
//     read one state.
//  2. Outgrown tables are kept for the life of the process, as a late reader may still use them. Since tables grow by
//     doubling, all old ones together are smaller than the newest.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "memory/address/span.h"

namespace reprise_runtime::memory {

struct ForeignRange {
  std::uintptr_t base = 0;
  std::size_t size = 0;
  MemoryKind kind = MemoryKind::pageable;
  std::uint8_t flags = 0;
  std::int16_t device = 0;
};

class ForeignRanges {
 public:
  ForeignRanges() = default;
  ForeignRanges(const ForeignRanges&) = delete;
  ForeignRanges& operator=(const ForeignRanges&) = delete;

  // The process's ranges.
  static ForeignRanges& instance();

  // Returns false and changes nothing if the range would overlap another.
  bool add(const ForeignRange& range) REPRISE_EXCLUDES(mutex_);

  // Removes and returns the range of `kind` that starts at `base`; its size is 0 if there is none.
  ForeignRange remove(const void* base, MemoryKind kind) REPRISE_EXCLUDES(mutex_);

  // Removes all ranges of a kind and a device.
  void remove_all(MemoryKind kind, int device) REPRISE_EXCLUDES(mutex_);

  // The range around an address; its size is 0 if there is none.
  ForeignRange find(const void* address) const;

 private:
  struct Entry {
    std::atomic<std::uintptr_t> base{0};
    std::atomic<std::size_t> size{0};
    std::atomic<std::uint32_t> about{0};  // kind, flags, device
    void store(const ForeignRange& range);
    ForeignRange load() const;
  };
  struct Table {
    explicit Table(std::size_t size) : capacity(size), entries(new Entry[size]) {}
    const std::size_t capacity;
    std::unique_ptr<Entry[]> entries;
  };

  // How many of the first `count` entries start at or before `address`.
  static std::size_t count_up_to(const Table& table, std::size_t count, std::uintptr_t address);
  ForeignRange find_once(std::uintptr_t address) const;
  void make_room(std::size_t count) REPRISE_REQUIRES(mutex_);

  std::atomic<std::uint32_t> version_{0};
  std::atomic<Table*> table_{nullptr};
  std::atomic<std::size_t> count_{0};
  Mutex mutex_;
  std::vector<std::unique_ptr<Table>> tables_ REPRISE_GUARDED_BY(mutex_);
};

}  // namespace reprise_runtime::memory
