// Paddle's names: graphs, programs, executors, scopes.
#include <gtest/gtest.h>
#include <reprise/autograd.h>
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/ops.h>
#include <reprise/optim.h>
#include <reprise/paddle.h>

#include "error_of.h"
#include "kernels/tensor/factories.h"
#include "values.h"

namespace reprise::paddle {
namespace {

using Tensors = std::vector<Tensor>;

Tensor parameter(const Tensor& value) {
  autograd_of(value).requires_grad = true;
  return value;
}

TEST(PaddleGraphTest, TheConstructorTakesEveryMode) {
  for (const char* mode : {"global", "thread_local", "relaxed"}) {
    Tensor x = tensor({1});
    CUDAGraph graph(CUDAPlace{0}, mode);
    graph.capture_begin();
    // Allocates device memory during the capture.
    Tensor y = x + kernels::ones({3 << 20}).narrow(0, 0, 1);
    graph.capture_end();
    graph.replay();
    EXPECT_EQ(y.item<float>(), 2) << mode;
  }
}

TEST(PaddleGraphTest, RefusesAnUnknownModeAndAnotherDevice) {
  EXPECT_TRUE(says(error_of([] { CUDAGraph(CUDAPlace{0}, "local"); }), "\"thread_local\""));
  EXPECT_TRUE(says(error_of([] { CUDAGraph(CUDAPlace{99}); }), "device 99"));
}

TEST(ProgramTest, IsCapturedExplicitlyAsInPaddle) {
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
        // With feed and fetch, which must be empty in Paddle.
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

// Static usage as Paddle's documentation shows it: default programs, a startup program, a place, the global scope, and
// a capture of batch `capture_batch_id` by the user.
TEST(ProgramTest, UsesDefaultProgramsAsInPaddle) {
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

TEST(ProgramTest, TheScopeHasTheResultsOfTheLatestRun) {
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

TEST(ProgramTest, ReplacingATensorInTheScopeSelectsAnotherGraph) {
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

TEST(ProgramTest, TrainsWithAScheduleLikeEagerExecution) {
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
}  // namespace reprise::paddle
