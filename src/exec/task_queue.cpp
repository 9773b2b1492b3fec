#include "exec/task_queue.h"

#include <vector>

#include "base/mutex.h"

namespace reprise_runtime::exec {
namespace {

// Free chunks kept for all lanes; a burst of submissions returns the rest to the heap.
constexpr size_t most_kept = 64;

struct ChunkPool {
  Mutex mutex;
  std::vector<void*> chunks REPRISE_GUARDED_BY(mutex);
};

ChunkPool& pool() {
  static ChunkPool* pool = new ChunkPool;  // Never destroyed: workers run until the process is gone.
  return *pool;
}

void* take_pooled() {
  MutexLock lock(pool().mutex);
  if (pool().chunks.empty()) return nullptr;
  void* chunk = pool().chunks.back();
  pool().chunks.pop_back();
  return chunk;
}

bool give_pooled(void* chunk) {
  MutexLock lock(pool().mutex);
  if (pool().chunks.size() >= most_kept) return false;
  pool().chunks.push_back(chunk);
  return true;
}

}  // namespace

TaskQueue::TaskQueue() : tail_(take_chunk()), head_(tail_) {}

TaskQueue::~TaskQueue() {
  delete spare_.load(std::memory_order_relaxed);
  while (head_) delete std::exchange(head_, head_->next);
}

TaskQueue::Chunk* TaskQueue::take_chunk() {
  void* pooled = take_pooled();
  Chunk* chunk = pooled ? static_cast<Chunk*>(pooled) : new Chunk;
  chunk->end.store(sizeof(Chunk::bytes) + 1, std::memory_order_relaxed);
  chunk->next = nullptr;
  return chunk;
}

void TaskQueue::add_chunk() {
  Chunk* chunk = spare_.exchange(nullptr, std::memory_order_acquire);
  if (chunk) {
    chunk->end.store(sizeof(Chunk::bytes) + 1, std::memory_order_relaxed);
    chunk->next = nullptr;
  } else {
    chunk = take_chunk();
  }
  tail_->next = chunk;
  tail_->end.store(tail_offset_, std::memory_order_relaxed);
  tail_ = chunk;
  tail_offset_ = 0;
}

void TaskQueue::leave_chunk() {
  Chunk* left = std::exchange(head_, head_->next);
  head_offset_ = 0;
  Chunk* surplus = spare_.exchange(left, std::memory_order_acq_rel);
  if (surplus && !give_pooled(surplus)) delete surplus;
}

}  // namespace reprise_runtime::exec
