// Thread pool of the plain C++ contender. Like the threads of the other contenders, its threads spin for a moment after
// their work and then sleep.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace bench {

class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();

  // Calls body(begin, end) for equal parts of [0, count), one on each thread including the caller.
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
  std::atomic<unsigned> round_{0};  // incremented to start the work below
  std::atomic<int> unfinished_{0};
  Function function_ = nullptr;  // nullptr ends the threads
  const void* context_ = nullptr;
  int count_ = 0;
};

}  // namespace bench
