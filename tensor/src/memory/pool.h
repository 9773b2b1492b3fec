// A pool: memory taken from the device in segments, given out in blocks, reused as CUDA's orders allow.
//
// Who may take a free block:
//   - eager work of the stream that the block belonged to, at once, as a stream works in order;
//   - where other streams used it too: after events recorded on them when it was freed;
//   - within a capture, the capturing stream at once, since replay repeats the order; where other streams of the
//   capture
//     used it: once the taker comes after their work in the graph;
//   - after a capture, only further captures, since replays of the graph go on using the block.
// Nothing leaves a pool but through release_unused(), whole segments at a time.
//
// Thread safety: every member may be called from any thread. Invariants, under mutex_:
//   1. the blocks of a segment lie side by side from first on; two free neighbours of one owner are never left
//   unmerged;
//   2. free_ holds exactly the blocks in state free; waiting_ and joining_ those in state waiting; recent_ those in
//   state
//      recent, which eager work left and of which each is owned by its stream: work that repeats finds them again as
//      they were, and anything else turns them into free ones first;
//   3. statistics_.live is the sum over blocks in state used.
#pragma once

#include <reprise/pool_statistics.h>

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "memory/block.h"
#include "memory/short_lock.h"

namespace reprise {

class LivePeak;
class ReplayOrder;

class Pool : public std::enable_shared_from_this<Pool> {
 public:
  // With `fixed_bytes` the pool takes that much at once and never more.
  explicit Pool(std::size_t fixed_bytes = 0);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  Block* take(std::size_t bytes, Owner owner);
  // `others`: streams beside the owner's that used it.
  void give_back(Block* block, const std::vector<cudaStream_t>& others);

  void begin_capture(unsigned long long capture);
  // What the capture left free is `heir`'s.
  void end_capture(unsigned long long capture, Owner heir = Owner::next_capture());
  // Gives segments that are wholly free back to the device. While a capture is under way it is put off to its end.
  void release_unused();
  // `stream` is about to be destroyed and has no work left.
  void forget(cudaStream_t stream);

  // Users keep the memory reserved; when the last goes, what is unused goes back, and the rest as tensors die.
  void add_user();
  void remove_user();

  std::uint64_t id() const { return id_; }
  std::size_t fixed_bytes() const { return fixed_bytes_; }
  ReplayOrder& order() { return *order_; }
  PoolStatistics statistics() const;
  // Begins new peaks; a LivePeak goes on with its own.
  void reset_peaks();
  // Throws where an invariant does not hold.
  void check_invariants() const;

 private:
  friend class LivePeak;
  struct Waiting {
    Block* block;
    std::vector<cudaStream_t> to_record;  // streams that are capturing now: an event would become part of the capture
    std::vector<Event> events;
  };
  struct Joining {
    Block* block;
    std::vector<cudaGraphNode_t> after;  // the work that used it
  };

  bool is_small(std::size_t bytes) const;
  Block* find(std::size_t bytes, Owner owner) const;
  Block* use(Block* block, Owner owner);
  bool would_divide(const Block& block, std::size_t bytes) const;
  Block* take_recent(std::size_t bytes, Owner owner);
  void keep_recent(Block* block);
  void free_recent();
  Block* grow(std::size_t bytes, std::unique_lock<ShortLock>& lock);
  Block* add_segment(void* data, std::size_t bytes, bool small);
  Block* divide(Block* block, std::size_t bytes);
  Block* merge(Block* block);
  void make_free(Block* block, Owner owner);
  void wait_for(Block* block, std::vector<cudaStream_t> streams);
  bool is_over(Waiting& waiting) const;
  void take_completed();
  void take_joined(cudaStream_t stream);
  void release_unused(std::unique_lock<ShortLock>& lock);
  [[noreturn]] void fail_out_of_memory(std::size_t bytes, cudaError_t code) const;

  // Constant after construction.
  const std::uint64_t id_;
  const std::size_t fixed_bytes_;
  const std::unique_ptr<ReplayOrder> order_;

  // Guarded by mutex_.
  mutable ShortLock mutex_;
  std::list<Segment> segments_;
  std::set<Block*, BlockOrder> free_;
  std::list<Waiting> waiting_;
  std::vector<Block*> recent_;
  std::set<unsigned long long> captures_;  // under way
  std::list<Joining> joining_;
  PoolStatistics statistics_;
  std::vector<LivePeak*> live_peaks_;  // under way
  int users_ = 0;
  bool had_users_ = false;
};

// The most bytes of a pool in use at once since this was made. Any number may look on at a time.
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

// The pool of everything that asks for no other.
const std::shared_ptr<Pool>& common_pool();

}  // namespace reprise
