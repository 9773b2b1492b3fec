// An explicit training step as in PyTorch: static inputs, warm-up on a side stream, capture, a thousand replays. The
// losses must equal those of eager steps.
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/nn.h>
#include <reprise/optim.h>

#include <cmath>

#include "timing.h"

using namespace reprise;

constexpr std::int64_t n = 64, in_features = 1024, out_features = 1024;

struct Training {
  Tensor x, y, loss;
  nn::Linear model{in_features, out_features};
  optim::SGD optimizer{model.parameters(), 1e-3};

  Training() : x(randn({n, in_features})), y(randn({n, out_features})) {}
  void step() {
    loss = sum(pow(model(x) - y, 2));
    loss.backward();
    optimizer.step();
  }
  void eager_step() {
    optimizer.zero_grad(true);
    step();
  }
};

int main(int argc, char** argv) {
  constexpr int warm_up = 3;
  // With this rate the loss diverges and finally is NaN; the comparison ends before.
  constexpr int compared = 20;
  const int rounds = rounds_of(argc, argv, 1000);
  manual_seed(1);
  Training captured;
  manual_seed(1);
  Training eager;

  Stream side;
  side.wait(StreamRef(current_stream()));
  {
    StreamGuard guard(side.get());
    for (int i = 0; i < warm_up; ++i) captured.eager_step();
  }
  StreamRef(current_stream()).wait(side.ref());

  CUDAGraph graph;
  captured.optimizer.zero_grad(true);
  {
    GraphCapture capture(graph);
    captured.step();
  }
  std::printf("captured %zu nodes; replaying\n", graph.node_count());

  for (int i = 0; i < warm_up; ++i) eager.eager_step();
  for (int i = 0; i < compared; ++i) {
    graph.replay();
    eager.eager_step();
    const float by_replay = captured.loss.item<float>(), by_hand = eager.loss.item<float>();
    if (i % 5 == 0) std::printf("step %2d: loss %g by replay, %g eagerly\n", warm_up + i, by_replay, by_hand);
    require(std::fabs(by_replay - by_hand) <= 1e-5f * std::fabs(by_hand),
            "replay and eager work give different losses");
  }
  const double replay = seconds(rounds, [&] { graph.replay(); });
  const double plain = seconds(rounds, [&] { eager.eager_step(); });
  std::printf("%d iter finished in %.4fs\n", rounds, replay);
  print_comparison("training step of a 1024x1024 layer, batch 64", rounds, plain, replay);
}
