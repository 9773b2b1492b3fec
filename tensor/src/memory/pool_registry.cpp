#include "memory/pool_registry.h"

#include <reprise/capture.h>
#include <reprise/stream.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <vector>

#include "memory/pool.h"
#include "memory/replay_order.h"

namespace reprise {
namespace {

struct Known {
  std::mutex mutex;
  // Guarded by mutex.
  std::vector<std::weak_ptr<Pool>> deferred;
  std::vector<std::weak_ptr<Pool>> pools;
  std::set<cudaStream_t> destroyed;
};

std::atomic<bool> any_destroyed{false};  // since the process started

Known& known() {
  static Known* known = new Known;
  return *known;
}

std::vector<std::shared_ptr<Pool>> pools_alive() {
  std::lock_guard<std::mutex> lock(known().mutex);
  std::vector<std::shared_ptr<Pool>> pools;
  for (const auto& each : known().pools) {
    if (auto pool = each.lock()) pools.push_back(std::move(pool));
  }
  return pools;
}

void on_create(cudaStream_t stream) {
  std::lock_guard<std::mutex> lock(known().mutex);
  known().destroyed.erase(stream);
}

void on_destroy(cudaStream_t stream) {
  RelaxedCaptureMode relaxed;
  // A capturing stream has no work in progress and cannot be synchronized.
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &status);
  if (status == cudaStreamCaptureStatusNone) cudaStreamSynchronize(stream);
  {
    std::lock_guard<std::mutex> lock(known().mutex);
    known().destroyed.insert(stream);
    any_destroyed.store(true, std::memory_order_release);
  }
  for (const auto& pool : pools_alive()) {
    pool->forget(stream);
    pool->order().forget(stream);
  }
}

}  // namespace

void defer_release(std::weak_ptr<Pool> pool) {
  std::lock_guard<std::mutex> lock(known().mutex);
  known().deferred.push_back(std::move(pool));
}

void run_deferred_releases() {
  std::vector<std::weak_ptr<Pool>> pools;
  {
    std::lock_guard<std::mutex> lock(known().mutex);
    pools.swap(known().deferred);
  }
  for (const auto& each : pools) {
    if (auto pool = each.lock()) pool->release_unused();
  }
}

bool is_destroyed(cudaStream_t stream) {
  if (!stream || !any_destroyed.load(std::memory_order_acquire)) return false;
  std::lock_guard<std::mutex> lock(known().mutex);
  return known().destroyed.count(stream) != 0;
}

void register_stream_hooks() {
  stream_hooks.created.store(on_create);
  stream_hooks.destroying.store(on_destroy);
}

void before_capture(cudaStream_t stream) {
  for (const auto& pool : pools_alive()) pool->order().before_capture(stream);
}

void register_pool(const std::shared_ptr<Pool>& pool) {
  std::lock_guard<std::mutex> lock(known().mutex);
  auto& pools = known().pools;
  pools.erase(std::remove_if(pools.begin(), pools.end(), [](const auto& each) { return each.expired(); }), pools.end());
  pools.push_back(pool);
}

}  // namespace reprise
