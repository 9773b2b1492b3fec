// The pages of a pool: mapping memory behind its addresses, and returning it.
#include <algorithm>

#include "memory/allocate/allocation.h"
#include "memory/pool/pool.h"

namespace reprise_runtime::memory {

// Bytes of holes that need memory before the run's first `bytes` can be used.
std::size_t Pool::missing_memory(const Run& run, std::size_t bytes) {
  constexpr std::size_t page = PoolSegment::page;
  std::size_t missing = 0, have = 0;
  for (const PoolBlock* block = run.first; have < bytes; have += block->bytes, block = block->after) {
    if (block->state == PoolBlock::State::hole)
      missing += (std::min(block->bytes, bytes - have) + page - 1) / page * page;
  }
  return missing;
}

// Maps memory behind the holes among the first `bytes` of the run. Changes nothing if there is not enough.
bool Pool::commit(const Run& run, std::size_t bytes) {
  constexpr std::size_t page = PoolSegment::page;
  const std::size_t missing = missing_memory(run, bytes);
  const std::size_t most = (traits_.most_bytes + page - 1) / page * page;
  if (traits_.most_bytes && (missing > most || reserved_ > most - missing)) return false;
  Capacity& capacity = capacity_of(traits_.kind, traits_.device);
  if (!capacity.charge(missing)) return false;
  std::size_t have = 0, committed = 0;
  for (PoolBlock* block = run.first; have < bytes; have += block->bytes, block = block->after) {
    if (block->state != PoolBlock::State::hole) continue;
    const std::size_t wanted = (std::min(block->bytes, bytes - have) + page - 1) / page * page;
    if (block->bytes > wanted) block->segment->split(*block, wanted);
    if (!block->segment->commit(*block, file_.get())) break;
    committed += block->bytes;
    listed_.insert(block);
  }
  capacity.refund(missing - committed);
  reserved_ += committed;
  reserved_high_ = std::max(reserved_high_, reserved_);
  return have >= bytes;
}

bool Pool::add_segment(std::size_t bytes) {
  constexpr std::size_t page = PoolSegment::page, first = 8 * page, largest = 128 * page;
  if (bytes > capacity_of(traits_.kind, traits_.device).total()) return false;
  // Blocks cannot span segments, so a pool that needs a second one gets a large one.
  const std::size_t usual = std::min(largest, first << std::min<std::size_t>(3 * segments_.size(), 8));
  const std::size_t size = std::max(usual, (bytes + page - 1) / page * page);
  Span* span = AddressWindow::instance().acquire(size, AddressWindow::Access::none);
  if (!span) return false;
  std::size_t offset = 0;
  if (file_ && !file_->take(size, offset)) {
    AddressWindow::instance().release(span);
    return false;
  }
  auto segment = std::make_unique<PoolSegment>(*span, size);
  segment->file_offset = offset;
  span->block_bytes.store(0, std::memory_order_relaxed);
  span->kind.store(traits_.kind, std::memory_order_relaxed);
  span->device.store(static_cast<std::int16_t>(traits_.device), std::memory_order_relaxed);
  span->large_size.store(0, std::memory_order_relaxed);
  span->owner.store(this, std::memory_order_release);
  AddressWindow::instance().publish(span);
  segments_.push_back(std::move(segment));
  return true;
}

// Turns whole pages of a listed block into a hole, from its end on, as long as `keep` bytes are left, or until no more
// than that are.
void Pool::decommit(PoolBlock* block, std::size_t keep, bool at_least) {
  constexpr std::size_t page = PoolSegment::page;
  PoolSegment& segment = *block->segment;
  const std::size_t start = block->base - segment.base(), end = start + block->bytes;
  const std::size_t first = (start + page - 1) / page * page, last = end / page * page;
  if (first >= last || reserved_ <= keep) return;
  const std::size_t over = reserved_ - keep;
  const std::size_t pages = std::min((last - first) / page, at_least ? over / page : (over + page - 1) / page);
  if (pages == 0) return;
  unlist(block);
  if (end > last) listed_.insert(&segment.split(*block, last - start));
  PoolBlock* hole = block;
  if (const std::size_t kept = last - pages * page - start; kept > 0) {
    hole = &segment.split(*block, kept);
    listed_.insert(block);
  }
  segment.decommit(*hole, file_.get());
  reserved_ -= hole->bytes;
  capacity_of(traits_.kind, traits_.device).refund(hole->bytes);
  if (hole->after && hole->after->state == PoolBlock::State::hole) segment.join_with_next(*hole);
  if (hole->before && hole->before->state == PoolBlock::State::hole) segment.join_with_next(*hole->before);
}

void Pool::release_segment(std::size_t index) {
  const std::unique_ptr<PoolSegment> segment = std::move(segments_[index]);
  segments_.erase(segments_.begin() + static_cast<std::ptrdiff_t>(index));
  if (file_) file_->give_back(segment->file_offset, segment->bytes());
  AddressWindow::instance().release(&segment->span());
}

// `at_least`: never leaves less than `keep`. Otherwise leaves no more than that, if possible.
void Pool::trim_locked(std::size_t keep, bool at_least) {
  if (!may_release(keep)) return;
  list_recent();
  settle(true);
  for (std::size_t i = segments_.size(); i-- > 0;) {
    std::vector<PoolBlock*> unused;
    for (PoolBlock* block = segments_[i]->first(); block; block = block->after) {
      if (block->state == PoolBlock::State::listed && !block->in_use_until.progress) unused.push_back(block);
    }
    while (!unused.empty()) {
      decommit(unused.back(), keep, at_least);
      unused.pop_back();
    }
    const PoolBlock* only = segments_[i]->first();
    const bool all_hole = only->state == PoolBlock::State::hole && !only->after;
    if (all_hole && (i > 0 || closed_)) release_segment(i);  // an open pool keeps some addresses
  }
}

void Pool::trim(std::size_t keep) {
  SpinLockGuard lock(mutex_);
  trim_locked(keep, true);
}

void Pool::release_unused() {
  SpinLockGuard lock(mutex_);
  trim_locked(threshold_, false);
  // Memory that was freed and may still be in use is left for the next time.
  const bool more = reserved_ > threshold_ && std::any_of(listed_.begin(), listed_.end(), [](const PoolBlock* block) {
                      return block->in_use_until.progress != nullptr;
                    });
  if (more) release_due_.store(true, std::memory_order_relaxed);
}

void Pool::drop_all() {
  SpinLockGuard lock(mutex_);
  list_recent();
  listed_.clear();
  capacity_of(traits_.kind, traits_.device).refund(reserved_);
  while (!segments_.empty()) release_segment(segments_.size() - 1);
  used_ = reserved_ = 0;
}

}  // namespace reprise_runtime::memory
