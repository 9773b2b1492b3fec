// What is built on CUDAGraph: graphs per shape, control flow, static programs.
#include <gtest/gtest.h>
#include <reprise/autograd.h>
#include <reprise/control_flow.h>
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/graph_cache.h>
#include <reprise/ops.h>
#include <reprise/optim.h>
#include <reprise/program.h>
#include <reprise/segmented_graph.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "error_of.h"

namespace reprise {
namespace {

using Values = std::vector<float>;
Values values(const Tensor& x) { return x.to_vector<float>(); }

Tensor parameter(const Tensor& value) {
  autograd_of(value).requires_grad = true;
  return value;
}

// Graphs per shape.

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

TEST(GraphCacheTest, ATypeADimensionAndTheNumberOfArgumentsAreOfAShape) {
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

TEST(GraphCacheTest, OnlyWhatIsDeclaredAsBatchedIsPadded) {
  // Weights of as many rows as the batch, and a result of as many as the padded one.
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
  // Whose result has as many rows as a batch, and would be cut to those of no argument.
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

TEST(GraphCacheTest, IsBoundedAndDropsTheLeastRecentlyUsed) {
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
  call(3);  // 2 goes
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

TEST(GraphCacheTest, AnOutputThatALaterCallHasOverwrittenIsAnError) {
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

TEST(GraphCacheTest, MayWaitBeforeItCaptures) {
  GraphCacheOptions options;
  options.capture_at = 3;
  GraphCache cache([](const Tensors& in) { return Tensors{in[0] + 1}; }, options);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(values(cache({full({1}, i)})[0]), Values({i + 1.0f}));
  EXPECT_EQ(cache.statistics().eager, 2u);
  EXPECT_EQ(cache.statistics().replays, 3u);
}

// The first call's work waits for the host; the second, on another stream, must not touch what it has yet to read.
TEST(GraphCacheTest, CallsOnSeveralStreamsAndTheirResultsDoNotDisturbEachOther) {
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

TEST(GraphCacheTest, IsPartOfACaptureAndNeverOfItself) {
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

// Graphs with eager work between them.

TEST(SegmentedGraphTest, LeavesTheCaptureAndReturns) {
  Tensor x = zeros({4}), between = zeros({4});
  std::vector<float> seen;
  Tensor y, z;
  auto work = [&] {
    y = x * 2 + rand({4});
    eagerly([&] {
      seen.push_back(sum(y).item<float>());  // which no graph could
      between.copy_(y * seen.back() + rand({4}));
    });
    z = dropout(between + y) + rand({4});
  };
  SegmentedGraph graph;
  graph.capture(work);
  EXPECT_EQ(graph.segments(), 2u);
  EXPECT_EQ(values(between), Values(4, 0)) << "warm-up leaves no trace, and the capture runs nothing";
  for (int round = 0; round < 3; ++round) {
    x.fill_(round);
    manual_seed(round);
    seen.clear();
    graph.replay();
    const Values by_replay = values(z);
    ASSERT_EQ(seen.size(), 1u);
    manual_seed(round);
    work();
    EXPECT_EQ(by_replay, values(z));
    EXPECT_EQ(seen[0], seen[1]);
    graph.capture(work);  // z is the graph's again
  }
}

TEST(SegmentedGraphTest, AFailedCaptureReturnsEverything) {
  Tensor x = ones({1000});
  SegmentedGraph graph;
  PoolHandle pool = graph_pool_handle();
  CaptureOptions options{pool, CaptureMode::thread_local_, 0};
  Tensor y;
  EXPECT_EQ(error_of([&] {
              graph.capture(
                  [&] {
                    y = x + 1;
                    eagerly([] {});
                    y = y + 1;
                    fail("as asked");
                  },
                  options);
            }),
            "as asked");
  y = Tensor();
  EXPECT_FALSE(is_current_stream_capturing());
  EXPECT_EQ(graph.segments(), 0u);
  EXPECT_EQ(pool.statistics().reserved, 0u);
  EXPECT_TRUE(says(error_of([&] { graph.replay(); }), "captured nothing"));
  bool ran = false;
  eagerly([&] { ran = true; });
  EXPECT_TRUE(ran) << "outside of captures it is a plain call";
}

// Control flow.

TEST(ControlFlowTest, ABranchIsChosenInEachReplay) {
  Tensor x = from_vector(Values{1, 2});
  auto work = [&] { return cond(sum(x) > 0, [&] { return Tensors{x * 2}; }, [&] { return Tensors{x - 100}; })[0]; };
  CUDAGraph graph;
  Tensor y;
  graph.capture([&] { y = work(); });
  for (float value : {1.0f, -1.0f, 3.0f, -5.0f}) {
    x.copy_(full({2}, value));
    graph.replay();
    EXPECT_EQ(values(y), values(work())) << value;
    EXPECT_EQ(values(y), Values(2, value > 0 ? value * 2 : value - 100));
  }
}

TEST(ControlFlowTest, ALoopRunsAsOftenAsEachReplayNeeds) {
  Tensor start = full({1}, 1), limit = full({1}, 100);
  auto work = [&] {
    return while_loop([&](const Tensors& in) { return in[0] < limit; },
                      [&](const Tensors& in) { return Tensors{in[0] * 2, in[1] + 1}; }, {start, zeros({1})});
  };
  CUDAGraph graph;
  Tensors result;
  graph.capture([&] { result = work(); });
  for (float value : {1.0f, 3.0f, 50.0f, 1000.0f}) {
    start.copy_(full({1}, value));
    graph.replay();
    Tensors expected = work();
    EXPECT_EQ(values(result[0]), values(expected[0])) << value;
    EXPECT_EQ(values(result[1]), values(expected[1])) << value;
  }
  limit.copy_(full({1}, 2));
  start.copy_(full({1}, 1));
  graph.replay();
  EXPECT_EQ(values(result[1]), Values({1}));
}

TEST(ControlFlowTest, Nests) {
  Tensor x = full({1}, 0);
  // Collatz: steps until 1.
  auto work = [&] {
    return while_loop([](const Tensors& in) { return in[0] > 1; },
                      [](const Tensors& in) {
                        Tensor half = in[0] * 0.5;
                        Tensor odd = eq(half.to(DType::i64).to(DType::f32) * 2, in[0]);
                        Tensor next =
                            cond(odd, [&] { return Tensors{half}; }, [&] { return Tensors{in[0] * 3 + 1}; })[0];
                        return Tensors{next, in[1] + 1};
                      },
                      {x, zeros({1})})[1];
  };
  CUDAGraph graph;
  Tensor steps;
  graph.capture([&] { steps = work(); });
  for (auto [value, expected] : {std::pair{6.0f, 8.0f}, {1.0f, 0.0f}, {27.0f, 111.0f}}) {
    x.copy_(full({1}, value));
    graph.replay();
    EXPECT_EQ(values(steps), Values({expected})) << value;
  }
}

TEST(ControlFlowTest, ASwitchHasManyBranches) {
  Tensor index = zeros({1}, DType::i64), x = full({1}, 10);
  CUDAGraph graph;
  Tensor y;
  graph.capture([&] {
    y = switch_case(
        index, {[&] { return Tensors{x + 1}; }, [&] { return Tensors{x + 2}; }, [&] { return Tensors{x + 3}; }})[0];
  });
  for (int i : {0, 1, 2, 7, 1}) {
    index.copy_(full({1}, i, DType::i64));
    graph.replay();
    EXPECT_EQ(values(y), Values({11.0f + std::min(i, 2)}));
  }
}

TEST(ControlFlowTest, AValueMayBecomeAnother) {
  Tensor count = zeros({1});
  // Fibonacci: the second value is the first as it was.
  auto work = [&] {
    return while_loop([&](const Tensors& in) { return in[2] < count; },
                      [](const Tensors& in) { return Tensors{in[0] + in[1], in[0], in[2] + 1}; },
                      {ones({1}), zeros({1}), zeros({1})});
  };
  CUDAGraph graph;
  Tensors result;
  graph.capture([&] { result = work(); });
  for (auto [value, expected] : {std::pair{0.0f, 1.0f}, {1.0f, 1.0f}, {9.0f, 55.0f}}) {
    count.copy_(full({1}, value));
    graph.replay();
    EXPECT_EQ(values(result[0]), Values({expected}));
    EXPECT_EQ(values(work()[0]), Values({expected}));
  }
}

// A network of which each replay takes one half or the other, with the rest around it, dropout and a nested choice.
TEST(ControlFlowTest, GradientsGoThroughTheBranchThatWasTaken) {
  manual_seed(3);
  Tensor x = randn({4, 3}), which = zeros({1}, DType::i64);
  Tensor shared = parameter(randn({3, 3})), first = parameter(randn({3, 2})), second = parameter(randn({3, 2})),
         third = parameter(randn({2}));
  const Tensors parameters{shared, first, second, third};
  auto loss_of = [&] {
    const Tensor hidden = tanh(matmul(x, shared));
    const Tensor y =
        switch_case(which, {[&] { return Tensors{dropout(matmul(hidden, first), 0.3)}; },
                            [&] { return Tensors{sigmoid(matmul(hidden, second)) * first.select(0, 1)}; },
                            [&] { return Tensors{no_grad([&] { return matmul(hidden, first); }) * third}; }})[0];
    return sum(y * y + sum(hidden));
  };
  auto step = [&] {
    for (const Tensor& each : parameters) each.set_grad({});
    loss_of().backward();
  };
  CUDAGraph graph;
  Tensors grads;
  graph.capture([&] {
    step();
    grads.clear();
    // In the eager warm-up the branches that were not taken have none.
    for (const Tensor& each : parameters) grads.push_back(each.grad().defined() ? each.grad().clone() : Tensor());
  });
  for (int index : {0, 2, 1, 0, 1, 2}) {
    which.copy_(full({1}, index, DType::i64));
    manual_seed(40 + index);
    graph.replay();
    std::vector<Values> by_replay;
    for (const Tensor& each : grads) by_replay.push_back(values(each));
    manual_seed(40 + index);
    step();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Tensor grad = parameters[i].grad();
      EXPECT_EQ(by_replay[i], grad.defined() ? values(grad) : Values(std::size_t(parameters[i].numel()), 0))
          << index << ' ' << i;
    }
  }
}

TEST(ControlFlowTest, MemoryOfABranchThatItsGradientsNeedIsReusedAfterThem) {
  Tensor x = parameter(rand({1 << 16}));
  CUDAGraph graph;
  graph.capture([&] {
    for (int pass = 0; pass < 4; ++pass) {
      x.set_grad({});
      auto chain = [&] {
        Tensor y = x;
        for (int i = 0; i < 10; ++i) y = tanh(y);
        return Tensors{y};
      };
      sum(cond(sum(x) > 0, chain, chain)[0]).backward();
    }
  });
  graph.replay();
  // Both branches keep ten activations.
  EXPECT_LE(graph.statistics().peak_live, 32 * sizeof(float) << 16);
}

TEST(ControlFlowTest, AnExceptionInABranchThrowsTheCaptureAway) {
  Tensor x = parameter(full({1}, 2));
  CUDAGraph graph;
  PoolHandle pool = graph_pool_handle();
  CaptureOptions options{pool, CaptureMode::thread_local_, 0};
  for (bool backwards : {false, true}) {
    auto work = [&](bool fails) {
      Tensor y = cond(
          x > 0, [&] { return Tensors{x * 3}; },
          [&] {
            Tensor inside = x * 4;
            if (fails && !backwards) fail("as asked");
            inside.register_hook([&, fails](const Tensor&) -> Tensor {
              if (fails) fail("as asked");
              return {};
            });
            return Tensors{inside};
          })[0];
      x.set_grad({});
      sum(y).backward();
    };
    EXPECT_EQ(error_of([&] { graph.capture([&] { work(true); }, options); }), "as asked");
    EXPECT_FALSE(is_current_stream_capturing());
    x.set_grad({});
    EXPECT_EQ(pool.statistics().live, 0u);
    graph.capture([&] { work(false); }, options);
    graph.replay();
    EXPECT_EQ(values(x.grad()), Values({3}));
    x.set_grad({});
    graph.reset();
  }
}

TEST(ControlFlowTest, LoopsHaveGradientsInEagerWorkAndSaySoWithinGraphs) {
  Tensor w = parameter(full({1}, 3)), count = full({1}, 4);
  auto power = [&] {
    return while_loop([](const Tensors& in) { return in[0] > 0; },
                      [&](const Tensors& in) { return Tensors{in[0] - 1, in[1] * w}; }, {count, ones({1})})[1];
  };
  sum(power()).backward();
  EXPECT_EQ(values(w.grad()), Values({4 * 27}));
  CUDAGraph graph;
  CaptureOptions options;
  options.warm_up = 0;
  std::string text = error_of([&] { graph.capture([&] { sum(power()).backward(); }, options); });
  EXPECT_TRUE(says(text, "backward through while_loop: within a graph it is not known beforehand how often it runs"))
      << text;
  NoGradGuard guard;
  Tensor y;
  graph.capture([&] { y = power(); });
  graph.replay();
  EXPECT_EQ(values(y), Values({81}));
}

TEST(ControlFlowTest, RandomNumbersInsideAreNewEachTimeAndEqualToEager) {
  Tensor count = full({1}, 3);
  auto work = [&] {
    Tensor before = rand({4});
    Tensor sum_of = while_loop([](const Tensors& in) { return in[0] > 0; },
                               [](const Tensors& in) { return Tensors{in[0] - 1, in[1] + rand({4}) * in[0]}; },
                               {count, zeros({4})})[1];
    Tensor chosen =
        cond(count > 2, [] { return Tensors{rand({4}) + rand({4})}; }, [] { return Tensors{rand({4})}; })[0];
    return Tensors{before, sum_of, chosen, rand({4})};
  };
  CUDAGraph graph;
  Tensors captured;
  graph.capture([&] { captured = work(); });
  std::vector<Values> got, expected;
  manual_seed(5);
  for (int i = 0; i < 3; ++i) {
    count.copy_(full({1}, i + 1));
    graph.replay();
    for (const Tensor& each : captured) got.push_back(values(each));
  }
  manual_seed(5);
  for (int i = 0; i < 3; ++i) {
    count.copy_(full({1}, i + 1));
    for (const Tensor& each : work()) expected.push_back(values(each));
  }
  EXPECT_EQ(got, expected);
  EXPECT_NE(got[0], got[4]);
}

TEST(ControlFlowTest, BranchesThatDisagreeAreRefused) {
  Tensor x = full({2}, 1);
  CUDAGraph graph;
  std::string text = error_of([&] {
    graph.capture([&] { cond(sum(x) > 0, [&] { return Tensors{x}; }, [&] { return Tensors{sum(x)}; }); },
                  {{}, CaptureMode::thread_local_, 0});
  });
  EXPECT_TRUE(says(text, "second branch") && says(text, "[2]")) << text;
  EXPECT_FALSE(is_current_stream_capturing());
  EXPECT_TRUE(says(error_of([&] { cond(x, [&] { return Tensors{x}; }, [&] { return Tensors{x}; }); }), "one element"));
}

// Static programs.

TEST(ProgramTest, IsCapturedByHandAsInPaddle) {
  Program program;
  Variable input = program.data("input", {1});
  Variable output = program.set_persistable("output", input + 1);
  Executor executor;
  CUDAGraph graph;
  Tensor fetched;
  for (int batch = 0; batch < 5; ++batch) {
    Tensor value = full({1}, batch * 10);
    if (batch < 1) {
      executor.run(program, {{"input", value}});
    } else {
      if (batch == 1) {
        graph.capture_begin();
        // With feed and fetch: there both must be empty.
        fetched = executor.run(program, {{"input", value}}, {output})[0];
        graph.capture_end();
      } else {
        executor.scope().tensor("input").copy_(value);
      }
      graph.replay();
      EXPECT_EQ(values(fetched), Values({batch * 10 + 1.0f}));
    }
    EXPECT_EQ(values(executor.scope().tensor("output")), Values({batch * 10 + 1.0f}));
  }
}

// Seed 004's static usage in its words: default programs, a startup program, a place, the global scope, a capture at
// batch `capture_batch_id` by hand.
TEST(ProgramTest, IsWrittenAsInPaddle) {
  for (int capture_batch_id : {0, 1, 3}) {
    Program main, startup;
    ProgramGuard guard(main, startup);
    const std::string name = "input" + std::to_string(capture_batch_id);
    Variable input = static_data(name, {1});
    input.set_persistable();
    Variable weight = create_parameter("weight", {1}, [](const Sizes& sizes) { return full(sizes, 2); });
    Variable output = input * weight + 1;
    output.set_persistable();
    Executor exe(CUDAPlace{0});
    if (capture_batch_id == 0) {
      const std::string text = error_of([&] { exe.run(default_main_program()); });
      EXPECT_TRUE(says(text, "\"weight\"") && says(text, "startup program")) << text;
    }
    exe.run(default_startup_program());
    Scope& scope = global_scope();
    ScopeTensor input_tensor = scope.var(input.name()).get_tensor(),
                output_tensor = scope.var(output.name()).get_tensor();
    CUDAGraph graph;
    for (int batch_id = 0; batch_id < 6; ++batch_id) {
      std::map<std::string, Tensor> feed{{input.name(), full({1}, batch_id * 10)}};
      if (graph.is_captured()) {
        input_tensor.copy_from(feed.at(input.name()));
        graph.replay();
      } else {
        if (batch_id == capture_batch_id) {
          input_tensor.copy_from(feed.at(input.name()));
          feed = {};
          graph.capture_begin();
        }
        exe.run(default_main_program(), feed);
        if (batch_id == capture_batch_id) {
          graph.capture_end();
          graph.replay();
        }
      }
      EXPECT_EQ(values(output_tensor), Values({batch_id * 20 + 1.0f})) << "captured at " << capture_batch_id;
    }
    const std::string text = error_of([&] { input_tensor.copy_from(zeros({2})); });
    EXPECT_TRUE(says(text, "[2]") && says(text, "of [1]")) << text;
  }
  EXPECT_TRUE(says(error_of([] { Executor(CUDAPlace{5}); }), "device 5"));
  EXPECT_NE(&default_main_program(), &default_startup_program());
}

TEST(ProgramTest, FeedsAndFetchesInCapturedRuns) {
  Program program;
  Tensor weight = randn({3, 2});
  Variable x = program.data("x", {4, 3});
  Variable y = relu(matmul(x, program.parameter("weight", weight))) * 2;
  Variable loss = mean(y);
  Executor executor;
  for (int batch = 0; batch < 8; ++batch) {
    // The last batch is smaller.
    Tensor value = randn({batch == 7 ? 2 : 4, 3});
    std::vector<Tensor> got = executor.run(program, {{"x", value}}, {y, loss});
    Tensor expected = relu(matmul(value, weight)) * 2;
    EXPECT_EQ(values(got[0]), values(expected));
    EXPECT_EQ(values(got[1]), values(mean(expected)));
  }
  EXPECT_EQ(executor.graphs(), 2u);
  EXPECT_TRUE(says(error_of([&] { executor.run(program, {{"z", weight}}); }), "\"z\""));
  EXPECT_TRUE(says(error_of([&] { executor.run(program, {{"x", zeros({4})}}); }), "[4, 3]"));
  EXPECT_TRUE(says(error_of([&] { executor.scope().tensor("q"); }), "\"weight\""));
}

TEST(ProgramTest, TheScopeHasWhatTheLatestRunComputed) {
  for (int capture_from : {-1, 0, 1}) {
    Program program;
    Variable x = program.data("x", {4});
    program.set_persistable("output", x + 1);
    program.set_persistable("total", sum(x));
    ExecutorOptions options;
    options.capture_from = capture_from;
    Executor executor(options);
    const std::int64_t rows[] = {4, 4, 2, 4, 4, 2, 3, 2, 4};
    for (int batch = 0; batch < 9; ++batch) {
      executor.run(program, {{"x", full({rows[batch]}, batch)}});
      EXPECT_EQ(values(executor.scope().tensor("output")), Values(rows[batch], batch + 1.0f))
          << "batch " << batch << " from " << capture_from;
      EXPECT_EQ(executor.scope().tensor("total").item<float>(), float(rows[batch] * batch));
    }
    EXPECT_EQ(executor.graphs(), capture_from < 0 ? 0u : 3u);
  }
}

TEST(ProgramTest, AnotherTensorInTheScopeHasAGraphOfItsOwn) {
  Program program;
  Variable y = program.data("x", {1}) * program.parameter("weight");
  Executor executor;
  auto start = [&](std::int64_t size, float value) {
    Program startup;
    startup.set_persistable("weight",
                            startup.apply([=](const Tensors&) { return Tensors{full({size}, value)}; }, {})[0]);
    executor.run(startup);
  };
  auto expect_runs = [&](std::int64_t size, float value) {
    for (int batch = 1; batch < 4; ++batch) {
      EXPECT_EQ(values(executor.run(program, {{"x", full({1}, batch)}}, {y})[0]), Values(size, batch * value))
          << size << ' ' << value;
    }
  };
  for (float value : {2, 3}) {
    start(1, value);
    expect_runs(1, value);
  }
  EXPECT_EQ(executor.graphs(), 1u) << "the tensor stays where it is as long as its sizes do";
  for (int size : {3, 1, 2}) {
    start(size, size + 4);
    expect_runs(size, size + 4);
  }
}

TEST(ProgramTest, HasTheUsualOperators) {
  Program program;
  Variable x = program.data("x", {2}), y = (x + x * x - x) / (x * 2 - 1) / 0.5, all = sum(y) + mean(x - 1);
  Executor executor;
  for (int batch = 0; batch < 3; ++batch) {
    const Tensor value = full({2}, batch + 1);
    EXPECT_EQ(values(executor.run(program, {{"x", value}}, {all})[0]),
              values(sum((value + value * value - value) / (value * 2 - 1) / 0.5) + mean(value - 1)));
  }
}

TEST(ProgramTest, TrainsWithAScheduleAsEagerDoes) {
  auto train = [](int capture_from) {
    manual_seed(3);
    Tensor weight = parameter(randn({5, 1}));
    optim::SGD optimizer({weight}, 0.1);
    optim::LRScheduler scheduler(optimizer, optim::Schedule().decay_every(5, 0.5));
    Program program;
    Variable x = program.data("x", {8, 5}), target = program.data("target", {8, 1});
    Variable loss = program.apply(
        [&](const Tensors& in) {
          optimizer.zero_grad();
          Tensor difference = matmul(in[0], weight) - in[1], loss = mean(difference * difference);
          backward({loss});
          optimizer.step();
          scheduler.step();
          return Tensors{loss.detach()};
        },
        {x, target})[0];
    ExecutorOptions options;
    options.capture_from = capture_from;
    Executor executor(options);
    Generator data(1);
    Values losses;
    for (int batch = 0; batch < 20; ++batch) {
      Tensor input = randn({8, 5}, DType::f32, data);
      losses.push_back(
          executor.run(program, {{"x", input}, {"target", sum(input, {1}, true)}}, {loss})[0].item<float>());
    }
    return losses;
  };
  Values eager = train(-1);
  EXPECT_EQ(train(1), eager);
  EXPECT_EQ(train(0), eager) << "captured from the first batch on";
  EXPECT_LT(eager.back(), eager.front());
}

}  // namespace
}  // namespace reprise
