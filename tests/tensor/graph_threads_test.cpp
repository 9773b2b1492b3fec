// Several threads that capture, replay and allocate at once.
#include <gtest/gtest.h>
#include <reprise/cuda_graph.h>
#include <reprise/ops.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "kernels/matrix/matmul.h"
#include "kernels/random/random.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"
#include "values.h"

namespace reprise {
namespace {

TEST(GraphThreadsTest, ThreadsCaptureTheirOwnGraphsConcurrently) {
  for (const char* mode : {"thread_local", "relaxed"}) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([t, mode] {
        Stream stream;
        StreamGuard guard(stream.get());
        for (int round = 0; round < 10; ++round) {
          Tensor x = kernels::full({100}, t);
          CUDAGraph graph(capture_mode(mode));
          graph.capture_begin();
          Tensor y = (x + 1) * 2, z = y + x;
          graph.capture_end();
          for (int i = 0; i < 3; ++i) graph.replay();
          stream.synchronize();
          EXPECT_EQ(z.clone().select(0, 5).item<float>(), 3 * t + 2);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

// Captured concurrently, replayed one after the other, as graphs of one pool must be: scratch memory of one may hold a
// result of another.
TEST(GraphThreadsTest, ConcurrentCapturesMayShareAPool) {
  PoolHandle pool = graph_pool_handle();
  CUDAGraph graphs[3];
  Tensor x[3], y[3];
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      x[t] = kernels::full({100}, t);
      graphs[t].capture_begin(pool);
      y[t] = (x[t] + 1) * 2;
      graphs[t].capture_end();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 10; ++i) {
    for (int t = 0; t < 3; ++t) {
      graphs[t].replay();
      EXPECT_EQ(y[t].select(0, 7).item<float>(), 2 * t + 2);
    }
  }
}

TEST(GraphThreadsTest, OtherThreadsTakePartThroughJoinedStreams) {
  for (const char* mode : {"thread_local", "relaxed", "global"}) {
    Tensor x = tensor({1, 2}), y, z[3];
    CUDAGraph graph(capture_mode(mode));
    Stream streams[3];
    graph.capture_begin();
    for (Stream& each : streams) each.wait(StreamRef(current_stream()));
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        StreamGuard guard(streams[t].get());
        z[t] = (x + t) * (x + t);
      });
    }
    y = x * 10;
    for (std::thread& thread : threads) thread.join();
    for (Stream& each : streams) StreamRef(current_stream()).wait(each.ref());
    y = y + z[0] + z[1] + z[2];
    graph.capture_end();
    for (float value : {1.0f, 3.0f}) {
      x.fill_(value);
      graph.replay();
      EXPECT_EQ(values(y),
                Values(2, value * 10 + value * value + (value + 1) * (value + 1) + (value + 2) * (value + 2)))
          << mode;
    }
  }
}

TEST(GraphThreadsTest, ADataLoaderWorksDuringCapture) {
  std::atomic<bool> stop{false};
  std::atomic<int> batches{0};
  std::thread loader([&] {
    Stream stream;
    StreamGuard guard(stream.get());
    for (int i = 0; !stop; ++i) {
      // Allocates, copies from the host, reads back.
      Tensor batch = kernels::from_vector(Values(1000 + i % 7, float(i)));
      EXPECT_EQ((batch + 1).select(0, 3).item<float>(), float(i + 1));
      ++batches;
    }
  });
  Tensor x = kernels::zeros({100});
  for (int round = 0; round < 21; ++round) {
    const char* modes[] = {"thread_local", "relaxed", "global"};
    CUDAGraph graph(capture_mode(modes[round % 3]));
    graph.capture_begin();
    Tensor y = x + 1;
    int seen = batches;
    while (batches < seen + 2) std::this_thread::yield();
    x.copy_(y);
    graph.capture_end();
    EXPECT_EQ(graph.node_count(), 2u) << "another thread's work was captured";
    graph.replay();
  }
  stop = true;
  loader.join();
  EXPECT_EQ(x.select(0, 0).item<float>(), 21);
}

}  // namespace
}  // namespace reprise
