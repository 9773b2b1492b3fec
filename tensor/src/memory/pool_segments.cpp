// Allocating and releasing segments; splitting and merging blocks.
#include <reprise/capture.h>
#include <reprise/memory.h>

#include <algorithm>
#include <utility>

#include "memory/block_sizes.h"
#include "memory/pool.h"
#include "memory/pool_registry.h"
#include "memory/replay_order.h"

namespace reprise {

bool Pool::is_small(std::size_t bytes) const { return fixed_bytes_ == 0 && bytes <= largest_small; }

Block* Pool::grow(std::size_t bytes, std::unique_lock<SpinLock>& lock) {
  if (fixed_bytes_ != 0) fail_out_of_memory(bytes, cudaErrorMemoryAllocation);
  std::size_t wanted = segment_bytes(bytes);
  void* data = nullptr;
  // Unlocked: a host function may free tensors while cudaMalloc waits for it.
  lock.unlock();
  RelaxedCaptureMode relaxed;
  cudaError_t code = cudaMalloc(&data, wanted);
  if (code == cudaErrorMemoryAllocation && captures_in_progress.load() == 0) {
    cudaGetLastError();
    default_pool()->release_unused();
    release_unused();
    code = cudaMalloc(&data, wanted);
  }
  lock.lock();
  if (code != cudaSuccess) fail_out_of_memory(bytes, code);
  return add_segment(data, wanted, is_small(bytes));
}

Block* Pool::add_segment(void* data, std::size_t bytes, bool small) {
  Segment& segment = segments_.emplace_back();
  segment.data = static_cast<char*>(data);
  segment.bytes = bytes;
  segment.for_small = small;
  auto* block = new Block;
  block->segment = &segment;
  block->data = segment.data;
  block->bytes = bytes;
  block->owner = Owner::unused();
  segment.first = block;
  ++statistics_.segments;
  statistics_.reserved += bytes;
  statistics_.peak_reserved = std::max(statistics_.peak_reserved, statistics_.reserved);
  return block;
}

bool Pool::would_divide(const Block& block, std::size_t bytes) const {
  std::size_t rest = block.bytes - bytes;
  return block.segment->for_small || fixed_bytes_ != 0 ? rest >= granule : rest > largest_small;
}

// Splits `block`, which is in no list, to `bytes`. The rest becomes free with the same owner.
Block* Pool::divide(Block* block, std::size_t bytes) {
  if (!would_divide(*block, bytes)) return block;
  auto* second = new Block(*block);
  second->data += bytes;
  second->bytes -= bytes;
  second->before = block;
  second->state = Block::State::free;
  if (second->after) second->after->before = second;
  block->after = second;
  block->bytes = bytes;
  free_.insert(second);
  return block;
}

void Pool::make_free(Block* block, Owner owner) {
  block->state = Block::State::free;
  block->owner = owner;
  free_.insert(merge(block));
}

// Merges `block`, which is free but in no list, with its free neighbours of the same owner.
Block* Pool::merge(Block* block) {
  auto fits = [&](Block* other) { return other && other->state == Block::State::free && other->owner == block->owner; };
  auto take_in_next = [](Block* into) {
    Block* next = into->after;
    into->bytes += next->bytes;
    into->after = next->after;
    if (into->after) into->after->before = into;
    delete next;
  };
  if (fits(block->after)) {
    free_.erase(block->after);
    take_in_next(block);
  }
  if (fits(block->before)) {
    block = block->before;
    free_.erase(block);
    take_in_next(block);
  }
  return block;
}

void Pool::release_unused() {
  std::unique_lock<SpinLock> lock(mutex_);
  take_completed();
  release_unused(lock);
}

void Pool::release_unused(std::unique_lock<SpinLock>& lock) {
  free_recent();
  if (fixed_bytes_ != 0 && (users_ != 0 || !had_users_)) return;
  if (captures_in_progress.load() != 0) {
    defer_release(weak_from_this());
    return;
  }
  std::vector<void*> gone;
  for (auto segment = segments_.begin(); segment != segments_.end();) {
    bool unused = true;
    for (Block* block = segment->first; block; block = block->after) unused &= block->state == Block::State::free;
    if (!unused) {
      ++segment;
      continue;
    }
    for (Block* block = segment->first; block;) {
      free_.erase(block);
      delete std::exchange(block, block->after);
    }
    gone.push_back(segment->data);
    statistics_.reserved -= segment->bytes;
    --statistics_.segments;
    segment = segments_.erase(segment);
  }
  lock.unlock();
  // cudaFree waits for the device, so replays in progress finish first.
  RelaxedCaptureMode relaxed;
  for (void* data : gone) cudaFree(data);
  lock.lock();
}

}  // namespace reprise
