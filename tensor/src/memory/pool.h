// A caching allocator: takes segments from the device and hands out blocks of them.
//
// A freed block may be reused
//   - by eager work of the stream that used it, at once, since a stream runs in order;
//   - if other streams used it too, after events that were recorded on them when it was freed;
//   - within a capture, by the capturing stream at once, since replay repeats the order; if other streams of the
//   capture
//     used it, once the reusing work comes after theirs in the graph;
//   - after a capture, only by other captures, since replays of the graph still use it.
// Only release_unused() returns memory to the device, a whole segment at a time.
//
// Thread safety: every member may be called from any thread. Invariants, under mutex_:
//   1. the blocks of a segment are adjacent, starting with `first`; adjacent free blocks of one owner are merged;
//   2. free_ has exactly the blocks in state free; waiting_ and joining_ those in state waiting; recent_ those in state
//      recent: blocks that eager work freed and that repeated work can reuse unchanged. Any other request first turns
//      all of them into free blocks;
//   3. statistics_.live is the sum of the sizes of blocks in state used.
#pragma once

#include <reprise/pool_statistics.h>

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "memory/block.h"
#include "memory/spin_lock.h"

namespace reprise {

class LivePeak;
class ReplayOrder;

class Pool : public std::enable_shared_from_this<Pool> {
 public:
  // With `fixed_bytes`, the pool reserves that much now and never more.
  explicit Pool(std::size_t fixed_bytes = 0);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  Block* take(std::size_t bytes, Owner owner);
  // `others` are the streams besides the owner's that used the block.
  void give_back(Block* block, const std::vector<cudaStream_t>& others);

  void begin_capture(unsigned long long capture);
  // Blocks that the capture freed belong to `new_owner` afterwards.
  void end_capture(unsigned long long capture, Owner new_owner = Owner::next_capture());
  // Returns completely free segments to the device. During a capture this is deferred to its end.
  void release_unused();
  // `stream` is about to be destroyed and has no work left.
  void forget(cudaStream_t stream);

  // Users keep the memory reserved. When the last one is removed, unused segments return to the device, and the others
  // as their tensors are destroyed.
  void add_user();
  void remove_user();

  std::uint64_t id() const { return id_; }
  std::size_t fixed_bytes() const { return fixed_bytes_; }
  ReplayOrder& order() { return *order_; }
  PoolStatistics statistics() const;
  // Resets the peaks in statistics(); does not affect a LivePeak.
  void reset_peaks();
  // Throws if an invariant is violated. For tests.
  void check_invariants() const;

 private:
  friend class LivePeak;
  struct Waiting {
    Block* block;
    std::vector<cudaStream_t> to_record;  // streams that are capturing, where an event would become part of the capture
    std::vector<Event> events;
  };
  struct Joining {
    Block* block;
    std::vector<cudaGraphNode_t> after;  // the nodes that used it
  };

  bool is_small(std::size_t bytes) const;
  Block* find(std::size_t bytes, Owner owner) const;
  Block* use(Block* block, Owner owner);
  bool would_divide(const Block& block, std::size_t bytes) const;
  Block* take_recent(std::size_t bytes, Owner owner);
  void keep_recent(Block* block);
  void free_recent();
  Block* grow(std::size_t bytes, std::unique_lock<SpinLock>& lock);
  Block* add_segment(void* data, std::size_t bytes, bool small);
  Block* divide(Block* block, std::size_t bytes);
  Block* merge(Block* block);
  void make_free(Block* block, Owner owner);
  void wait_for(Block* block, std::vector<cudaStream_t> streams);
  bool is_over(Waiting& waiting) const;
  void take_completed();
  void take_joined(cudaStream_t stream);
  void release_unused(std::unique_lock<SpinLock>& lock);
  [[noreturn]] void fail_out_of_memory(std::size_t bytes, cudaError_t code) const;

  // Constant after construction.
  const std::uint64_t id_;
  const std::size_t fixed_bytes_;
  const std::unique_ptr<ReplayOrder> order_;

  // Guarded by mutex_.
  mutable SpinLock mutex_;
  std::list<Segment> segments_;
  std::set<Block*, BlockOrder> free_;
  std::list<Waiting> waiting_;
  std::vector<Block*> recent_;
  std::set<unsigned long long> captures_;  // in progress
  std::list<Joining> joining_;
  PoolStatistics statistics_;
  std::vector<LivePeak*> live_peaks_;  // alive
  int users_ = 0;
  bool had_users_ = false;
};

// Tracks the maximum number of bytes in use since its construction. A pool may have several.
class LivePeak {
 public:
  explicit LivePeak(std::shared_ptr<Pool> pool);
  ~LivePeak();
  LivePeak(const LivePeak&) = delete;
  LivePeak& operator=(const LivePeak&) = delete;

  std::size_t bytes() const;

 private:
  friend class Pool;
  const std::shared_ptr<Pool> pool_;
  std::size_t bytes_ = 0;  // guarded by the pool's mutex
};

// The pool of all allocations that name no other.
const std::shared_ptr<Pool>& default_pool();

}  // namespace reprise
