// Paddle's two styles: dynamic, with capture_start and capture_end, and static, with a program that an executor
// captures from the second batch on.
#include <reprise/factories.h>
#include <reprise/ops.h>
#include <reprise/paddle.h>

#include "timing.h"

using namespace reprise;
namespace paddle = reprise::paddle;

void dynamic_usage(int rounds) {
  Tensor input = from_vector(std::vector<float>{1});
  paddle::CUDAGraph graph;
  graph.capture_start();
  Tensor output = input + 10;
  graph.capture_end();
  try {
    output.item<float>();
    require(false, "an output was read that no replay had computed");
  } catch (const Error& error) {
    std::printf("before the first replay: %s\n", error.what());
  }
  graph.replay();
  require(output.item<float>() == 11, "the first replay");
  for (int batch = 0; batch < 5; ++batch) {
    input.copy_(full({1}, batch));
    graph.replay();
    std::printf("%g ", output.item<float>());
    require(output.item<float>() == batch + 10, "a replay with new input");
  }
  std::printf("\n");
  const double eager = seconds(rounds, [&] { input + 10; });
  print_comparison("dynamic, one addition", rounds, eager, seconds(rounds, [&] { graph.replay(); }));
  graph.reset();
}

void static_usage(int rounds) {
  paddle::Variable input = paddle::static_data("input", {1});
  input.set_persistable();
  paddle::Variable output = input + 1;
  output.set_persistable();
  paddle::Executor exe(paddle::CUDAPlace{0});
  exe.run(paddle::default_startup_program());
  paddle::Scope& scope = paddle::global_scope();
  paddle::ScopeTensor input_tensor = scope.var(input.name()).get_tensor();
  paddle::ScopeTensor output_tensor = scope.var(output.name()).get_tensor();
  paddle::CUDAGraph graph;
  constexpr int capture_batch_id = 1;
  for (int batch_id = 0; batch_id < 5; ++batch_id) {
    std::map<std::string, Tensor> feed{{input.name(), full({1}, batch_id * 100)}};
    if (graph.is_captured()) {
      input_tensor.copy_from(feed.at(input.name()));
      graph.replay();
    } else {
      if (batch_id == capture_batch_id) {
        input_tensor.copy_from(feed.at(input.name()));
        feed = {};  // required in Paddle, not here
        graph.capture_begin();
      }
      exe.run(paddle::default_main_program(), feed);
      if (batch_id == capture_batch_id) {
        graph.capture_end();
        graph.replay();
      }
    }
    const float result = output_tensor.tensor().item<float>();
    std::printf("%g ", result);
    require(result == batch_id * 100 + 1, "a batch of the static program");
  }
  std::printf("\n");
  paddle::ExecutorOptions eagerly;
  eagerly.capture_from = -1;
  paddle::Executor plain(eagerly);
  const Tensor batch = full({1}, 500);
  const double eager = seconds(rounds, [&] { plain.run(paddle::default_main_program(), {{"input", batch}}); });
  print_comparison("static, one addition, captured from the second batch on", rounds, eager,
                   seconds(rounds, [&] { graph.replay(); }));
  graph.reset();
}

// The same, with the capture left to the executor, and with feed and fetch.
void static_usage_with_feed_and_fetch(int rounds) {
  paddle::Program program;
  paddle::Variable input = program.data("input", {1024});
  paddle::Variable output = input;
  for (int i = 0; i < 20; ++i) output = output * 1.5 + 1;
  paddle::ExecutorOptions eagerly;
  eagerly.capture_from = -1;
  paddle::Executor eager(eagerly), captured;
  Tensor batch = randn({1024});
  for (int i = 0; i < 3; ++i) {
    auto expected = eager.run(program, {{"input", batch}}, {output}),
         got = captured.run(program, {{"input", batch}}, {output});
    require(expected[0].to_vector<float>() == got[0].to_vector<float>(), "a fetched result");
  }
  double plain = seconds(rounds, [&] { eager.run(program, {{"input", batch}}, {output}); });
  double replay = seconds(rounds, [&] { captured.run(program, {{"input", batch}}, {output}); });
  print_comparison("static program of 40 operations, fed and fetched", rounds, plain, replay);
}

int main(int argc, char** argv) {
  const int rounds = rounds_of(argc, argv, 1000);
  dynamic_usage(rounds);
  static_usage(rounds);
  static_usage_with_feed_and_fetch(rounds);
}
