// Threads kept alive between calls, for the plain C++ contender. They spin for a moment after their work, as those of
// the other contenders do, then sleep.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace bench {

class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();

  // body(begin, end) for equal parts of [0, count), one for each thread, the caller among them.
  template <class Body>
  void spread(int count, const Body& body) {
    run([](const void* context, int begin, int end) { (*static_cast<const Body*>(context))(begin, end); }, &body,
        count);
  }

 private:
  using Function = void (*)(const void* context, int begin, int end);
  void run(Function function, const void* context, int count);
  void work(int index);
  void run_part(int index) const;

  const int threads_;
  std::vector<std::thread> workers_;
  std::atomic<unsigned> round_{0};  // raised to start the work below
  std::atomic<int> unfinished_{0};
  Function function_ = nullptr;  // nullptr: end
  const void* context_ = nullptr;
  int count_ = 0;
};

}  // namespace bench
