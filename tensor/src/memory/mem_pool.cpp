#include <reprise/error.h>
#include <reprise/mem_pool.h>

#include <utility>

#include "memory/mem_pool_route.h"
#include "memory/pool.h"
#include "memory/pool_registry.h"

namespace reprise {
namespace {

PoolHandle new_pool(std::size_t fixed_bytes) {
  auto pool = std::make_shared<Pool>(fixed_bytes);
  register_pool(pool);
  return PoolHandle(std::move(pool));
}

}  // namespace

std::shared_ptr<Pool>& mem_pool_route() {
  thread_local std::shared_ptr<Pool> route;
  return route;
}

std::uint64_t PoolHandle::id() const { return pool_ ? pool_->id() : 0; }

PoolStatistics PoolHandle::statistics() const {
  check(pool_ != nullptr, "PoolHandle::statistics: the handle refers to no pool");
  return pool_->statistics();
}

PoolHandle graph_pool_handle() { return new_pool(0); }

MemPool::MemPool() : handle_(new_pool(0)) { handle_.pool()->add_user(); }
MemPool::MemPool(std::size_t fixed_bytes) {
  check(fixed_bytes != 0, "MemPool: a fixed size of 0 bytes can hold nothing");
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
  check(static_cast<bool>(pool), "use_mem_pool: the handle refers to no pool");
  mem_pool_route() = pool.pool();
}
UseMemPool::~UseMemPool() { mem_pool_route() = std::move(before_); }

PoolStatistics memory_statistics() { return default_pool()->statistics(); }
void reset_peak_memory_statistics() { default_pool()->reset_peaks(); }
void empty_cache() { default_pool()->release_unused(); }

}  // namespace reprise
