// The cost of small calls of the tensor layer from C++, for comparison with the same calls from Python
// (bench/python.py). Prints a name, a tab and microseconds per call, the best of five rounds.
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/grad_mode.h>
#include <reprise/nn/layers.h>
#include <reprise/ops.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

using namespace reprise;

template <class Call>
void measure(const char* name, Call call) {
  constexpr int count = 20000;
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) call();
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;
    best = std::min(best, spent.count() / count);
    check_cuda(cudaDeviceSynchronize(), "waiting for the device");
  }
  std::printf("%s\t%.4f\n", name, best);
}

}  // namespace

int main() {
  NoGradGuard no_grad;
  Tensor x = ones({8}), y = ones({8}), rows = ones({8, 8});
  nn::Linear layer(8, 8);
  measure("x + y", [&] { x + y; });
  measure("x.add_(1)", [&] { x.add_(1); });
  measure("x.sum()", [&] { sum(x); });
  measure("x[2:5]", [&] { x.narrow(0, 2, 3); });
  measure("Linear(8, 8)(rows)", [&] { layer(rows); });
  CUDAGraph graph;
  graph.capture([&] { x.add_(1); });
  measure("replay() of one node", [&] { graph.replay(); });
}
