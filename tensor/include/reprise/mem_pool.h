// Pools of device memory as values: for graphs to share, for eager work to keep apart, with an upper bound if wanted.
//
// Thread safety: all may be used from any thread; UseMemPool is about the thread that makes it.
#pragma once

#include <reprise/pool_statistics.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace reprise {

class Pool;

// Names a pool. It keeps no memory reserved; graphs and MemPools do.
class PoolHandle {
 public:
  PoolHandle() = default;  // no pool: a graph then gets one of its own
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

// A pool that keeps its memory for as long as it lives. Tensors in it may outlive it.
class MemPool {
 public:
  MemPool();
  // Takes `fixed_bytes` from the device now and never more: what does not fit is an error that says so.
  explicit MemPool(std::size_t fixed_bytes);
  MemPool(MemPool&& other) noexcept;
  MemPool& operator=(MemPool&& other) noexcept;
  ~MemPool();

  PoolHandle handle() const { return handle_; }
  operator PoolHandle() const { return handle_; }
  std::uint64_t id() const { return handle_.id(); }
  PoolStatistics statistics() const { return handle_.statistics(); }
  // Gives back to the device what is wholly unused.
  void release_unused();

 private:
  PoolHandle handle_;
};

// This thread's eager allocations come from the pool until it is destroyed; the innermost counts. A capture keeps its
// own.
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

// Of the pool that is used where nothing else is said.
PoolStatistics memory_statistics();
void reset_peak_memory_statistics();
// Gives back to the device what is wholly unused.
void empty_cache();

}  // namespace reprise
