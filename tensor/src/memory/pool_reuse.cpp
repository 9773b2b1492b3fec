// When a block that a capture or several streams used may be reused.
#include <reprise/capture.h>

#include <algorithm>
#include <utility>

#include "memory/graph_joins.h"
#include "memory/pool.h"
#include "memory/pool_registry.h"

namespace reprise {

void Pool::wait_for(Block* block, std::vector<cudaStream_t> streams) {
  block->state = Block::State::waiting;
  Waiting waiting{block, std::move(streams), {}};
  if (is_over(waiting)) {
    make_free(block, block->owner.is_eager() ? block->owner : Owner::next_capture());
  } else {
    waiting_.push_back(std::move(waiting));
  }
}

// Whether all work that used the block is done.
bool Pool::is_over(Waiting& waiting) const {
  RelaxedCaptureMode relaxed;
  // Called from destructors: a destroyed stream or device has no work left, which is no error.
  auto record = [&](cudaStream_t stream) {
    if (is_destroyed(stream)) return true;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (stream && cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone)
      return false;
    cudaEvent_t event = nullptr;
    if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess) {
      waiting.events.push_back(Event::adopt(event));
      if (cudaEventRecord(event, stream) == cudaSuccess) return true;
    }
    cudaGetLastError();
    return true;
  };
  auto& streams = waiting.to_record;
  streams.erase(std::remove_if(streams.begin(), streams.end(), record), streams.end());
  auto done = [](const Event& event) { return cudaEventQuery(event.get()) != cudaErrorNotReady; };
  waiting.events.erase(std::remove_if(waiting.events.begin(), waiting.events.end(), done), waiting.events.end());
  return streams.empty() && waiting.events.empty();
}

void Pool::take_completed() {
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    if (!is_over(*at)) {
      ++at;
      continue;
    }
    Block* block = at->block;
    at = waiting_.erase(at);
    make_free(block, block->owner.is_eager() ? block->owner : Owner::next_capture());
  }
}

// Frees the waiting blocks of the capture whose users all precede the next work of `stream`.
void Pool::take_joined(cudaStream_t stream) {
  GraphJoins joins(stream);
  for (auto at = joining_.begin(); at != joining_.end();) {
    if (at->block->owner.capture != joins.capture() || !joins.cover(at->after)) {
      ++at;
      continue;
    }
    Block* block = at->block;
    at = joining_.erase(at);
    make_free(block, {stream, block->owner.capture});
  }
}

void Pool::begin_capture(unsigned long long capture) {
  std::lock_guard<SpinLock> lock(mutex_);
  captures_.insert(capture);
}

void Pool::end_capture(unsigned long long capture, Owner new_owner) {
  std::lock_guard<SpinLock> lock(mutex_);
  captures_.erase(capture);
  std::vector<Block*> left;
  for (Block* block : free_) {
    if (block->owner.capture == capture) left.push_back(block);
  }
  for (Block* block : left) free_.erase(block);
  for (Block* block : left) block->state = Block::State::waiting;
  for (auto at = joining_.begin(); at != joining_.end();) {
    if (at->block->owner.capture == capture) {
      left.push_back(at->block);
      at = joining_.erase(at);
    } else {
      ++at;
    }
  }
  for (Block* block : left) make_free(block, new_owner);
  if (new_owner == Owner::next_capture()) return;
  // At the end of a body, blocks still in use become memory of the enclosing capture.
  for (Segment& segment : segments_) {
    for (Block* block = segment.first; block; block = block->after) {
      if (block->state == Block::State::used && block->owner.capture == capture) block->owner = new_owner;
    }
  }
}

}  // namespace reprise
