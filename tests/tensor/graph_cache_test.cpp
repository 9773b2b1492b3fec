// GraphCache: one graph for each shape.
#include <gtest/gtest.h>
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/graph_cache.h>
#include <reprise/ops.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "error_of.h"
#include "values.h"

namespace reprise {
namespace {

using Tensors = std::vector<Tensor>;

TEST(GraphCacheTest, HasAGraphForEachShape) {
  Tensor weight = randn({8, 4});
  auto function = [&](const Tensors& in) { return Tensors{relu(matmul(in[0], weight))}; };
  GraphCache cache(function);
  for (int round = 0; round < 3; ++round) {
    for (std::int64_t rows : {1, 5, 3}) {
      Tensor x = randn({rows, 8});
      EXPECT_EQ(values(cache({x})[0]), values(function({x})[0]));
    }
  }
  EXPECT_EQ(cache.statistics().captures, 3u);
  EXPECT_EQ(cache.statistics().replays, 9u);
}

TEST(GraphCacheTest, TypesDimensionsAndArgumentCountDistinguishShapes) {
  auto function = [](const Tensors& in) { return Tensors{in.back() + in.front()}; };
  GraphCache cache(function);
  const Tensor x = rand({4, 6});
  const std::vector<Tensors> calls = {
      {x}, {x.to(DType::f16)}, {x.view({4, 6, 1})}, {x.view({6, 4})}, {x, x}, {x, x.view({1, 4, 6})}, {x}};
  for (const Tensors& call : calls) {
    const Tensor got = cache(call)[0], wanted = function(call)[0];
    EXPECT_EQ(got.sizes(), wanted.sizes());
    EXPECT_EQ(got.dtype(), wanted.dtype());
    EXPECT_EQ(values(got.to(DType::f32)), values(wanted.to(DType::f32)));
  }
  EXPECT_EQ(cache.statistics().captures, calls.size() - 1);
}

TEST(GraphCacheTest, TheLastSmallerBatchIsPadded) {
  Tensor weight = randn({8, 4});
  auto function = [&](const Tensors& in) { return Tensors{matmul(in[0], weight), in[0] + 1}; };
  GraphCacheOptions options;
  options.batch_sizes = {4, 16};
  GraphCache cache(function, options);
  for (std::int64_t rows : {16, 16, 16, 7, 3, 4, 1}) {
    Tensor x = randn({rows, 8});
    Tensors results = cache({x}), expected = function({x});
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(results[i].sizes(), expected[i].sizes());
      Values got = values(results[i]), wanted = values(expected[i]);
      for (std::size_t at = 0; at < got.size(); ++at) ASSERT_NEAR(got[at], wanted[at], 1e-5);
    }
  }
  EXPECT_EQ(cache.statistics().captures, 2u);
  EXPECT_EQ(cache.statistics().padded, 3u);
  Tensor large = randn({17, 8});
  EXPECT_EQ(values(cache({large})[1]), values(large + 1));
  EXPECT_EQ(cache.statistics().eager, 1u);
}

TEST(GraphCacheTest, OnlyBatchedArgumentsArePadded) {
  // Weights with as many rows as the batch, and a result with as many rows as the padded batch.
  auto function = [](const Tensors& in) { return Tensors{matmul(in[0], in[1]) + in[2], matmul(in[1], in[1])}; };
  GraphCacheOptions options;
  options.batch_sizes = {4};
  options.batched = {0, 2};
  options.batched_results = {{0}};
  GraphCache cache(function, options);
  for (std::int64_t rows : {4, 3, 2}) {
    for (std::int64_t inner : {3, 4}) {
      Tensors in{randn({rows, inner}), randn({inner, inner}), randn({rows, 1})}, results = cache(in),
                                                                                 expected = function(in);
      for (int i = 0; i < 2; ++i) {
        ASSERT_EQ(results[i].sizes(), expected[i].sizes());
        Values got = values(results[i]), wanted = values(expected[i]);
        for (std::size_t at = 0; at < got.size(); ++at) ASSERT_NEAR(got[at], wanted[at], 1e-5);
      }
    }
  }
  EXPECT_EQ(cache.statistics().captures, 2u);
  EXPECT_TRUE(says(error_of([&] { cache({zeros({3, 3}), zeros({3, 3}), zeros({2, 1})}); }),
                   "[3, 3] and 2 of [2, 1] differ in their rows"));
  options.batched_results = {};
  GraphCache undeclared(function, options);
  const std::string text = error_of([&] { undeclared({zeros({2, 3}), zeros({3, 3}), zeros({2, 1})}); });
  EXPECT_TRUE(says(text, "result 1 of [3, 3] does not have the 4 rows")) << text;
}

TEST(GraphCacheTest, BatchSizesNeedABatchedArgument) {
  // The result has as many rows as a batch, but no argument is batched.
  auto function = [](const Tensors& in) { return Tensors{in[0] + 1}; };
  auto refused = [&](std::vector<std::size_t> batched) {
    GraphCacheOptions options;
    options.batch_sizes = {4, 16};
    options.batched = batched;
    return error_of([&] { GraphCache(function, options)({zeros({4, 2})}); });
  };
  EXPECT_TRUE(says(refused({}), "batch sizes up to 16, and no argument is declared as batched")) << refused({});
  EXPECT_TRUE(says(refused({1}), "argument 1 is declared as batched, and there are only 1")) << refused({1});
  EXPECT_TRUE(says(refused({0, 3}), "argument 3 is declared as batched, and there are only 1")) << refused({0, 3});
  EXPECT_EQ(refused({0}), "no error");
  GraphCacheOptions without_sizes;
  without_sizes.batched = {};
  EXPECT_EQ(values(GraphCache(function, without_sizes)({zeros({4})})[0]), Values(4, 1));
}

TEST(GraphCacheTest, IsBoundedAndEvictsTheLeastRecentlyUsed) {
  int calls = 0;
  GraphCacheOptions options;
  options.capacity = 2;
  GraphCache cache(
      [&](const Tensors& in) {
        ++calls;
        return Tensors{in[0] * 2};
      },
      options);
  auto call = [&](std::int64_t rows) { return values(cache({full({rows}, double(rows))})[0]); };
  call(1);
  call(2);
  call(1);
  call(3);  // evicts 2
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_EQ(cache.statistics().evictions, 1u);
  int before = calls;
  EXPECT_EQ(call(1), Values({2}));
  EXPECT_EQ(calls, before) << "1 was used more recently than 2";
  EXPECT_EQ(call(2), Values({4, 4}));
  EXPECT_GT(calls, before);
  cache.clear();
  EXPECT_EQ(cache.pool().statistics().reserved, 0u);
}

TEST(GraphCacheTest, ReadingAnOverwrittenOutputIsAnError) {
  GraphCache cache([](const Tensors& in) { return Tensors{in[0] + 1}; });
  Tensor first = cache({full({3}, 1)})[0];
  EXPECT_EQ(values(first), Values({2, 2, 2}));
  Tensor kept = first.clone();
  Tensor second = cache({full({3}, 5)})[0];
  EXPECT_EQ(values(second), Values({6, 6, 6}));
  EXPECT_TRUE(says(error_of([&] { values(first); }), "replay 2 has overwritten")) << error_of([&] { values(first); });
  EXPECT_TRUE(says(error_of([&] { first + 1; }), "replay 2 has overwritten"));
  EXPECT_EQ(values(kept), Values({2, 2, 2}));
}

TEST(GraphCacheTest, RunsEagerlyBeforeTheChosenCall) {
  GraphCacheOptions options;
  options.capture_at = 3;
  GraphCache cache([](const Tensors& in) { return Tensors{in[0] + 1}; }, options);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(values(cache({full({1}, i)})[0]), Values({i + 1.0f}));
  EXPECT_EQ(cache.statistics().eager, 2u);
  EXPECT_EQ(cache.statistics().replays, 3u);
}

// The work of the first call waits for the host; the second call, on another stream, must not overwrite its input.
TEST(GraphCacheTest, CallsOnSeveralStreamsAreIndependent) {
  std::atomic<bool> go{true};
  GraphCacheOptions options;
  options.own_results = true;
  GraphCache cache(
      [&](const Tensors& in) {
        host_function([&] {
          while (!go) std::this_thread::yield();
        });
        return Tensors{in[0] * 2};
      },
      options);
  cache({full({3}, 0)});
  Stream streams[2];
  Tensor results[2];
  const Tensor arguments[] = {full({3}, 1), full({3}, 5)};
  cudaDeviceSynchronize();
  go = false;
  for (int i = 0; i < 2; ++i) {
    StreamGuard guard(streams[i].get());
    results[i] = cache({arguments[i]})[0];
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  go = true;
  cudaDeviceSynchronize();
  EXPECT_EQ(values(results[0]), Values({2, 2, 2}));
  EXPECT_EQ(values(results[1]), Values({10, 10, 10}));
}

TEST(GraphCacheTest, ThreadsThatShareOneGetTheirOwnResults) {
  Tensor weight = full({64, 64}, 1.0 / 64);
  GraphCacheOptions options;
  options.own_results = true;
  GraphCache cache([&](const Tensors& in) { return Tensors{matmul(matmul(in[0], weight), weight)}; }, options);
  cudaDeviceSynchronize();
  std::atomic<int> wrong{0};
  auto call = [&](float number) {
    Stream stream;
    StreamGuard guard(stream.get());
    for (int i = 0; i < 50; ++i) wrong += values(cache({full({8, 64}, number)})[0]) != Values(8 * 64, number);
  };
  std::thread other(call, 2.0f);
  call(1);
  other.join();
  EXPECT_EQ(wrong, 0);
}

TEST(GraphCacheTest, IsPartOfAnEnclosingCaptureAndDetectsRecursion) {
  GraphCache cache([](const Tensors& in) { return Tensors{in[0] * 2}; });
  Tensor x = ones({2}), y;
  CUDAGraph graph;
  graph.capture([&] { y = cache({x})[0] + 1; });
  for (float number : {1, 4}) {
    x.fill_(number);
    graph.replay();
    EXPECT_EQ(values(y), Values(2, number * 2 + 1));
  }
  GraphCache* itself = nullptr;
  GraphCacheOptions options;
  options.capture_at = 2;
  GraphCache nested([&](const Tensors& in) { return (*itself)(in); }, options);
  itself = &nested;
  EXPECT_TRUE(says(error_of([&] { nested({x}); }), "called by its own function"));
  EXPECT_TRUE(says(error_of([] { GraphCache cache(nullptr, {8, {0, 4}}); }), "a batch of 0 rows"));
}

}  // namespace
}  // namespace reprise
