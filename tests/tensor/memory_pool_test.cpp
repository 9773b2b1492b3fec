// Pools: reuse, sharing between graphs, misuse, streams, statistics.
#include <gtest/gtest.h>
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/mem_pool.h>
#include <reprise/ops.h>

#include <random>
#include <thread>

#include "error_of.h"
#include "memory/pool.h"
#include "memory/range.h"

namespace reprise {
namespace {

constexpr std::int64_t mebi = 1 << 20;

TEST(RangeSetTest, AgreesWithASetOfNumbers) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    RangeSet ranges;
    std::vector<bool> model(64);
    for (int i = 0; i < 8; ++i) {
      std::uintptr_t begin = random() % 60, end = begin + 1 + random() % 4;
      ranges.add({begin, end});
      for (auto at = begin; at < end; ++at) model[at] = true;
    }
    EXPECT_EQ(ranges.bytes(), static_cast<std::size_t>(std::count(model.begin(), model.end(), true)));
    for (std::uintptr_t begin = 0; begin < 60; ++begin) {
      EXPECT_EQ(ranges.overlaps({begin, begin + 2}), model[begin] || model[begin + 1]) << begin;
      EXPECT_EQ(ranges.covers({begin, begin + 2}), model[begin] && model[begin + 1]) << begin;
    }
  }
}

TEST(EagerMemoryTest, IsReusedByTheSameStreamAtOnce) {
  const void* first = empty({1000}).body().memory->address();
  EXPECT_EQ(empty({1000}).body().memory->address(), first);
}

TEST(EagerMemoryTest, UsedByAnotherStreamIsReusedAfterIt) {
  Stream stream;
  std::atomic<bool> go{false};
  // The first use of a kernel and an allocation may wait for the device, which must not happen while the stream waits
  // for this thread.
  {
    StreamGuard guard(stream.get());
    full({1000}, 5) + 1;
  }
  stream.synchronize();
  full({1000}, 5) + 1;
  Tensor x = ones({1000});
  StreamRef().synchronize();
  const void* address = x.body().memory->address();
  Tensor y;
  {
    StreamGuard guard(stream.get());
    host_function([&go] {
      while (!go) std::this_thread::yield();
    });
    y = x + 1;
  }
  x = Tensor();
  Tensor z = full({1000}, 5);
  EXPECT_NE(z.body().memory->address(), address) << "the other stream has not read it yet";
  go = true;
  stream.synchronize();
  EXPECT_EQ(y.to_vector<float>()[999], 2);
  Tensor again = empty({1000});
  EXPECT_EQ(again.body().memory->address(), address);
}

TEST(EagerMemoryTest, OfADestroyedStreamIsReused) {
  const void* address;
  {
    Stream stream;
    StreamGuard guard(stream.get());
    address = full({3 * mebi}, 1).body().memory->address();
  }
  EXPECT_EQ(empty({3 * mebi}).body().memory->address(), address);
}

TEST(EagerMemoryTest, ReturnsToTheDevice) {
  empty_cache();
  std::size_t before = memory_statistics().reserved;
  Tensor x = empty({8 * mebi});
  EXPECT_EQ(memory_statistics().reserved, before + 32 * mebi);
  x = Tensor();
  EXPECT_EQ(memory_statistics().reserved, before + 32 * mebi);
  empty_cache();
  EXPECT_EQ(memory_statistics().reserved, before);
}

TEST(PrivatePoolTest, ReusesMemoryInsideACapture) {
  Tensor x = ones({mebi});
  CUDAGraph graph;
  Tensor y;
  graph.capture([&] {
    y = x;
    for (int i = 0; i < 20; ++i) y = y + 1;
  });
  // At most two are alive at a time.
  EXPECT_EQ(graph.statistics().peak_live, 8u * mebi);
  EXPECT_EQ(graph.statistics().own, 8u * mebi);
  graph.replay();
  EXPECT_EQ(y.to_vector<float>()[mebi - 1], 21);
}

TEST(PrivatePoolTest, TwoGraphsInSuccessionShareExactly) {
  Tensor x = ones({8 * mebi});
  PoolHandle pool = graph_pool_handle();
  CUDAGraph first, second;
  Tensor a, b;
  auto work = [&](Tensor& out) { out = sum((x + 1) * 2); };
  first.capture([&] { work(a); }, {pool});
  std::size_t reserved = pool.statistics().reserved;
  second.capture([&] { work(b); }, {pool});
  EXPECT_EQ(pool.statistics().reserved, reserved);
  for (int i = 0; i < 3; ++i) {
    first.replay();
    second.replay();
    EXPECT_EQ(a.item<float>(), b.item<float>());
  }
}

TEST(PrivatePoolTest, ResetReturnsTheMemoryWithTheLastUser) {
  Tensor x = ones({8 * mebi});
  PoolHandle pool = graph_pool_handle();
  CUDAGraph first, second;
  Tensor a, b;
  first.capture([&] { a = x + 1; }, {pool});
  second.capture([&] { b = x + 1; }, {pool});
  first.replay();
  EXPECT_EQ(pool.statistics().reserved, 64u * mebi);
  a = Tensor();
  first.reset();
  EXPECT_EQ(pool.statistics().reserved, 64u * mebi) << "the other graph may use it";
  second.replay();
  second.reset();
  EXPECT_EQ(pool.statistics().reserved, 32u * mebi) << "an output pins its own";
  EXPECT_EQ(b.to_vector<float>()[0], 2);
  b = Tensor();
  EXPECT_EQ(pool.statistics().reserved, 0u);
}

TEST(PrivatePoolTest, LiveOutputsAreNeverReused) {
  Tensor x = full({100}, 1);
  PoolHandle pool = graph_pool_handle();
  std::vector<std::unique_ptr<CUDAGraph>> graphs;
  std::vector<Tensor> outputs;
  for (int i = 0; i < 5; ++i) {
    graphs.push_back(std::make_unique<CUDAGraph>());
    graphs.back()->capture([&] { outputs.push_back(x * i); }, {pool, CaptureMode::thread_local_, 0});
  }
  for (int i : {4, 2, 0, 1, 3, 2}) graphs[i]->replay();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(outputs[i].to_vector<float>()[50], i);
}

// Where `first` left scratch memory, `second` has its output.
struct Shared {
  Tensor x = full({1000}, 3);
  PoolHandle pool = graph_pool_handle();
  CUDAGraph first, second;
  Tensor a, b;
  Shared() {
    first.capture([&] { a = (x + 1) * 2 + 1; }, {pool, CaptureMode::thread_local_, 0});
    second.capture([&] { b = x * 5; }, {pool, CaptureMode::thread_local_, 0});
  }
};

TEST(PoolMisuseTest, ReadingATensorOverwrittenByAnotherGraphIsAnError) {
  Shared shared;
  shared.first.replay();
  shared.second.replay();
  EXPECT_EQ(shared.b.to_vector<float>()[7], 15);
  shared.first.replay();
  EXPECT_EQ(shared.a.to_vector<float>()[7], 9);
  std::string text = error_of([&] { shared.b.to_vector<float>(); });
  EXPECT_TRUE(says(text, "has overwritten since") && says(text, "clone()")) << text;
  EXPECT_TRUE(says(error_of([&] { sum(shared.b * 2); }), "has overwritten since"));
  shared.second.replay();
  EXPECT_EQ(shared.b.to_vector<float>()[7], 15);
}

TEST(PoolMisuseTest, ReplayInTheWrongOrderIsAnError) {
  Shared shared;
  CUDAGraph third;
  Tensor c;
  third.capture([&] { c = shared.b + 1; }, {shared.pool, CaptureMode::thread_local_, 0});
  EXPECT_TRUE(says(error_of([&] { third.replay(); }), "has not been replayed"));
  shared.second.replay();
  third.replay();
  EXPECT_EQ(c.to_vector<float>()[0], 16);
  shared.first.replay();
  std::string text = error_of([&] { third.replay(); });
  EXPECT_TRUE(says(text, "replaying a graph that uses") && says(text, "has overwritten since")) << text;
  shared.second.replay();
  third.replay();
  EXPECT_EQ(c.to_vector<float>()[0], 16);
}

TEST(PoolMisuseTest, GraphsOfOnePoolNeverRunConcurrently) {
  Shared shared;
  Stream one, two;
  one.wait(StreamRef());
  two.wait(StreamRef());
  for (int i = 0; i < 30; ++i) {
    {
      StreamGuard guard(one.get());
      shared.first.replay();
    }
    StreamGuard guard(two.get());
    shared.second.replay();
    two.synchronize();
    ASSERT_EQ(shared.b.to_vector<float>()[999], 15);
  }
}

TEST(CaptureStreamsTest, MemoryOfSeveralStreamsIsReusedOnlyAfterAJoin) {
  for (int streams = 2; streams <= 4; ++streams) {
    Tensor x = ones({1000});
    CUDAGraph graph;
    graph.capture_begin();
    StreamRef main = current_stream();
    std::vector<Stream> side(streams - 1);
    Tensor shared = x + 1;
    const void* address = shared.body().memory->address();
    std::vector<Tensor> results;
    for (Stream& stream : side) {
      stream.wait(main);
      StreamGuard guard(stream.get());
      results.push_back(shared * 2);
    }
    shared = Tensor();
    Tensor before = x + 2;
    EXPECT_NE(before.body().memory->address(), address) << "the others have not joined";
    for (std::size_t i = 0; i + 1 < side.size(); ++i) main.wait(side[i].ref());
    Tensor between = x + 2;
    if (side.size() > 1) EXPECT_NE(between.body().memory->address(), address) << "one has not joined";
    main.wait(side.back().ref());
    Tensor after = x + 3;
    if (side.size() > 1) EXPECT_EQ(after.body().memory->address(), address);
    graph.capture_end();
    graph.replay();
    for (Tensor& result : results) EXPECT_EQ(result.to_vector<float>()[1], 4);
    EXPECT_EQ(after.to_vector<float>()[1], 4);
    EXPECT_EQ(between.to_vector<float>()[1], 3);
  }
}

TEST(MemPoolTest, TakesEagerAllocationsAndNests) {
  MemPool outer, inner;
  std::size_t common = memory_statistics().live;
  Tensor a, b, c, d;
  {
    auto use = use_mem_pool(outer);
    a = empty({1000});
    {
      auto use_inner = use_mem_pool(inner);
      b = empty({2000});
    }
    c = empty({1000});
    // Does not affect another thread.
    std::thread([&] { d = empty({1000}); }).join();
  }
  EXPECT_EQ(outer.statistics().live, 2u * 4096);
  EXPECT_EQ(inner.statistics().live, 8192u);
  EXPECT_EQ(memory_statistics().live, common + 4096);
}

TEST(MemPoolTest, TensorsMayOutliveIt) {
  Tensor x;
  PoolHandle handle;
  {
    MemPool pool;
    handle = pool;
    auto use = use_mem_pool(pool);
    x = full({10}, 3);
  }
  EXPECT_EQ(x.to_vector<float>()[9], 3);
  EXPECT_GT(handle.statistics().reserved, 0u);
  x = Tensor();
  EXPECT_EQ(handle.statistics().reserved, 0u);
}

TEST(MemPoolTest, OfAFixedSizeNeverGrows) {
  MemPool pool(4 * mebi);
  EXPECT_EQ(pool.statistics().reserved, 4u * mebi);
  auto use = use_mem_pool(pool);
  Tensor a = empty({mebi / 2});
  Tensor b = empty({mebi / 2});
  std::string text = error_of([] { empty({mebi}); });
  EXPECT_TRUE(says(text, "fixed size of 4194304 bytes is not enough") && says(text, "in use 4194304")) << text;
  a = Tensor();
  b = Tensor();
  EXPECT_NO_THROW(empty({mebi}));
  EXPECT_EQ(pool.statistics().reserved, 4u * mebi);
}

TEST(MemPoolTest, ServesGraphsAndEagerWork) {
  MemPool pool(16 * mebi);
  Tensor x = ones({1000}), y;
  CUDAGraph graph;
  graph.capture([&] { y = (x + 1) * 2; }, {pool, CaptureMode::thread_local_, 0});
  Tensor eager;
  {
    auto use = use_mem_pool(pool);
    eager = zeros({mebi});
  }
  for (int i = 0; i < 3; ++i) graph.replay();
  EXPECT_EQ(y.to_vector<float>()[0], 4);
  EXPECT_EQ(eager.to_vector<float>()[mebi - 1], 0) << "the graph's scratch memory was given away";
}

TEST(StatisticsTest, ReportMemoryBeforeAndAfterACapture) {
  PoolHandle pool = graph_pool_handle();
  Tensor x = ones({mebi}), y;
  CUDAGraph graph;
  graph.capture([&] { y = sum(x + 1); }, {pool, CaptureMode::thread_local_, 0});
  GraphStatistics statistics = graph.statistics();
  EXPECT_EQ(statistics.before.reserved, 0u);
  EXPECT_EQ(statistics.after.reserved, pool.statistics().reserved);
  EXPECT_GT(statistics.peak_live, 4u * mebi);
  EXPECT_LT(statistics.after.live, 4u * mebi) << "only the sum is left";
  EXPECT_GE(statistics.inputs, 4u * mebi);
}

TEST(StatisticsTest, APoolsPeakOutlivesTheNextCapture) {
  PoolHandle pool = graph_pool_handle();
  Tensor x = ones({mebi}), y, z;
  CUDAGraph large, small;
  large.capture([&] { y = sum((x + 1) * (x + 2)); }, {pool, CaptureMode::thread_local_, 0});
  const PoolStatistics after_large = pool.statistics();
  EXPECT_GE(after_large.peak_live, 8u * mebi);
  small.capture([&] { z = sum(x.narrow(0, 0, 1000) + 1); }, {pool, CaptureMode::thread_local_, 0});
  EXPECT_EQ(pool.statistics().peak_live, after_large.peak_live) << "the most so far";
  EXPECT_GE(pool.statistics().peak_reserved, after_large.peak_reserved);
  EXPECT_EQ(large.statistics().peak_live, after_large.peak_live);
  EXPECT_LT(small.statistics().peak_live, 4u * mebi) << "its own";
  EXPECT_GE(small.statistics().peak_live, small.statistics().after.live);
}

// Random requests against a model of the blocks in use.
TEST(PoolTest, KeepsItsInvariants) {
  std::mt19937 random(7);
  auto pool = std::make_shared<Pool>();
  pool->add_user();
  Stream streams[2];
  std::vector<Block*> used;
  RangeSet given;
  for (int i = 0; i < 3000; ++i) {
    if (used.empty() || random() % 2) {
      std::size_t bytes = random() % 4 ? random() % 5000 : random() % (6 * mebi);
      Block* block = pool->take(bytes, {streams[random() % 2].get(), 0});
      ASSERT_GE(block->bytes, bytes);
      for (Block* other : used) {
        ASSERT_TRUE(other->data + other->bytes <= block->data || block->data + block->bytes <= other->data);
      }
      used.push_back(block);
    } else {
      std::size_t at = random() % used.size();
      std::vector<cudaStream_t> others;
      if (random() % 3 == 0) others.push_back(streams[random() % 2].get());
      pool->give_back(used[at], others);
      used[at] = used.back();
      used.pop_back();
    }
    if (i % 50 == 0) pool->check_invariants();
    if (i % 500 == 0) pool->release_unused();
  }
  for (Block* block : used) pool->give_back(block, {});
  pool->check_invariants();
  pool->remove_user();
  EXPECT_EQ(pool->statistics().reserved, 0u);
}

TEST(PoolTest, ServesSeveralThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      Stream stream;
      StreamGuard guard(stream.get());
      std::mt19937 random(t);
      std::vector<Tensor> live;
      for (int i = 0; i < 300; ++i) {
        live.push_back(full({static_cast<std::int64_t>(1 + random() % 5000)}, t * 1000 + i % 7));
        if (live.size() > 10) {
          std::size_t at = random() % live.size();
          std::vector<float> values = live[at].to_vector<float>();
          for (float value : values) ASSERT_EQ(value, values[0]);
          ASSERT_EQ(static_cast<int>(values[0]) / 1000, t);
          live.erase(live.begin() + at);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace reprise
