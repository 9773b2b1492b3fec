#include <reprise/error.h>
#include <reprise/mem_pool.h>

#include <utility>

#include "memory/mem_pool_route.h"
#include "memory/pool.h"
#include "memory/stream_watch.h"

namespace reprise {
namespace {

PoolHandle new_pool(std::size_t fixed_bytes) {
  auto pool = std::make_shared<Pool>(fixed_bytes);
  add_pool(pool);
  return PoolHandle(std::move(pool));
}

}  // namespace

std::shared_ptr<Pool>& mem_pool_route() {
  thread_local std::shared_ptr<Pool> route;
  return route;
}

std::uint64_t PoolHandle::id() const { return pool_ ? pool_->id() : 0; }

PoolStatistics PoolHandle::statistics() const {
  check(pool_ != nullptr, "asking for the statistics of no pool");
  return pool_->statistics();
}

PoolHandle graph_pool_handle() { return new_pool(0); }

MemPool::MemPool() : handle_(new_pool(0)) { handle_.pool()->add_user(); }
MemPool::MemPool(std::size_t fixed_bytes) {
  check(fixed_bytes != 0, "a MemPool of a fixed size of 0 bytes can hold nothing");
  handle_ = new_pool(fixed_bytes);
  handle_.pool()->add_user();
}
MemPool::MemPool(MemPool&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
MemPool& MemPool::operator=(MemPool&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}
MemPool::~MemPool() {
  if (handle_) handle_.pool()->remove_user();
}
void MemPool::release_unused() { handle_.pool()->release_unused(); }

UseMemPool::UseMemPool(const PoolHandle& pool) : before_(mem_pool_route()) {
  check(static_cast<bool>(pool), "use_mem_pool of no pool");
  mem_pool_route() = pool.pool();
}
UseMemPool::~UseMemPool() { mem_pool_route() = std::move(before_); }

PoolStatistics memory_statistics() { return common_pool()->statistics(); }
void reset_peak_memory_statistics() { common_pool()->reset_peaks(); }
void empty_cache() { common_pool()->release_unused(); }

}  // namespace reprise
