// cond, while_loop and switch_case, eagerly and in graphs.
#include <gtest/gtest.h>
#include <reprise/autograd.h>
#include <reprise/control_flow.h>
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/ops.h>

#include <atomic>
#include <chrono>

#include "error_of.h"
#include "values.h"

namespace reprise {
namespace {

Tensor parameter(const Tensor& value) {
  autograd_of(value).requires_grad = true;
  return value;
}

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

TEST(ControlFlowTest, ABodyMayReturnOneValueInThePlaceOfAnother) {
  Tensor count = zeros({1});
  // Fibonacci: the new second value is the old first one.
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

// A network in which each replay takes one of two halves, with shared layers, dropout and a nested branch.
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
    // In the eager warm-up, branches that were not taken have no gradients.
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

TEST(ControlFlowTest, TensorsSavedByABranchAreFreedAfterItsBackward) {
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
  // Both branches save ten activations.
  EXPECT_LE(graph.statistics().peak_live, 32 * sizeof(float) << 16);
}

TEST(ControlFlowTest, AnExceptionInABranchDiscardsTheCapture) {
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

TEST(ControlFlowTest, LoopsHaveGradientsEagerlyAndThrowInGraphs) {
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
  EXPECT_TRUE(says(text, "backward through while_loop: within a graph the number of iterations is unknown")) << text;
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

}  // namespace
}  // namespace reprise
