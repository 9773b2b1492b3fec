// One range of virtual addresses that holds every allocation of the runtime, so that classifying a pointer takes a
// subtraction, a shift and a load.
//
//   base                                                                                     base + bytes
//   | span (slab of 512-byte blocks) | span (one large allocation)      | free ...                       |
//   | granule | granule | granule | ...          each granule's directory entry points to its span, or null
//
// Thread safety: all functions may be called from any thread. `find` takes no lock; `acquire` and `release` do.
// Invariants:
//  1. Span records are never destroyed, only used again, so a pointer read from the directory stays readable.
//  2. A granule's entry is non-null exactly while its span is acquired.
//  3. Addresses outside acquired spans have no access rights: a stray access faults instead of reading old data.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "memory/address/span.h"

namespace reprise_runtime::memory {

class AddressWindow {
 public:
  static constexpr std::size_t granule = 64 * 1024;
  static constexpr std::size_t huge_page = 2 * 1024 * 1024;

  enum class Access { none, all };

  // Reserves about `bytes` of addresses (less if the system has no free range of that size); commits no memory.
  explicit AddressWindow(std::size_t bytes);
  ~AddressWindow();
  AddressWindow(const AddressWindow&) = delete;
  AddressWindow& operator=(const AddressWindow&) = delete;

  // The process's window.
  static AddressWindow& instance();

  bool contains(const void* address) const { return reinterpret_cast<std::uintptr_t>(address) - base_ < bytes_; }

  // The span around an address, or null.
  Span* find(const void* address) const {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - base_;
    return offset < bytes_ ? directory_[offset / granule].load(std::memory_order_acquire) : nullptr;
  }

  // Returns a span of at least `bytes`, readable and writable, or without memory yet; null if there is no memory. The
  // caller fills in the span's use, then calls publish. Spans of a huge page or more start on a huge page.
  Span* acquire(std::size_t bytes, Access access = Access::all) REPRISE_EXCLUDES(mutex_);
  void publish(Span* span) REPRISE_EXCLUDES(mutex_);

  // The same without memory, for owners that map it themselves: at `preferred` if these addresses are free, else at a
  // multiple of `alignment`, a power of two.
  Span* reserve(std::size_t bytes, std::size_t alignment, std::uintptr_t preferred) REPRISE_EXCLUDES(mutex_);
  // Makes addresses of an acquired span inaccessible and drops the memory behind them.
  static void drop_memory(void* address, std::size_t bytes);

  // Maps part of another process's memory file; returns null on failure. Such spans are never published: ForeignRanges
  // describes them. Since the addresses belong to the window, the system maps nothing else there after an unmap, and
  // dangling pointers are recognised.
  Span* map_file(int descriptor, std::size_t offset, std::size_t bytes) REPRISE_EXCLUDES(mutex_);

  // Returns memory and addresses.
  void release(Span* span) REPRISE_EXCLUDES(mutex_);

  // Calls `visit` for every published span; holds the window's lock.
  template <typename Visit>
  void for_each(Visit&& visit) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    for (Span* span : all_spans_) {
      if (span->published) visit(*span);
    }
  }

 private:
  // Runs of free granules, by start and by length; both hold the same runs.
  void add_free_run(std::size_t first, std::size_t count) REPRISE_REQUIRES(mutex_);
  bool take_free_run(std::size_t count, std::size_t alignment, std::size_t& first) REPRISE_REQUIRES(mutex_);
  bool take_run_at(std::size_t first, std::size_t count) REPRISE_REQUIRES(mutex_);
  void erase_free_run(std::map<std::size_t, std::size_t>::iterator run) REPRISE_REQUIRES(mutex_);
  Span* new_span() REPRISE_REQUIRES(mutex_);

  // Constant after construction.
  std::uintptr_t base_ = 0;
  std::size_t bytes_ = 0;
  std::atomic<Span*>* directory_ = nullptr;
  std::size_t directory_bytes_ = 0;

  Mutex mutex_;
  std::map<std::size_t, std::size_t> runs_by_start_ REPRISE_GUARDED_BY(mutex_);             // first granule -> count
  std::set<std::pair<std::size_t, std::size_t>> runs_by_count_ REPRISE_GUARDED_BY(mutex_);  // count, first granule
  std::vector<Span*> all_spans_ REPRISE_GUARDED_BY(mutex_);
  std::vector<Span*> spare_spans_ REPRISE_GUARDED_BY(mutex_);
};

}  // namespace reprise_runtime::memory
