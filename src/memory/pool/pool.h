// A pool: memory that is allocated and freed in the order of streams.
//
// A free queues no task: the block records the point in the freeing stream up to which it may be in use. The same
// stream can reuse it at once; another stream when that point is reached, or when it waits for that point.
//
// Thread safety: all calls may be made from any thread. One lock.
// Invariants:
//  1. A free block is in recent_ or in listed_, by its state. Two listed neighbours of the same last user are joined.
//  2. used_ counts the allocated bytes as requested, reserved_ the bytes of all blocks that are not holes.
//  3. Pools are never destroyed, only reused: `closed_` ones accept no more requests, and return their memory when none
//     of it is live.
#pragma once

#include <driver_types.h>

#include <array>
#include <memory>
#include <set>
#include <vector>

#include "base/spin_lock.h"
#include "base/status.h"
#include "exec/lane.h"
#include "memory/address/span_owner.h"
#include "memory/pool/pool_file.h"
#include "memory/pool/pool_segment.h"

namespace reprise_runtime::memory {

struct PoolTraits {
  MemoryKind kind = MemoryKind::device;
  int device = 0;
  std::size_t most_bytes = 0;  // 0: no limit
  bool shared = false;         // other processes can open its memory
  bool imported = false;       // it belongs to another process
  bool exported = false;       // a descriptor of its file was exported
};

class Pool final : public SpanOwner {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Lifetime: a pool is in use from `open` to `close`.
  void open(const PoolTraits& traits, Ref<PoolFile> file) REPRISE_EXCLUDES(mutex_);
  void close() REPRISE_EXCLUDES(mutex_);
  bool is_open() REPRISE_EXCLUDES(mutex_);
  // Closed, and all memory returned: the pool can be opened again.
  bool is_done() REPRISE_EXCLUDES(mutex_);
  PoolTraits traits() REPRISE_EXCLUDES(mutex_);
  Ref<PoolFile> file() REPRISE_EXCLUDES(mutex_);

  struct Allocated {
    void* address = nullptr;
    std::vector<exec::Marker> first;  // the stream must wait for these before it uses the memory
  };
  // A block of exactly this size that the lane used last; null if there is none. About 15 ns.
  void* allocate_recent(std::size_t bytes, exec::Lane& lane) REPRISE_EXCLUDES(mutex_);
  // `bytes` is not 0.
  Result<Allocated> allocate(std::size_t bytes, exec::Lane& lane) REPRISE_EXCLUDES(mutex_);

  Range find(std::uintptr_t address) override REPRISE_EXCLUDES(mutex_);
  AllocationEvent latest_at_or_before(std::uintptr_t address) override REPRISE_EXCLUDES(mutex_);
  cudaError_t free(void* address, const exec::Marker& in_use_until) override REPRISE_EXCLUDES(mutex_);

  void note_export() REPRISE_EXCLUDES(mutex_);
  // The place of a live block in the file of an exported pool; an error if the address is not the start of one.
  struct Place {
    std::size_t offset = 0, bytes = 0;
  };
  Result<Place> place_of(const void* address) REPRISE_EXCLUDES(mutex_);

  [[nodiscard]] cudaError_t get_attribute(cudaMemPoolAttr attribute, void* value) REPRISE_EXCLUDES(mutex_);
  [[nodiscard]] cudaError_t set_attribute(cudaMemPoolAttr attribute, const void* value) REPRISE_EXCLUDES(mutex_);

  // Returns unused pages to the system as long as this many bytes are left.
  void trim(std::size_t keep) REPRISE_EXCLUDES(mutex_);
  // Trims to the release threshold; every synchronization does this.
  void release_unused() REPRISE_EXCLUDES(mutex_);
  // Frees everything, live or not. For cudaDeviceReset.
  void drop_all() REPRISE_EXCLUDES(mutex_);

  // The access of other devices as it was set; a pool's own device always has access.
  bool accessible_from(int device) REPRISE_EXCLUDES(mutex_);
  void set_accessible_from(int device, bool yes) REPRISE_EXCLUDES(mutex_);

  // Whether some pool may have something to release.
  static bool release_is_due() { return release_due_.load(std::memory_order_relaxed); }
  static void release_is_done() { release_due_.store(false, std::memory_order_relaxed); }

 private:
  struct Fit {
    exec::Progress* last_user;  // null: none
    std::size_t bytes;
    std::uintptr_t base;
    friend auto operator<=>(const Fit&, const Fit&) = default;
  };
  struct ByFit {
    using is_transparent = void;
    static Fit fit_of(const PoolBlock* block) { return {block->in_use_until.progress, block->bytes, block->base}; }
    bool operator()(const PoolBlock* a, const PoolBlock* b) const { return fit_of(a) < fit_of(b); }
    bool operator()(const PoolBlock* a, const Fit& b) const { return fit_of(a) < b; }
    bool operator()(const Fit& a, const PoolBlock* b) const { return a < fit_of(b); }
  };
  // Free neighbouring blocks that together are large enough.
  struct Run {
    PoolBlock* first = nullptr;
    std::size_t bytes = 0;
    explicit operator bool() const { return first; }
  };
  static constexpr std::size_t bin_count = 256;
  static std::size_t bin_of(std::size_t bytes) { return bytes / PoolSegment::unit % bin_count; }
  static std::size_t rounded(std::size_t bytes) {
    return (bytes + PoolSegment::unit - 1) / PoolSegment::unit * PoolSegment::unit;
  }

  PoolBlock* take_recent(std::size_t bytes, exec::Progress* user) REPRISE_REQUIRES(mutex_);
  void list_recent() REPRISE_REQUIRES(mutex_);
  void list(PoolBlock* block) REPRISE_REQUIRES(mutex_);
  void unlist(PoolBlock* block) REPRISE_REQUIRES(mutex_) { listed_.erase(block); }
  // Among the blocks that `user` used last and the unused ones.
  PoolBlock* best_fit(std::size_t bytes, exec::Progress* user) REPRISE_REQUIRES(mutex_);
  void settle(bool always) REPRISE_REQUIRES(mutex_);
  template <class Usable>
  Run find_run(std::size_t bytes, Usable&& usable, bool with_holes = false) REPRISE_REQUIRES(mutex_);
  PoolBlock* take_run(const Run& run, std::size_t bytes, std::vector<exec::Marker>& first) REPRISE_REQUIRES(mutex_);
  template <class Usable>
  PoolBlock* grow(std::size_t bytes, Usable&& usable) REPRISE_REQUIRES(mutex_);
  bool add_segment(std::size_t bytes) REPRISE_REQUIRES(mutex_);
  bool commit(const Run& run, std::size_t bytes) REPRISE_REQUIRES(mutex_);
  std::size_t missing_memory(const Run& run, std::size_t bytes) REPRISE_REQUIRES(mutex_);
  PoolBlock* cut(PoolBlock* block, std::size_t bytes) REPRISE_REQUIRES(mutex_);
  void* make_live(PoolBlock* block, std::size_t asked) REPRISE_REQUIRES(mutex_);

  PoolSegment* segment_at(std::uintptr_t address) REPRISE_REQUIRES(mutex_);
  // Whether there may be a free page beyond `keep` bytes.
  bool may_release(std::size_t keep) const REPRISE_REQUIRES(mutex_) {
    return reserved_ > keep && reserved_ - used_ >= PoolSegment::page;
  }
  void decommit(PoolBlock* block, std::size_t keep, bool at_least) REPRISE_REQUIRES(mutex_);
  void trim_locked(std::size_t keep, bool at_least) REPRISE_REQUIRES(mutex_);
  void release_segment(std::size_t index) REPRISE_REQUIRES(mutex_);
  int* flag(cudaMemPoolAttr attribute) REPRISE_REQUIRES(mutex_);

  static inline std::atomic<bool> release_due_{false};

  SpinLock mutex_;
  PoolTraits traits_ REPRISE_GUARDED_BY(mutex_);
  Ref<PoolFile> file_ REPRISE_GUARDED_BY(mutex_);  // behind the memory of a shared pool
  bool closed_ REPRISE_GUARDED_BY(mutex_) = true;
  std::array<PoolBlock*, bin_count> recent_ REPRISE_GUARDED_BY(mutex_) = {};
  std::size_t recent_count_ REPRISE_GUARDED_BY(mutex_) = 0;
  std::set<PoolBlock*, ByFit> listed_ REPRISE_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<PoolSegment>> segments_ REPRISE_GUARDED_BY(mutex_);

  std::uint64_t reached_from_ REPRISE_GUARDED_BY(mutex_) = 0;  // a bit for each device

  std::size_t used_ REPRISE_GUARDED_BY(mutex_) = 0;
  std::size_t used_high_ REPRISE_GUARDED_BY(mutex_) = 0;
  std::size_t reserved_ REPRISE_GUARDED_BY(mutex_) = 0;
  std::size_t reserved_high_ REPRISE_GUARDED_BY(mutex_) = 0;
  std::uint64_t threshold_ REPRISE_GUARDED_BY(mutex_) = 0;
  int follow_events_ REPRISE_GUARDED_BY(mutex_) = 1;
  int opportunistic_ REPRISE_GUARDED_BY(mutex_) = 1;
  int internal_dependencies_ REPRISE_GUARDED_BY(mutex_) = 1;
};

}  // namespace reprise_runtime::memory
