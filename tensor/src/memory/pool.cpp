#include "memory/pool.h"

#include <reprise/capture.h>
#include <reprise/memory.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "memory/block_sizes.h"
#include "memory/graph_joins.h"
#include "memory/pool_registry.h"
#include "memory/replay_order.h"

namespace reprise {
namespace {

// The number of blocks kept as recent: as many as one step of a small model frees.
constexpr std::size_t most_recent = 32;

std::atomic<std::uint64_t> last_id{0};

}  // namespace

Pool::Pool(std::size_t fixed_bytes)
    : id_(++last_id), fixed_bytes_(round_up(fixed_bytes, granule)), order_(std::make_unique<ReplayOrder>()) {
  if (fixed_bytes_ == 0) return;
  void* data = nullptr;
  RelaxedCaptureMode relaxed;
  cudaError_t code = cudaMalloc(&data, fixed_bytes_);
  if (code != cudaSuccess) fail_out_of_memory(fixed_bytes_, code);
  std::lock_guard<SpinLock> lock(mutex_);
  make_free(add_segment(data, fixed_bytes_, false), Owner::unused());
}

Pool::~Pool() {
  RelaxedCaptureMode relaxed;
  for (Segment& segment : segments_) {
    for (Block* block = segment.first; block;) delete std::exchange(block, block->after);
    cudaFree(segment.data);
  }
}

Block* Pool::take(std::size_t bytes, Owner owner) {
  bytes = std::max(round_up(bytes, granule), granule);
  std::unique_lock<SpinLock> lock(mutex_);
  if (!waiting_.empty()) take_completed();
  if (!joining_.empty() && owner.capture != 0) take_joined(owner.stream);
  Block* block = take_recent(bytes, owner);
  if (block) return use(block, owner);
  block = find(bytes, owner);
  if (!block && owner.capture != 0) block = find(bytes, Owner::next_capture());
  if (!block) block = find(bytes, Owner::unused());
  if (block) {
    free_.erase(block);
  } else {
    block = grow(bytes, lock);
  }
  return use(divide(block, bytes), owner);
}

Block* Pool::find(std::size_t bytes, Owner owner) const {
  Segment kind;
  kind.for_small = is_small(bytes);
  Block wanted;
  wanted.segment = &kind;
  wanted.bytes = bytes;
  wanted.owner = owner;
  auto at = free_.lower_bound(&wanted);
  if (at == free_.end() || (*at)->segment->for_small != kind.for_small || (*at)->owner != owner) return nullptr;
  return *at;
}

Block* Pool::use(Block* block, Owner owner) {
  block->state = Block::State::used;
  block->owner = owner;
  statistics_.live += block->bytes;
  statistics_.peak_live = std::max(statistics_.peak_live, statistics_.live);
  for (LivePeak* each : live_peaks_) each->bytes_ = std::max(each->bytes_, statistics_.live);
  ++statistics_.allocations;
  return block;
}

Block* Pool::take_recent(std::size_t bytes, Owner owner) {
  if (owner.capture != 0 || recent_.empty()) return nullptr;
  for (auto at = recent_.end(); at != recent_.begin();) {
    Block* block = *--at;
    if (block->bytes < bytes || block->owner != owner || block->segment->for_small != is_small(bytes) ||
        would_divide(*block, bytes))
      continue;
    recent_.erase(at);
    return block;
  }
  free_recent();
  return nullptr;
}

void Pool::keep_recent(Block* block) {
  if (recent_.size() == most_recent) free_recent();
  block->state = Block::State::recent;
  recent_.push_back(block);
}

void Pool::free_recent() {
  for (Block* block : recent_) make_free(block, block->owner);
  recent_.clear();
}

void Pool::give_back(Block* block, const std::vector<cudaStream_t>& others) {
  std::unique_lock<SpinLock> lock(mutex_);
  statistics_.live -= block->bytes;
  Owner owner = block->owner;
  if (owner.capture == 0 && is_destroyed(owner.stream)) owner = block->owner = Owner::unused();
  bool within_capture = owner.capture != 0 && captures_.count(owner.capture) != 0;
  if (within_capture && !others.empty()) {
    block->state = Block::State::waiting;
    std::vector<cudaStream_t> users = others;
    users.push_back(owner.stream);
    joining_.push_back({block, ends_of(users)});
  } else if (owner.capture == 0 && others.empty()) {
    keep_recent(block);
  } else if (within_capture || (owner.is_eager() && others.empty())) {
    make_free(block, owner);
  } else if (owner.is_eager()) {
    wait_for(block, others);
  } else {
    // A block of a graph: eager work may have used it on any stream, including the captured one.
    std::vector<cudaStream_t> streams = others;
    if (owner.stream) streams.push_back(owner.stream);
    wait_for(block, std::move(streams));
  }
  if (had_users_ && users_ == 0) {
    take_completed();
    release_unused(lock);
  }
}

void Pool::forget(cudaStream_t stream) {
  std::lock_guard<SpinLock> lock(mutex_);
  free_recent();
  std::vector<Block*> left;
  for (Block* block : free_) {
    if (block->owner == Owner{stream, 0}) left.push_back(block);
  }
  for (Block* block : left) free_.erase(block);
  for (Block* block : left) block->state = Block::State::waiting;
  for (Block* block : left) make_free(block, Owner::unused());
}

void Pool::add_user() {
  std::lock_guard<SpinLock> lock(mutex_);
  ++users_;
  had_users_ = true;
}

void Pool::remove_user() {
  std::unique_lock<SpinLock> lock(mutex_);
  if (--users_ != 0) return;
  take_completed();
  release_unused(lock);
}

const std::shared_ptr<Pool>& default_pool() {
  // Never destroyed, so that it outlives static tensors.
  static auto* pool = new std::shared_ptr<Pool>(std::make_shared<Pool>());
  return *pool;
}

}  // namespace reprise
