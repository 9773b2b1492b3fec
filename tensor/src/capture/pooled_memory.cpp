#include "capture/pooled_memory.h"

#include <reprise/capture.h>
#include <reprise/error.h>
#include <reprise/memory.h>

#include <algorithm>

#include "capture/capture_context.h"
#include "capture/warm_up.h"
#include "memory/mem_pool_route.h"
#include "memory/pool.h"
#include "memory/pool_registry.h"
#include "memory/replay_order.h"

namespace reprise {

thread_local bool Overwriting::here_ = false;
std::atomic<std::uint64_t> Memory::replacements_{0};

namespace {

std::atomic<std::uint64_t> generation{0};

// The home stream of memory of graphs: no stream has this handle, so note_use() checks every use.
const cudaStream_t no_stream = reinterpret_cast<cudaStream_t>(~std::uintptr_t{0});

}  // namespace

std::uint64_t PooledMemory::next_generation() { return ++generation; }

PooledMemory::PooledMemory(Block* block, std::shared_ptr<Pool> pool, std::shared_ptr<Contents> contents)
    : Memory(block->data, block->bytes, contents ? no_stream : block->owner.stream),
      generation_(generation.load(std::memory_order_relaxed)),
      block_(block),
      stream_(block->owner.stream),
      capture_(block->owner.capture),
      pool_(std::move(pool)),
      contents_(std::move(contents)) {}

PooledMemory::~PooledMemory() { pool_->give_back(block_, others_); }

void PooledMemory::check_readable() const {
  // A capture reads nothing now; replay() checks again.
  if (contents_ && !capture_context_of(current_stream())) contents_->check_readable("reading");
}

void PooledMemory::wait_for_other_streams(cudaStream_t stream) const {
  if (capture_context_of(stream)) return;
  if (contents_) return pool_->order().wait_for_replays(stream);
  std::vector<cudaStream_t> streams;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    streams = others_;
  }
  streams.push_back(stream_);
  RelaxedCaptureMode relaxed;
  for (cudaStream_t other : streams) {
    // A stream that is capturing has no work of its own, and waiting for it would invalidate the capture.
    if (other == stream || is_destroyed(other)) continue;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(other, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone) {
      check_cuda(cudaStreamSynchronize(other), "waiting for the stream that computed a tensor");
    } else {
      cudaGetLastError();
    }
  }
}

void PooledMemory::note_use(const std::shared_ptr<const Memory>& self, cudaStream_t stream) const {
  if (WarmUp* warm_up = WarmUp::current()) warm_up->save(self, generation_);
  if (auto context = capture_context_of(stream)) {
    if (!context->owns(capture_)) {
      context->keep(self);
      return;
    }
  } else if (contents_ && contents_->is_abandoned() && Overwriting::here()) {
    contents_->written();
  } else if (contents_ && !contents_->is_readable() && !Overwriting::here() && !WarmUp::current() &&
             !is_capturing(stream)) {
    contents_->check_readable("using");
  }
  auto number = reinterpret_cast<std::uintptr_t>(stream);
  if (stream == stream_ || last_other_.load(std::memory_order_acquire) == number) return;
  std::lock_guard<std::mutex> lock(mutex_);
  if (std::find(others_.begin(), others_.end(), stream) == others_.end()) others_.push_back(stream);
  last_other_.store(number, std::memory_order_release);
}

std::shared_ptr<Memory> allocate(std::size_t bytes) {
  static const bool watching = [] {
    register_stream_hooks();
    register_pool(default_pool());
    return true;
  }();
  (void)watching;
  cudaStream_t stream = current_stream();
  if (auto context = capture_context_of(stream)) {
    Block* block = context->pool()->take(bytes, {stream, context->capture()});
    auto contents = std::make_shared<Contents>(context->graph(), range_of(block->data, block->bytes));
    context->add_contents(contents);
    return std::make_shared<PooledMemory>(block, context->pool(), std::move(contents));
  }
  // The default pool is never destroyed, so its tensors need no reference count.
  static const std::shared_ptr<Pool> uncounted(std::shared_ptr<Pool>(), default_pool().get());
  const std::shared_ptr<Pool>& pool = mem_pool_route() ? mem_pool_route() : uncounted;
  return std::make_shared<PooledMemory>(pool->take(bytes, {stream, 0}), pool, nullptr);
}

}  // namespace reprise
