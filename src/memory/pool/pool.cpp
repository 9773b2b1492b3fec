#include "memory/pool/pool.h"

#include <algorithm>

#include "base/user_call.h"
#include "diagnose/refuse.h"
#include "diagnose/trace.h"
#include "memory/allocate/allocation.h"

namespace reprise_runtime::memory {

using diagnose::refuse;

namespace {

[[gnu::cold, gnu::noinline]] void trace_block(const PoolBlock& block, diagnose::TraceKind kind) {
  diagnose::record({.name = kind == diagnose::TraceKind::free ? "free to pool" : "allocation from pool",
                    .id = block.base,
                    .bytes = block.asked,
                    .kind = kind});
}

}  // namespace

// ---- life -------------------------------------------------------------------------------------------------------

void Pool::open(const PoolTraits& traits, Ref<PoolFile> file) {
  SpinLockGuard lock(mutex_);
  traits_ = traits;
  file_ = std::move(file);
  closed_ = false;
  reached_from_ = std::uint64_t{1} << traits.device;
  used_high_ = reserved_high_ = 0;
  threshold_ = 0;
  follow_events_ = opportunistic_ = internal_dependencies_ = 1;
}

void Pool::close() {
  SpinLockGuard lock(mutex_);
  closed_ = true;
  threshold_ = 0;
  trim_locked(0, false);
  if (reserved_ == 0) {
    while (!segments_.empty()) release_segment(segments_.size() - 1);
  }
  if (reserved_) release_due_.store(true, std::memory_order_relaxed);
}

bool Pool::is_open() {
  SpinLockGuard lock(mutex_);
  return !closed_;
}

bool Pool::is_done() {
  SpinLockGuard lock(mutex_);
  return closed_ && segments_.empty();
}

PoolTraits Pool::traits() {
  SpinLockGuard lock(mutex_);
  return traits_;
}

Ref<PoolFile> Pool::file() {
  SpinLockGuard lock(mutex_);
  return file_;
}

bool Pool::accessible_from(int device) {
  SpinLockGuard lock(mutex_);
  return reached_from_ >> device & 1;
}

void Pool::set_accessible_from(int device, bool yes) {
  SpinLockGuard lock(mutex_);
  const std::uint64_t bit = std::uint64_t{1} << device;
  reached_from_ = yes ? reached_from_ | bit : reached_from_ & ~bit;
}

// ---- allocating -------------------------------------------------------------------------------------------------

void* Pool::allocate_recent(std::size_t bytes, exec::Lane& lane) {
  SpinLockGuard lock(mutex_);
  PoolBlock* block = take_recent(rounded(bytes), lane.at(0).progress);
  return block ? make_live(block, bytes) : nullptr;
}

Result<Pool::Allocated> Pool::allocate(std::size_t asked, exec::Lane& lane) {
  SpinLockGuard lock(mutex_);
  if (closed_) return refuse(cudaErrorInvalidValue, "the pool was destroyed");
  if (traits_.imported)
    return refuse(cudaErrorInvalidValue, "the pool belongs to another process; only that process allocates from it");
  const std::size_t bytes = rounded(asked);
  Allocated made;
  exec::Progress* const user = lane.at(0).progress;
  PoolBlock* block = nullptr;
  if (bytes >= asked) {
    list_recent();
    block = best_fit(bytes, user);
    if (!block) {
      settle(false);
      const bool follow_events = follow_events_;
      const auto in_order = [&](const PoolBlock& each) {
        const exec::Marker& until = each.in_use_until;
        if (!until.progress || until.progress == user) return true;
        return follow_events && !until.reached() && lane.follows(until);
      };
      block = take_run(find_run(bytes, in_order), bytes, made.first);
      if (!block) block = grow(bytes, in_order);
      made.first.clear();  // in order already
    }
    if (!block && internal_dependencies_) {
      block = take_run(find_run(bytes, [](const PoolBlock&) { return true; }), bytes, made.first);
    }
  }
  if (!block) {
    return refuse(cudaErrorMemoryAllocation,
                  "%zu bytes requested; the pool has %zu, of which %zu are used, and device %d has %zu left", asked,
                  reserved_, used_, traits_.device, memory_info(traits_.device).free);
  }
  made.address = make_live(block, asked);
  return made;
}

PoolBlock* Pool::take_recent(std::size_t bytes, exec::Progress* user) {
  // A bin holds several sizes and streams; only a few blocks are checked.
  PoolBlock** link = &recent_[bin_of(bytes)];
  for (int looked = 0; *link && looked < 4; ++looked, link = &(*link)->next_recent) {
    PoolBlock* block = *link;
    if (block->bytes != bytes || block->in_use_until.progress != user) continue;
    *link = block->next_recent;
    --recent_count_;
    return block;
  }
  return nullptr;
}

void Pool::list_recent() {
  if (recent_count_ == 0) return;
  for (PoolBlock*& bin : recent_) {
    while (PoolBlock* block = bin) {
      bin = block->next_recent;
      list(block);
    }
  }
  recent_count_ = 0;
}

// Merges a free block that is in no list with its listed neighbours, then lists it. A block whose stream has passed it
// has no last user.
void Pool::list(PoolBlock* block) {
  block->state = PoolBlock::State::listed;
  if (opportunistic_ && block->in_use_until.reached()) block->in_use_until = {};
  const auto joins = [&](const PoolBlock* other) {
    return other && other->state == PoolBlock::State::listed &&
           other->in_use_until.progress == block->in_use_until.progress;
  };
  if (PoolBlock* after = block->after; joins(after)) {
    unlist(after);
    block->in_use_until.value = std::max(block->in_use_until.value, after->in_use_until.value);
    block->segment->join_with_next(*block);
  }
  if (PoolBlock* before = block->before; joins(before)) {
    unlist(before);
    before->in_use_until.value = std::max(block->in_use_until.value, before->in_use_until.value);
    before->segment->join_with_next(*before);
    block = before;
  }
  listed_.insert(block);
}

PoolBlock* Pool::best_fit(std::size_t bytes, exec::Progress* user) {
  PoolBlock* best = nullptr;
  for (exec::Progress* last_user : {user, static_cast<exec::Progress*>(nullptr)}) {
    auto found = listed_.lower_bound(Fit{last_user, bytes, 0});
    if (found == listed_.end() || (*found)->in_use_until.progress != last_user) continue;
    if (!best || (*found)->bytes < best->bytes) best = *found;
  }
  if (!best) return nullptr;
  unlist(best);
  return cut(best, bytes);
}

// Splits off the first `bytes` of a block that is in no list, and lists the rest.
PoolBlock* Pool::cut(PoolBlock* block, std::size_t bytes) {
  if (block->bytes > bytes) {
    PoolBlock& rest = block->segment->split(*block, bytes);
    rest.state = PoolBlock::State::listed;
    listed_.insert(&rest);
  }
  return block;
}

// Clears the last user of blocks that no stream uses any longer, and merges them with their neighbours.
void Pool::settle(bool always) {
  if (!opportunistic_ && !always) return;
  std::vector<PoolBlock*> over;
  for (PoolBlock* block : listed_) {
    if (block->in_use_until.progress && block->in_use_until.reached()) over.push_back(block);
  }
  for (PoolBlock* block : over) {
    unlist(block);
    block->in_use_until = {};
    block->state = PoolBlock::State::recent;  // in no list, so that it is not merged yet
  }
  // By rising address, so that a block is merged with the previous one and not deleted during the loop.
  std::sort(over.begin(), over.end(), [](const PoolBlock* a, const PoolBlock* b) { return a->base < b->base; });
  for (PoolBlock* block : over) list(block);
}

template <class Usable>
Pool::Run Pool::find_run(std::size_t bytes, Usable&& usable, bool with_holes) {
  Run best;
  for (const auto& segment : segments_) {
    Run run;
    for (PoolBlock* block = segment->first(); block; block = block->after) {
      const bool open = block->free() || (with_holes && block->state == PoolBlock::State::hole);
      if (!open || !usable(*block)) {
        run = {};
        continue;
      }
      if (!run.first) run.first = block;
      run.bytes += block->bytes;
      if (run.bytes < bytes) continue;
      if (with_holes) return run;
      if (!best || run.bytes < best.bytes) best = run;
      run = {};
    }
  }
  return best;
}

// Merges blocks that different streams have used; the remainder of the last block stays as it was.
PoolBlock* Pool::take_run(const Run& run, std::size_t bytes, std::vector<exec::Marker>& first) {
  if (!run) return nullptr;
  PoolBlock* block = run.first;
  unlist(block);
  if (!block->in_use_until.reached()) first.push_back(block->in_use_until);
  while (block->bytes < bytes) {
    PoolBlock* next = block->after;
    unlist(next);
    if (const std::size_t missing = bytes - block->bytes; next->bytes > missing) {
      listed_.insert(&next->segment->split(*next, missing));
    }
    if (!next->in_use_until.reached()) first.push_back(next->in_use_until);
    block->segment->join_with_next(*block);
  }
  return cut(block, bytes);
}

void* Pool::make_live(PoolBlock* block, std::size_t asked) {
  block->state = PoolBlock::State::live;
  block->caller = user_call;
  block->asked = asked;
  ++block->segment->live;
  used_ += asked;
  used_high_ = std::max(used_high_, used_);
  if (diagnose::tracing) [[unlikely]]
    trace_block(*block, diagnose::TraceKind::allocation);
  return reinterpret_cast<void*>(block->base);
}

// Gets memory from the system, adjacent to free memory if possible.
template <class Usable>
PoolBlock* Pool::grow(std::size_t bytes, Usable&& usable) {
  if (bytes > SIZE_MAX / 2) return nullptr;
  const auto open = [&](const PoolBlock& each) { return each.state == PoolBlock::State::hole || usable(each); };
  Run run = find_run(bytes, open, true);
  if (!run && add_segment(bytes)) run = find_run(bytes, open, true);
  std::vector<exec::Marker> none;
  return run && commit(run, bytes) ? take_run(run, bytes, none) : nullptr;
}

// ---- freeing ----------------------------------------------------------------------------------------------------

PoolSegment* Pool::segment_at(std::uintptr_t address) {
  for (const auto& segment : segments_) {
    if (address - segment->base() < segment->bytes()) return segment.get();
  }
  return nullptr;
}

Range Pool::find(std::uintptr_t address) {
  SpinLockGuard lock(mutex_);
  Range range;
  range.kind = MemoryKind::dead;
  range.device = traits_.device;
  const PoolSegment* segment = segment_at(address);
  const PoolBlock* block = segment ? segment->around(address) : nullptr;
  if (!block || block->state != PoolBlock::State::live || address - block->base >= block->asked) return range;
  return {block->base, block->asked, traits_.kind, 0, traits_.device};
}

AllocationEvent Pool::latest_at_or_before(std::uintptr_t address) {
  SpinLockGuard lock(mutex_);
  const PoolSegment* segment = segment_at(address);
  const PoolBlock* block = segment ? segment->around(address) : nullptr;
  const auto known = [](const PoolBlock& each) {
    return each.state == PoolBlock::State::live || each.state == PoolBlock::State::recent;
  };
  while (block && !known(*block)) block = block->before;
  if (!block) return {};
  return {block->base, block->asked, block->caller, traits_.kind, block->state != PoolBlock::State::live};
}

cudaError_t Pool::free(void* address, const exec::Marker& in_use_until) {
  SpinLockGuard lock(mutex_);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  PoolSegment* segment = segment_at(at);
  PoolBlock* block = segment ? segment->starting_at(at) : nullptr;
  if (!block || block->state != PoolBlock::State::live) {
    return refuse(cudaErrorInvalidValue,
                  "%p is not the start of an allocation: it was freed already, or lies inside one", address);
  }
  if (diagnose::tracing) [[unlikely]]
    trace_block(*block, diagnose::TraceKind::free);
  block->state = PoolBlock::State::recent;
  block->caller = user_call;
  block->in_use_until = in_use_until;
  used_ -= block->asked;
  PoolBlock*& bin = recent_[bin_of(block->bytes)];
  block->next_recent = bin;
  bin = block;
  ++recent_count_;
  --segment->live;
  if (may_release(threshold_)) release_due_.store(true, std::memory_order_relaxed);
  return cudaSuccess;
}

}  // namespace reprise_runtime::memory
