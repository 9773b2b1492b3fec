// Pools of device memory: shared by graphs, or separate for some eager work, optionally of a fixed size.
//
//   MemPool pool(1 << 30);                                 // one GiB, never more
//   graph.capture(step, {pool});
//   { auto scope = use_mem_pool(pool); y = model(x); }     // eager allocations of this thread
//
// Thread safety: everything may be used from any thread. UseMemPool affects only the thread that constructs it.
#pragma once

#include <reprise/pool_statistics.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace reprise {

class Pool;

// Refers to a pool. A handle alone keeps no memory reserved; graphs and MemPools do.
class PoolHandle {
 public:
  PoolHandle() = default;  // no pool: a graph then creates its own
  explicit PoolHandle(std::shared_ptr<Pool> pool) : pool_(std::move(pool)) {}

  explicit operator bool() const { return pool_ != nullptr; }
  const std::shared_ptr<Pool>& pool() const { return pool_; }
  std::uint64_t id() const;  // 0: none
  PoolStatistics statistics() const;

  friend bool operator==(const PoolHandle& a, const PoolHandle& b) { return a.pool_ == b.pool_; }
  friend bool operator!=(const PoolHandle& a, const PoolHandle& b) { return a.pool_ != b.pool_; }

 private:
  std::shared_ptr<Pool> pool_;
};

// A new pool, for graphs to share.
PoolHandle graph_pool_handle();

// Owns a pool and keeps its memory reserved until it is destroyed. Its tensors may outlive it.
class MemPool {
 public:
  MemPool();
  // Reserves `fixed_bytes` now and never more. An allocation that does not fit throws.
  explicit MemPool(std::size_t fixed_bytes);
  MemPool(MemPool&& other) noexcept;
  MemPool& operator=(MemPool&& other) noexcept;
  ~MemPool();

  PoolHandle handle() const { return handle_; }
  operator PoolHandle() const { return handle_; }
  std::uint64_t id() const { return handle_.id(); }
  PoolStatistics statistics() const { return handle_.statistics(); }
  // Returns segments that are completely unused to the device.
  void release_unused();

 private:
  PoolHandle handle_;
};

// Within its scope, eager allocations of this thread come from `pool`. Scopes nest. Captures use their own pool.
class UseMemPool {
 public:
  explicit UseMemPool(const PoolHandle& pool);
  ~UseMemPool();
  UseMemPool(const UseMemPool&) = delete;
  UseMemPool& operator=(const UseMemPool&) = delete;

 private:
  std::shared_ptr<Pool> before_;
};
[[nodiscard]] inline UseMemPool use_mem_pool(const PoolHandle& pool) { return UseMemPool(pool); }

// Of the default pool.
PoolStatistics memory_statistics();
void reset_peak_memory_statistics();
// Returns segments of the default pool that are completely unused to the device.
void empty_cache();

}  // namespace reprise
