// Memory from a Pool.
#pragma once

#include <reprise/memory.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "memory/pool.h"
#include "memory/replay_order.h"

namespace reprise {

class PooledMemory : public Memory {
 public:
  // `contents` for memory that a capture was given.
  PooledMemory(Block* block, std::shared_ptr<Pool> pool, std::shared_ptr<Contents> contents);
  ~PooledMemory() override;

  // Begins a new age: what is made from now on has at least this as its birth.
  static std::uint64_t next_age();

  void check_readable() const override;
  void note_use(const std::shared_ptr<const Memory>& self, cudaStream_t stream) const override;
  unsigned long long capture() const { return capture_; }  // that it was allocated in; 0: none
  const std::shared_ptr<Contents>& contents() const { return contents_; }
  const std::shared_ptr<Pool>& pool() const { return pool_; }

 private:
  // Constant after construction.
  const std::uint64_t birth_;
  Block* const block_;
  const cudaStream_t stream_;  // that it was allocated for
  const unsigned long long capture_;
  const std::shared_ptr<Pool> pool_;
  const std::shared_ptr<Contents> contents_;

  mutable std::atomic<std::uintptr_t> last_other_{~std::uintptr_t{0}};  // one that others_ has
  mutable std::mutex mutex_;
  mutable std::vector<cudaStream_t> others_;  // guarded by mutex_: streams beside stream_ that use it
};

}  // namespace reprise
