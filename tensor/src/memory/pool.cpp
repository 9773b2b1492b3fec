#include "memory/pool.h"

#include "memory/graph_joins.h"
#include "memory/stream_watch.h"
#include "memory/replay_order.h"

#include <reprise/capture.h>
#include <reprise/error.h>
#include <reprise/memory.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace reprise {
namespace {

constexpr std::size_t granule = 512;
constexpr std::size_t mebibyte = 1 << 20;
// Requests up to this come from segments of their own kind.
constexpr std::size_t largest_small = mebibyte;

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

std::size_t segment_bytes(std::size_t bytes) {
  if (bytes <= largest_small) return 2 * mebibyte;
  if (bytes < 10 * mebibyte) return 20 * mebibyte;
  return round_up(bytes, 2 * mebibyte);
}

// How many blocks are kept as they are: as many as a step of a small model drops.
constexpr std::size_t most_recent = 32;

// Whether eager work may take what such an owner leaves.
bool is_eager(const Owner& owner) { return owner.capture == 0 || owner == Owner::nobody(); }

std::atomic<std::uint64_t> last_id{0};

}  // namespace

Pool::Pool(std::size_t fixed_bytes)
    : id_(++last_id), fixed_bytes_(round_up(fixed_bytes, granule)), order_(std::make_unique<ReplayOrder>()) {
  if (fixed_bytes_ == 0) return;
  void* data = nullptr;
  RelaxedCaptureMode relaxed;
  cudaError_t code = cudaMalloc(&data, fixed_bytes_);
  if (code != cudaSuccess) fail_out_of_memory(fixed_bytes_, code);
  std::lock_guard<std::mutex> lock(mutex_);
  make_free(add_segment(data, fixed_bytes_, false), Owner::nobody());
}

Pool::~Pool() {
  RelaxedCaptureMode relaxed;
  for (Segment& segment : segments_) {
    for (Block* block = segment.first; block;) delete std::exchange(block, block->after);
    cudaFree(segment.data);
  }
}

bool Pool::is_small(std::size_t bytes) const { return fixed_bytes_ == 0 && bytes <= largest_small; }

Block* Pool::take(std::size_t bytes, Owner owner) {
  bytes = std::max(round_up(bytes, granule), granule);
  std::unique_lock<std::mutex> lock(mutex_);
  if (!waiting_.empty()) take_completed();
  if (!joining_.empty() && owner.capture != 0) take_joined(owner.stream);
  Block* block = take_recent(bytes, owner);
  if (block) return use(block, owner);
  block = find(bytes, owner);
  if (!block && owner.capture != 0) block = find(bytes, Owner::next_capture());
  if (!block) block = find(bytes, Owner::nobody());
  if (block) {
    free_.erase(block);
  } else {
    block = grow(bytes, lock);
  }
  return use(divide(block, bytes), owner);
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
    if (block->bytes < bytes || block->owner != owner || block->segment->for_small != is_small(bytes) || would_divide(*block, bytes)) continue;
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

Block* Pool::grow(std::size_t bytes, std::unique_lock<std::mutex>& lock) {
  if (fixed_bytes_ != 0) fail_out_of_memory(bytes, cudaErrorMemoryAllocation);
  std::size_t wanted = segment_bytes(bytes);
  void* data = nullptr;
  // A callback of the device's work may drop tensors while cudaMalloc waits for that work.
  lock.unlock();
  RelaxedCaptureMode relaxed;
  cudaError_t code = cudaMalloc(&data, wanted);
  if (code == cudaErrorMemoryAllocation && captures_under_way.load() == 0) {
    cudaGetLastError();
    common_pool()->release_unused();
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
  block->owner = Owner::nobody();
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

// `block`, in no list, cut to `bytes`; the rest is free, and its owner's as before.
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

// `block`, free but in no list, with its free neighbours of the same owner, which leave theirs.
Block* Pool::merge(Block* block) {
  auto fits = [&](Block* other) { return other && other->state == Block::State::free && other->owner == block->owner; };
  if (fits(block->after)) {
    Block* after = block->after;
    free_.erase(after);
    block->bytes += after->bytes;
    block->after = after->after;
    if (block->after) block->after->before = block;
    delete after;
  }
  if (fits(block->before)) {
    Block* before = block->before;
    free_.erase(before);
    before->bytes += block->bytes;
    before->after = block->after;
    if (before->after) before->after->before = before;
    delete block;
    block = before;
  }
  return block;
}

void Pool::give_back(Block* block, const std::vector<cudaStream_t>& others) {
  std::unique_lock<std::mutex> lock(mutex_);
  statistics_.live -= block->bytes;
  Owner owner = block->owner;
  if (owner.capture == 0 && is_destroyed(owner.stream)) owner = block->owner = Owner::nobody();
  bool within_capture = owner.capture != 0 && captures_.count(owner.capture) != 0;
  if (within_capture && !others.empty()) {
    block->state = Block::State::waiting;
    std::vector<cudaStream_t> users = others;
    users.push_back(owner.stream);
    joining_.push_back({block, ends_of(users)});
  } else if (owner.capture == 0 && others.empty()) {
    keep_recent(block);
  } else if (within_capture || (is_eager(owner) && others.empty())) {
    make_free(block, owner);
  } else if (is_eager(owner)) {
    wait_for(block, others);
  } else {
    // A graph's: eager work may have used it, on any stream including the one that was captured.
    std::vector<cudaStream_t> streams = others;
    if (owner.stream) streams.push_back(owner.stream);
    wait_for(block, std::move(streams));
  }
  if (had_users_ && users_ == 0) {
    take_completed();
    release_unused(lock);
  }
}

void Pool::wait_for(Block* block, std::vector<cudaStream_t> streams) {
  block->state = Block::State::waiting;
  Waiting waiting{block, std::move(streams), {}};
  if (is_over(waiting)) {
    make_free(block, is_eager(block->owner) ? block->owner : Owner::next_capture());
  } else {
    waiting_.push_back(std::move(waiting));
  }
}

// Whether all that used the block is done.
bool Pool::is_over(Waiting& waiting) const {
  RelaxedCaptureMode relaxed;
  // Destructors come here: a stream or a device that is gone has nothing under way, and is no error.
  auto record = [&](cudaStream_t stream) {
    if (is_destroyed(stream)) return true;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (stream && cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone) return false;
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
    make_free(block, is_eager(block->owner) ? block->owner : Owner::next_capture());
  }
}

// Those of the capture that `stream` is in, after whose users the stream's next work would come.
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
  std::lock_guard<std::mutex> lock(mutex_);
  captures_.insert(capture);
}

void Pool::end_capture(unsigned long long capture, Owner heir) {
  std::lock_guard<std::mutex> lock(mutex_);
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
  for (Block* block : left) make_free(block, heir);
  if (heir == Owner::next_capture()) return;
  // The end of a body: what is still in use there goes on as memory of the capture that it is part of.
  for (Segment& segment : segments_) {
    for (Block* block = segment.first; block; block = block->after) {
      if (block->state == Block::State::used && block->owner.capture == capture) block->owner = heir;
    }
  }
}

void Pool::release_unused() {
  std::unique_lock<std::mutex> lock(mutex_);
  take_completed();
  release_unused(lock);
}

void Pool::release_unused(std::unique_lock<std::mutex>& lock) {
  free_recent();
  if (fixed_bytes_ != 0 && (users_ != 0 || !had_users_)) return;
  if (captures_under_way.load() != 0) {
    put_off_release(weak_from_this());
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
  // cudaFree waits for the device, so replays that are under way end before.
  RelaxedCaptureMode relaxed;
  for (void* data : gone) cudaFree(data);
  lock.lock();
}

void Pool::forget(cudaStream_t stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  free_recent();
  std::vector<Block*> left;
  for (Block* block : free_) {
    if (block->owner == Owner{stream, 0}) left.push_back(block);
  }
  for (Block* block : left) free_.erase(block);
  for (Block* block : left) block->state = Block::State::waiting;
  for (Block* block : left) make_free(block, Owner::nobody());
}

void Pool::add_user() {
  std::lock_guard<std::mutex> lock(mutex_);
  ++users_;
  had_users_ = true;
}

void Pool::remove_user() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (--users_ != 0) return;
  take_completed();
  release_unused(lock);
}

PoolStatistics Pool::statistics() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return statistics_;
}

void Pool::reset_peaks() {
  std::lock_guard<std::mutex> lock(mutex_);
  statistics_.peak_live = statistics_.live;
  statistics_.peak_reserved = statistics_.reserved;
}

LivePeak::LivePeak(std::shared_ptr<Pool> pool) : pool_(std::move(pool)) {
  std::lock_guard<std::mutex> lock(pool_->mutex_);
  bytes_ = pool_->statistics_.live;
  pool_->live_peaks_.push_back(this);
}

LivePeak::~LivePeak() {
  std::lock_guard<std::mutex> lock(pool_->mutex_);
  auto& peaks = pool_->live_peaks_;
  peaks.erase(std::find(peaks.begin(), peaks.end(), this));
}

std::size_t LivePeak::bytes() const {
  std::lock_guard<std::mutex> lock(pool_->mutex_);
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
  std::lock_guard<std::mutex> lock(mutex_);
  std::size_t live = 0, free_blocks = 0, waiting_blocks = 0, recent_blocks = 0, reserved = 0;
  for (const Segment& segment : segments_) {
    char* at = segment.data;
    for (Block* block = segment.first; block; block = block->after) {
      check(block->data == at && block->segment == &segment, "memory pool ", id_, ": blocks do not lie side by side");
      check(!block->after || block->after->before == block, "memory pool ", id_, ": neighbours disagree");
      at += block->bytes;
      if (block->state == Block::State::used) live += block->bytes;
      if (block->state == Block::State::waiting) ++waiting_blocks;
      if (block->state == Block::State::recent) ++recent_blocks;
      if (block->state != Block::State::free) continue;
      ++free_blocks;
      check(free_.count(block) == 1, "memory pool ", id_, ": a free block is not in the list");
      check(!block->after || block->after->state != Block::State::free || block->after->owner != block->owner, "memory pool ",
            id_, ": free neighbours are not merged");
    }
    check(at == segment.data + segment.bytes, "memory pool ", id_, ": blocks do not fill their segment");
    reserved += segment.bytes;
  }
  check(free_blocks == free_.size(), "memory pool ", id_, ": the list has blocks that are not free");
  check(waiting_blocks == waiting_.size() + joining_.size(), "memory pool ", id_, ": waiting blocks are lost");
  check(recent_blocks == recent_.size(), "memory pool ", id_, ": recent blocks are lost");
  check(live == statistics_.live && reserved == statistics_.reserved, "memory pool ", id_, ": the statistics are wrong");
}

const std::shared_ptr<Pool>& common_pool() {
  // Outlives every tensor, also those of static storage.
  static auto* pool = new std::shared_ptr<Pool>(std::make_shared<Pool>());
  return *pool;
}

}  // namespace reprise
