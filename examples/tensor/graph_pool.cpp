// A convolution captured into a pool; then several graphs that share one pool of a fixed size.
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/grad_mode.h>
#include <reprise/nn.h>

#include <iostream>
#include <memory>

#include "timing.h"

using namespace reprise;

// Graphs of different models in one pool.
class GraphMemoryManager {
 public:
  explicit GraphMemoryManager(std::size_t mebibytes) : pool_(mebibytes << 20) {}

  std::size_t capture(std::shared_ptr<nn::Module> model, const Sizes& input_sizes) {
    Captured made;
    made.input = randn(input_sizes);
    made.model = std::move(model);
    made.graph.capture([&] { made.output = (*made.model)(made.input); }, {pool_});
    graphs_.push_back(std::move(made));
    return graphs_.size() - 1;
  }
  Tensor run(std::size_t id, const Tensor& input) {
    Captured& chosen = graphs_[id];
    chosen.input.copy_(input);
    chosen.graph.replay();
    return chosen.output.clone();
  }
  nn::Module& model(std::size_t id) { return *graphs_[id].model; }
  PoolStatistics statistics() const { return pool_.statistics(); }

 private:
  struct Captured {
    std::shared_ptr<nn::Module> model;
    Tensor input, output;
    CUDAGraph graph;
  };
  MemPool pool_;
  std::vector<Captured> graphs_;
};

int main(int argc, char** argv) {
  NoGradGuard no_grad;
  Tensor x = randn({4, 3, 32, 32}), weight = randn({16, 3, 3, 3});
  CUDAGraph graph;
  Tensor output;
  {
    GraphCapture capture(graph, graph_pool_handle());
    output = conv2d(x, weight);
  }
  graph.replay();
  std::cout << "conv2d gives " << output.sizes() << '\n';
  require(equal(output, conv2d(x, weight)), "the captured convolution");
  const int rounds = rounds_of(argc, argv, 1000);
  double eager = seconds(rounds, [&] { conv2d(x, weight); });
  double replay = seconds(rounds, [&] { graph.replay(); });
  print_comparison("conv2d of 4x3x32x32", rounds, eager, replay);

  GraphMemoryManager manager(1024);
  std::size_t linear = manager.capture(std::make_shared<nn::Linear>(1000, 500), {32, 1000});
  std::size_t convolution = manager.capture(std::make_shared<nn::Conv2d>(3, 64, 3), {16, 3, 224, 224});
  for (int round = 0; round < 2; ++round) {
    Tensor a = randn({32, 1000}), b = randn({16, 3, 224, 224});
    require(equal(manager.run(linear, a), manager.model(linear)(a)), "the linear layer's graph");
    require(equal(manager.run(convolution, b), manager.model(convolution)(b)), "the convolution's graph");
  }
  auto measure = [&](const char* what, std::size_t id, const Sizes& sizes, int times) {
    Tensor input = randn(sizes);
    const double plain = seconds(times, [&] { manager.model(id)(input); });
    print_comparison(what, times, plain, seconds(times, [&] { manager.run(id, input); }));
  };
  measure("managed linear layer of 32x1000, result copied", linear, {32, 1000}, rounds);
  measure("managed conv2d of 16x3x224x224, result copied", convolution, {16, 3, 224, 224}, (rounds + 99) / 100);
  PoolStatistics statistics = manager.statistics();
  std::printf("pool of 1 GiB: %.1f MiB in use by two graphs, %.1f MiB at most\n", statistics.live / 1048576.0,
              statistics.peak_live / 1048576.0);
}
