// A whole training step by hand: static inputs, warm-up on a side stream, capture, many replays. The loss must be that
// of as many eager steps.
#include "timing.h"

#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/nn.h>
#include <reprise/optim.h>

#include <cmath>

using namespace reprise;

constexpr std::int64_t n = 64, in_features = 1024, out_features = 1024;

struct Training {
  Tensor x, y, loss;
  nn::Linear model{in_features, out_features};
  // With 1e-3, as often shown, the sum of squares of this size grows beyond all bounds.
  optim::SGD optimizer{model.parameters(), 1e-5};

  Training() : x(randn({n, in_features})), y(randn({n, out_features})) {}
  void step() {
    loss = sum(pow(model(x) - y, 2));
    loss.backward();
    optimizer.step();
  }
};

int main() {
  constexpr int warm_up = 3, rounds = 50;
  manual_seed(1);
  Training captured;
  manual_seed(1);
  Training eager;

  Stream side;
  side.wait(StreamRef(current_stream()));
  {
    StreamGuard guard(side.get());
    for (int i = 0; i < warm_up; ++i) {
      captured.optimizer.zero_grad(true);
      captured.step();
    }
  }
  StreamRef(current_stream()).wait(side.ref());

  CUDAGraph graph;
  captured.optimizer.zero_grad(true);
  {
    GraphCapture capture(graph);
    captured.step();
  }
  std::printf("captured %zu nodes; replaying\n", graph.node_count());
  double replay = seconds(rounds, [&] { graph.replay(); });
  double plain = seconds(rounds + warm_up, [&] {
    eager.optimizer.zero_grad(true);
    eager.step();
  });
  print_comparison("training step of a 1024x1024 layer, batch 64", rounds, plain * rounds / (rounds + warm_up), replay);
  float ours = captured.loss.item<float>(), theirs = eager.loss.item<float>();
  std::printf("loss after %d steps: %g by replay, %g eagerly\n", rounds + warm_up, ours, theirs);
  require(std::fabs(ours - theirs) <= 1e-5f * std::fabs(theirs), "replay and eager work give different losses");
}
