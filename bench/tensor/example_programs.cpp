#include "example_programs.h"

#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/grad_mode.h>
#include <reprise/nn.h>
#include <reprise/ops.h>
#include <reprise/optim.h>
#include <reprise/paddle.h>

#include <cstdio>
#include <map>

#include "measuring.h"

using namespace reprise;

void managed_layer() {
  nn::Linear model(1000, 500);
  set_waves(model.parameters());
  const Tensor input = wave_tensor({32, 1000}, 0.71, 1);
  NoGradGuard guard;
  Tensor output;
  auto infer = [&] { output = model.forward(input); };
  MemPool pool(std::size_t(64) << 20);
  CUDAGraph graph;
  graph.capture(infer, {pool});
  const Tensor replayed = output;
  graph.replay();
  std::printf("layer output_sum %.9g\n", sum(replayed * replayed).item<float>());
  report("layer", graph, infer);
}

void batch_sizes() {
  nn::Linear model(1024, 10);
  set_waves(model.parameters());
  NoGradGuard guard;
  struct Captured {
    Tensor input, output;
    CUDAGraph graph;
  };
  std::map<std::int64_t, Captured> graphs;
  std::size_t nodes = 0;
  for (std::int64_t batch : {1, 4, 16, 32}) {
    Captured& made = graphs[batch];
    made.input = zeros({batch, 1024});
    made.graph.capture([&] { made.output = model.forward(made.input); }, {graph_pool_handle()});
    nodes += made.graph.node_count();
  }
  auto infer = [&](const Tensor& data) {
    const auto at = graphs.find(data.size(0));
    if (at == graphs.end()) return model.forward(data);
    at->second.input.copy_(data);
    at->second.graph.replay();
    return at->second.output.clone();
  };
  std::vector<Tensor> batches;
  for (std::int64_t batch : {32, 32, 16, 7, 1, 4, 20}) batches.push_back(wave_tensor({batch, 1024}, 0.71, 1));
  float total = 0;
  for (const Tensor& data : batches) total += sum(infer(data)).item<float>();
  std::printf("batches output_sum %.9g\n", total);
  report(
      "batches",
      [&] {
        for (const Tensor& data : batches) model.forward(data);
      },
      [&] {
        for (const Tensor& data : batches) infer(data);
      },
      nodes);
}

void paddle_dynamic() {
  const Tensor input = ones({1});
  Tensor output;
  auto step = [&] { output = input + 10; };
  CUDAGraph graph;
  graph.capture(step);
  const Tensor replayed = output;
  graph.replay();
  std::printf("dynamic output_sum %.9g\n", replayed.item<float>());
  report("dynamic", graph, step);
}

void paddle_static() {
  using namespace reprise::paddle;
  Program program;
  Variable input = program.data("input", {1024}), output = input;
  for (int i = 0; i < 20; ++i) output = output * 1.01 + 1;
  ExecutorOptions eagerly;
  eagerly.capture_from = -1;
  Executor eager(eagerly), captured;
  const Tensor batch = wave_tensor({1024}, 0.71, 1);
  auto run = [&](Executor& executor) { return executor.run(program, {{"input", batch}}, {output})[0]; };
  for (int i = 0; i < 3; ++i) run(captured);
  std::printf("static output_sum %.9g\n", sum(run(captured)).item<float>());
  report("static", [&] { run(eager); }, [&] { run(captured); }, 40);
}

namespace {

constexpr std::int64_t size = 64, heads = 4, context = 32, batch = 16, classes = 27;

struct Block : nn::Module {
  std::shared_ptr<nn::LayerNorm> before_attention = add("before_attention", nn::LayerNorm(size));
  std::shared_ptr<nn::MultiheadAttention> attention =
      add("attention", nn::MultiheadAttention(size, heads, {0, true, true}));
  std::shared_ptr<nn::LayerNorm> before_network = add("before_network", nn::LayerNorm(size));
  std::shared_ptr<nn::Sequential> network =
      add("network", nn::Sequential{nn::Linear(size, 4 * size), nn::ReLU(), nn::Linear(4 * size, size)});
  Tensor forward(const Tensor& x) override {
    const Tensor attended = x + (*attention)((*before_attention)(x));
    return attended + (*network)((*before_network)(attended));
  }
};

struct Transformer : nn::Module {
  std::shared_ptr<nn::Embedding> characters = add("characters", nn::Embedding(classes, size)),
                                 places = add("places", nn::Embedding(context, size));
  std::shared_ptr<Block> first = add("first", Block()), second = add("second", Block());
  std::shared_ptr<nn::LayerNorm> norm = add("norm", nn::LayerNorm(size));
  std::shared_ptr<nn::Linear> head = add("head", nn::Linear(size, classes));
  Tensor counting = arange(context);
  Tensor forward(const Tensor& codes) override {
    const Tensor x = (*characters)(codes) + (*places)(counting);
    return (*head)((*norm)((*second)((*first)(x)))).reshape({batch * context, classes});
  }
};

Tensor codes(std::int64_t shift, const Sizes& sizes) {
  std::vector<std::int64_t> made;
  for (std::int64_t i = 0; i < batch * context; ++i) made.push_back((i * 7 + i / 5 + shift) % classes);
  return from_vector(made, sizes);
}

}  // namespace

void transformer_step() {
  Transformer model;
  set_waves(model.parameters());
  optim::AdamW optimizer(model.parameters(), 1e-3);
  const Tensor seen = codes(0, {batch, context}), next = codes(7, {batch * context});
  Tensor loss;
  auto step = [&] {
    optimizer.zero_grad();
    loss = cross_entropy(model.forward(seen), next);
    loss.backward();
    clip_grad_norm_(model.parameters(), 1.0);
    optimizer.step();
  };
  CUDAGraph graph;
  graph.capture(step);
  const Tensor replayed = loss;
  for (int i = 0; i < 10; ++i) graph.replay();
  std::printf("transformer loss_after_10_replays %.9g\n", replayed.item<float>());
  const bool asked = std::exchange(with_nodes, false);  // too many nodes to print
  report("transformer", graph, step);
  with_nodes = asked;
}
