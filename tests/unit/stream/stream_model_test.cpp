// Random programs of tasks, records, waits, synchronizations and destroyed streams, called from several threads,
// against a naive model of CUDA's rules: which item must have ended before which begins.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "exec/blocking.h"
#include "long_tests.h"
#include "stream/device_streams.h"

namespace {

using namespace reprise_runtime;

// Items that the next one must follow.
using Frontier = std::set<int>;

struct Item {
  std::atomic<uint64_t> began{0}, ended{0};
  std::vector<int> after;
};

struct ModelStream {
  cudaStream_t handle = nullptr;
  enum { legacy, blocking, free } kind = free;
  Frontier frontier;
};

struct ModelEvent {
  cudaEvent_t handle = nullptr;
  Frontier frontier;
};

// Calls of all threads are serialized, so that their order is known; the work itself is not.
class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {
    streams_.resize(6);
    streams_[0].kind = ModelStream::legacy;
    for (size_t i = 1; i < streams_.size(); ++i) create(streams_[i]);
    events_.resize(5);
    for (ModelEvent& event : events_) {
      unsigned flags = pick(2) ? cudaEventDefault : cudaEventDisableTiming;
      EXPECT_EQ(cudaEventCreateWithFlags(&event.handle, flags), cudaSuccess);
    }
  }

  ~Program() {
    EXPECT_EQ(stream::synchronize_device(0), cudaSuccess);
    check_all();
    for (ModelStream& stream : streams_) {
      if (stream.handle) EXPECT_EQ(cudaStreamDestroy(stream.handle), cudaSuccess);
    }
    for (ModelEvent& event : events_) EXPECT_EQ(cudaEventDestroy(event.handle), cudaSuccess);
  }

  // One random call. Synchronizing calls wait outside the lock, so that others go on.
  void step() {
    std::unique_lock lock(mutex_);
    ModelStream& stream = streams_[pick(streams_.size())];
    ModelEvent& event = events_[pick(events_.size())];
    unsigned choice = pick(100);
    if (choice < 50) {
      submit(stream);
    } else if (choice < 65) {
      join(stream);
      event.frontier = stream.frontier;
      EXPECT_EQ(cudaEventRecord(event.handle, stream.handle), cudaSuccess);
    } else if (choice < 80) {
      join(stream);
      stream.frontier.insert(event.frontier.begin(), event.frontier.end());
      EXPECT_EQ(cudaStreamWaitEvent(stream.handle, event.handle, 0), cudaSuccess);
    } else if (choice < 86) {
      Frontier expected = stream.frontier;
      if (stream.kind == ModelStream::legacy) add_blocking(expected);
      Ref<stream::Stream> held = *stream::find(stream.handle);  // Another thread may destroy it meanwhile.
      lock.unlock();
      held->synchronize();
      lock.lock();
      check_ended(expected);
    } else if (choice < 92) {
      Frontier expected = event.frontier;
      event::Event::Point point = (*event::find(event.handle))->point();
      exec::WaitPolicy wait_policy = pick(2) ? exec::WaitPolicy::spin : exec::WaitPolicy::sleep;
      lock.unlock();
      point.wait(wait_policy);
      lock.lock();
      check_ended(expected);
    } else if (choice < 97) {
      if (cudaStreamQuery(stream.handle) == cudaSuccess) check_ended(stream.frontier);
    } else if (stream.kind != ModelStream::legacy) {
      EXPECT_EQ(cudaStreamDestroy(stream.handle), cudaSuccess);
      if (stream.kind == ModelStream::blocking) departed_.insert(stream.frontier.begin(), stream.frontier.end());
      create(stream);
    }
  }

 private:
  unsigned pick(size_t count) { return static_cast<unsigned>(random_() % count); }

  void create(ModelStream& stream) {
    stream.frontier.clear();
    stream.kind = pick(2) ? ModelStream::blocking : ModelStream::free;
    unsigned flags = stream.kind == ModelStream::free ? cudaStreamNonBlocking : cudaStreamDefault;
    EXPECT_EQ(cudaStreamCreateWithPriority(&stream.handle, flags, -static_cast<int>(pick(6))), cudaSuccess);
  }

  void add_blocking(Frontier& frontier) {
    for (ModelStream& stream : streams_) {
      if (stream.kind == ModelStream::blocking) frontier.insert(stream.frontier.begin(), stream.frontier.end());
    }
    frontier.insert(departed_.begin(), departed_.end());
  }

  // The legacy stream's rule, before each action in a stream.
  void join(ModelStream& stream) {
    if (stream.kind == ModelStream::legacy) {
      add_blocking(stream.frontier);
      departed_.clear();
    } else if (stream.kind == ModelStream::blocking) {
      stream.frontier.insert(streams_[0].frontier.begin(), streams_[0].frontier.end());
    }
  }

  void submit(ModelStream& stream) {
    join(stream);
    int number = static_cast<int>(items_.size());
    Item& item = items_.emplace_back();
    item.after.assign(stream.frontier.begin(), stream.frontier.end());
    stream.frontier = {number};
    unsigned work = pick(200), kind = pick(20);
    (*stream::find(stream.handle))->submit_task([this, &item, work, kind](exec::Lane&) {
      item.began = ++clock_;
      if (kind == 0) {
        exec::BlockingScope scope;
        std::this_thread::sleep_for(std::chrono::microseconds(work));
      } else if (kind == 1) {
        std::this_thread::yield();
      } else {
        for (volatile unsigned i = 0; i < work; i = i + 1) {
        }
      }
      item.ended = ++clock_;
    });
  }

  void check_ended(const Frontier& frontier) {
    for (int number : frontier) {
      EXPECT_NE(item(number).ended, 0u) << "item " << number << " was waited for and has not ended";
    }
  }
  Item& item(int number) { return items_[static_cast<size_t>(number)]; }

  void check_all() {
    for (size_t number = 0; number < items_.size(); ++number) {
      EXPECT_NE(items_[number].ended, 0u);
      for (int before : items_[number].after) {
        EXPECT_LT(item(before).ended, items_[number].began)
            << "item " << number << " began before item " << before << " had ended";
      }
    }
  }

  std::mutex mutex_;
  std::mt19937 random_;
  std::vector<ModelStream> streams_;
  std::vector<ModelEvent> events_;
  std::deque<Item> items_;
  Frontier departed_;
  std::atomic<uint64_t> clock_{0};
};

int rounds() { return repetitions(30, 200, 1000); }

TEST(StreamModel, RandomProgramsKeepEveryOrder) {
  for (int round = 0; round < rounds(); ++round) {
    SCOPED_TRACE("seed " + std::to_string(round));
    Program program(static_cast<unsigned>(round));
    std::vector<std::thread> threads;
    int count = 1 + round % 4;
    for (int t = 0; t < count; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 400; ++i) program.step();
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

// Without the lock around the calls, each thread sees its own order, in a stream and across the legacy stream.
TEST(StreamModel, ThreadsOnOneLegacyStreamEachSeeTheirOrder) {
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      std::mt19937 random(t);
      cudaStream_t own;
      ASSERT_EQ(cudaStreamCreate(&own), cudaSuccess);
      int last = 0, number = 0;  // Touched by this thread's items only, which the legacy rule runs one by one.
      for (int i = 0; i < 500; ++i) {
        cudaStream_t stream = random() % 2 ? own : nullptr;
        ++number;
        (*stream::find(stream))->submit_task([&last, number](exec::Lane&) {
          EXPECT_EQ(last, number - 1);
          last = number;
        });
        if (random() % 50 == 0) ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      }
      ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
      EXPECT_EQ(last, number);
      cudaStreamDestroy(own);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
