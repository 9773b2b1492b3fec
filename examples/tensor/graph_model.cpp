// Inference with a graph compared with eager execution; then one graph per batch size, with eager execution for others.
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/grad_mode.h>
#include <reprise/graph_cache.h>
#include <reprise/nn.h>

#include <cmath>
#include <map>
#include <memory>

#include "timing.h"

using namespace reprise;

class CUDAGraphModel {
 public:
  nn::Sequential model{nn::Linear(1024, 512), nn::ReLU(), nn::Linear(512, 256), nn::ReLU(), nn::Linear(256, 10)};

  void capture_graph(std::int64_t batch_size) {
    static_input_ = randn({batch_size, 1024});
    graph_ = std::make_unique<CUDAGraph>();
    GraphCapture capture(*graph_, graph_pool_handle());
    static_output_ = model(static_input_);
  }
  Tensor inference(const Tensor& input) {
    if (!graph_) return model(input);
    static_input_.copy_(input);
    graph_->replay();
    return static_output_.clone();
  }

 private:
  std::unique_ptr<CUDAGraph> graph_;
  Tensor static_input_, static_output_;
};

// Whether both have the same values up to rounding.
bool close(const Tensor& a, const Tensor& b) {
  std::vector<float> x = a.to_vector<float>(), y = b.to_vector<float>();
  bool close = x.size() == y.size();
  for (std::size_t i = 0; close && i < x.size(); ++i) close = std::fabs(x[i] - y[i]) <= 1e-4f;
  return close;
}

void benchmark(std::int64_t batch_size, int rounds) {
  CUDAGraphModel model;
  Tensor input = randn({batch_size, 1024});
  for (int i = 0; i < 10; ++i) model.model(input);
  double eager = seconds(rounds, [&] { model.model(input); });
  Tensor expected = model.inference(input);  // no graph yet
  model.capture_graph(batch_size);
  double replay = seconds(rounds, [&] { model.inference(input); });
  print_comparison(batch_size == 1 ? "inference, batch 1" : "inference, batch 32", rounds, eager, replay);
  require(close(model.inference(input), expected), "inference through the graph");
}

std::vector<Tensor> batches_of(const std::vector<std::int64_t>& sizes) {
  std::vector<Tensor> batches;
  for (std::int64_t size : sizes) batches.push_back(randn({size, 1024}));
  return batches;
}

template <class Infer>
void compare(const char* what, int rounds, const std::vector<Tensor>& batches, nn::Linear& model, const Infer& infer) {
  const double eager = seconds(rounds, [&] {
    for (const Tensor& data : batches) model(data);
  });
  const double replay = seconds(rounds, [&] {
    for (const Tensor& data : batches) infer(data);
  });
  print_comparison(what, rounds, eager, replay);
}

// One graph for each of some batch sizes, and eager execution for others.
void batch_sizes_by_hand(int rounds) {
  nn::Linear model(1024, 10);
  struct Captured {
    CUDAGraph graph;
    Tensor input, output;
  };
  std::map<std::int64_t, Captured> graphs;
  for (std::int64_t batch : {1, 4, 16, 32}) {
    Captured& made = graphs[batch];
    made.input = randn({batch, 1024});
    made.graph.capture([&] { made.output = model(made.input); }, {graph_pool_handle()});
  }
  int replayed = 0, eager = 0;
  auto infer = [&](const Tensor& data) {
    auto at = graphs.find(data.size(0));
    if (at == graphs.end()) {
      ++eager;
      return model(data);
    }
    ++replayed;
    at->second.input.copy_(data);
    at->second.graph.replay();
    return at->second.output.clone();
  };
  const std::vector<Tensor> batches = batches_of({32, 32, 16, 7, 1, 4, 20});
  for (const Tensor& data : batches) require(close(infer(data), model(data)), "a batch through the graphs");
  std::printf("by hand: %d batches replayed, %d eager\n", replayed, eager);
  compare("seven batches, graphs by hand", rounds, batches, model, infer);
}

// The same with GraphCache, which pads other sizes to the next.
void batch_sizes_by_cache(int rounds) {
  nn::Linear model(1024, 10);
  GraphCacheOptions options;
  options.batch_sizes = {1, 4, 16, 32};
  GraphCache infer([&](const std::vector<Tensor>& in) { return std::vector<Tensor>{model(in[0])}; }, options);
  const std::vector<Tensor> batches = batches_of({32, 32, 16, 7, 1, 4, 20, 50});
  for (const Tensor& data : batches) require(close(infer({data})[0], model(data)), "a batch through the cache");
  GraphCacheStatistics statistics = infer.statistics();
  std::printf("GraphCache: %d replayed (%d padded), %d eager, %d graphs\n", int(statistics.replays),
              int(statistics.padded), int(statistics.eager), int(infer.size()));
  compare("eight batches, GraphCache", rounds, batches, model, [&](const Tensor& data) { return infer({data})[0]; });
}

int main(int argc, char** argv) {
  NoGradGuard no_grad;
  const int rounds = rounds_of(argc, argv, 1000);
  benchmark(1, rounds);
  benchmark(32, rounds);
  batch_sizes_by_hand(rounds);
  batch_sizes_by_cache(rounds);
}
