// Statistics and invariants of a pool.
#include <reprise/error.h>

#include <algorithm>
#include <sstream>

#include "memory/pool.h"

namespace reprise {

PoolStatistics Pool::statistics() const {
  std::lock_guard<SpinLock> lock(mutex_);
  return statistics_;
}

void Pool::reset_peaks() {
  std::lock_guard<SpinLock> lock(mutex_);
  statistics_.peak_live = statistics_.live;
  statistics_.peak_reserved = statistics_.reserved;
}

LivePeak::LivePeak(std::shared_ptr<Pool> pool) : pool_(std::move(pool)) {
  std::lock_guard<SpinLock> lock(pool_->mutex_);
  bytes_ = pool_->statistics_.live;
  pool_->live_peaks_.push_back(this);
}

LivePeak::~LivePeak() {
  std::lock_guard<SpinLock> lock(pool_->mutex_);
  auto& peaks = pool_->live_peaks_;
  peaks.erase(std::find(peaks.begin(), peaks.end(), this));
}

std::size_t LivePeak::bytes() const {
  std::lock_guard<SpinLock> lock(pool_->mutex_);
  return bytes_;
}

void Pool::fail_out_of_memory(std::size_t bytes, cudaError_t code) const {
  cudaGetLastError();
  std::ostringstream text;
  text << "allocating " << bytes << " bytes in memory pool " << id_ << ": ";
  if (fixed_bytes_ != 0 && !segments_.empty()) {
    text << "its fixed size of " << fixed_bytes_ << " bytes is not enough";
  } else {
    text << cudaGetErrorString(code);
  }
  text << " (reserved " << statistics_.reserved << ", in use " << statistics_.live << ")";
  throw CudaError(code, text.str());
}

void Pool::check_invariants() const {
  std::lock_guard<SpinLock> lock(mutex_);
  std::size_t live = 0, free_blocks = 0, waiting_blocks = 0, recent_blocks = 0, reserved = 0;
  for (const Segment& segment : segments_) {
    char* at = segment.data;
    for (Block* block = segment.first; block; block = block->after) {
      check(block->data == at && block->segment == &segment, "memory pool ", id_, ": blocks are not adjacent");
      check(!block->after || block->after->before == block, "memory pool ", id_, ": neighbours disagree");
      at += block->bytes;
      if (block->state == Block::State::used) live += block->bytes;
      if (block->state == Block::State::waiting) ++waiting_blocks;
      if (block->state == Block::State::recent) ++recent_blocks;
      if (block->state != Block::State::free) continue;
      ++free_blocks;
      check(free_.count(block) == 1, "memory pool ", id_, ": a free block is not in the list");
      check(!block->after || block->after->state != Block::State::free || block->after->owner != block->owner,
            "memory pool ", id_, ": free neighbours are not merged");
    }
    check(at == segment.data + segment.bytes, "memory pool ", id_, ": blocks do not fill their segment");
    reserved += segment.bytes;
  }
  check(free_blocks == free_.size(), "memory pool ", id_, ": the list has blocks that are not free");
  check(waiting_blocks == waiting_.size() + joining_.size(), "memory pool ", id_, ": waiting blocks are lost");
  check(recent_blocks == recent_.size(), "memory pool ", id_, ": recent blocks are lost");
  check(live == statistics_.live && reserved == statistics_.reserved, "memory pool ", id_,
        ": the statistics are wrong");
}

}  // namespace reprise
