#include "thread_pool.h"

namespace bench {
namespace {
constexpr int spins = 20000;
}

ThreadPool::ThreadPool(int threads) : threads_(threads) {
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  function_ = nullptr;
  round_.fetch_add(1);
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run_part(int index) const {
  const long long count = count_;
  function_(context_, int(count * index / threads_), int(count * (index + 1) / threads_));
}

void ThreadPool::run(Function function, const void* context, int count) {
  function_ = function;
  context_ = context;
  count_ = count;
  unfinished_.store(threads_ - 1, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  run_part(0);
  while (unfinished_.load(std::memory_order_acquire) != 0) __builtin_ia32_pause();
}

void ThreadPool::work(int index) {
  for (unsigned seen = 0;; ++seen) {
    for (int i = 0; i < spins && round_.load(std::memory_order_acquire) == seen; ++i) __builtin_ia32_pause();
    round_.wait(seen, std::memory_order_acquire);
    if (!function_) return;
    run_part(index);
    unfinished_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace bench
