// Memory from a Pool. It registers its uses with captures and warm-ups.
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
  // `contents` is null for eager memory.
  PooledMemory(Block* block, std::shared_ptr<Pool> pool, std::shared_ptr<Contents> contents);
  ~PooledMemory() override;

  // Starts a new generation, and returns it: memory allocated from now on has at least this generation.
  static std::uint64_t next_generation();

  void check_readable() const override;
  void wait_for_other_streams(cudaStream_t stream) const override;
  void note_use(const std::shared_ptr<const Memory>& self, cudaStream_t stream) const override;
  unsigned long long capture() const { return capture_; }  // in which it was allocated; 0 if eager
  const std::shared_ptr<Contents>& contents() const { return contents_; }
  const std::shared_ptr<Pool>& pool() const { return pool_; }

 private:
  // Constant after construction.
  const std::uint64_t generation_;
  Block* const block_;
  const cudaStream_t stream_;  // for which it was allocated
  const unsigned long long capture_;
  const std::shared_ptr<Pool> pool_;
  const std::shared_ptr<Contents> contents_;

  mutable std::atomic<std::uintptr_t> last_other_{
      ~std::uintptr_t{0}};  // one stream of others_, checked without the lock
  mutable std::mutex mutex_;
  mutable std::vector<cudaStream_t> others_;  // guarded by mutex_: streams other than stream_ that use it
};

}  // namespace reprise
