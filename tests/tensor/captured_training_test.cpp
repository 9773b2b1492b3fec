// Captured training steps are bitwise equal to eager ones over 100 steps.
#include <reprise/autograd.h>
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/nn.h>
#include <reprise/optim.h>
#include <reprise/safetensors.h>
#include <unistd.h>

#include <cstdio>

#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;

namespace {

using Floats = std::vector<float>;

// A network with all kinds of parameters and with random numbers.
struct Network : nn::Module {
  std::shared_ptr<nn::Embedding> letters = add("letters", nn::Embedding(11, 8));
  std::shared_ptr<nn::MultiheadAttention> attention = add("attention", nn::MultiheadAttention(8, 2, {0.1, true, true}));
  std::shared_ptr<nn::LayerNorm> norm = add("norm", nn::LayerNorm(8));
  std::shared_ptr<nn::Sequential> rest =
      add("rest", nn::Sequential(nn::Linear(8, 16), nn::ReLU(), nn::Dropout(0.2), nn::Linear(16, 11)));
  Tensor forward(const Tensor& indices) override {
    const Tensor x = (*letters)(indices);
    return (*rest)((*norm)(x + (*attention)(x)));
  }
};

struct Training {
  Network network;
  optim::AdamW optimizer{network.parameters(), 0.02};
  optim::LRScheduler schedule{optimizer, optim::Schedule().warmup(10, 0.1).cosine(90, 0.001, 10)};
  optim::GradScaler scaler{scaler_options()};
  Tensor input = zeros({4, 6}, DType::i64), classes = zeros({24}, DType::i64);
  Tensor loss;

  static optim::GradScalerOptions scaler_options() {
    optim::GradScalerOptions options;
    options.initial_scale = 1024;
    options.growth_interval = 7;
    return options;
  }

  void step() {
    optimizer.zero_grad();
    loss = cross_entropy(network(input).reshape({24, 11}), classes);
    scaler.scale(loss).backward();
    scaler.unscale_(optimizer);
    clip_grad_norm_(network.parameters(), 0.5);
    scaler.step(optimizer);
    scaler.update();
    schedule.step();
  }
};

struct Outcome {
  Floats losses;
  std::vector<Floats> parameters;
  float rate, scale;
};

template <class Step>
Outcome train(Training& training, int steps, Step step) {
  Random random(3);
  Outcome outcome;
  for (int i = 0; i < steps; ++i) {
    Tensor letters = dense_random({4, 7}, DType::i64, random, 0, 10);
    training.input.copy_(letters.narrow(1, 0, 6));
    training.classes.copy_(letters.narrow(1, 1, 6).reshape({24}));
    step();
    outcome.losses.push_back(training.loss.item<float>());
  }
  for (const Tensor& parameter : training.network.parameters())
    outcome.parameters.push_back(parameter.to_vector<float>());
  outcome.rate = training.optimizer.learning_rate().item<float>();
  outcome.scale = training.scaler.current_scale().item<float>();
  return outcome;
}

TEST(CapturedTraining, IsBitwiseEqualToEagerTraining) {
  manual_seed(5);
  Training eager;
  const Outcome expected = train(eager, 100, [&] { eager.step(); });

  manual_seed(5);
  Training captured;
  CUDAGraph graph;
  graph.capture([&] { captured.step(); });
  const Outcome outcome = train(captured, 100, [&] { graph.replay(); });

  EXPECT_EQ(outcome.losses, expected.losses);
  EXPECT_EQ(outcome.parameters, expected.parameters);
  EXPECT_EQ(outcome.rate, expected.rate);
  EXPECT_EQ(outcome.scale, expected.scale);
  EXPECT_NEAR(outcome.rate, 0.001, 1e-6) << "the schedule went on with each replay";
  EXPECT_GT(outcome.scale, 1024) << "the scale grew within the graph";
}

// The complete state of a training, by name.
TensorMap state_of(const Training& training) {
  TensorMap all;
  auto add = [&](const std::string& part, const TensorMap& state) {
    for (const auto& [name, tensor] : state) all[part + "/" + name] = tensor;
  };
  add("network", training.network.state_dict());
  add("optimizer", training.optimizer.state_dict());
  add("schedule", training.schedule.state_dict());
  add("scaler", training.scaler.state_dict());
  return all;
}

TensorMap part_of(const TensorMap& all, const std::string& part) {
  TensorMap state;
  for (const auto& [name, tensor] : all) {
    if (name.rfind(part + "/", 0) == 0) state[name.substr(part.size() + 1)] = tensor;
  }
  return state;
}

// On a GPU, programmatic dependent launch connects forward with bias and activation, loss with gradient, the gradients
// of the weights and the optimiser. On the CPU device, where it gains nothing, edges are ordinary.
TEST(CapturedTraining, KernelsOfAStepAreJoinedByProgrammaticEdges) {
#ifdef REPRISE_GPU
  constexpr bool overlaps = true;
#else
  constexpr bool overlaps = false;
#endif
  struct Step {
    nn::Sequential model{nn::Linear(64, 64), nn::ReLU(), nn::Linear(64, 32)};
    optim::Adam optimizer{model.parameters(), 1e-3};
    Tensor x = randn({16, 64}), y = randn({16, 32}), loss;
    void operator()() {
      optimizer.zero_grad(true);
      loss = mse_loss(model(x), y);
      loss.backward();
      optimizer.step();
    }
  };
  manual_seed(9);
  Step eager;
  manual_seed(9);
  Step captured;
  CUDAGraph graph;
  graph.capture([&] { captured(); });
  for (int i = 0; i < 100; ++i) {
    eager();
    graph.replay();
  }
  EXPECT_EQ(captured.loss.item<float>(), eager.loss.item<float>());
  for (std::size_t i = 0; i < eager.model.parameters().size(); ++i)
    EXPECT_EQ(captured.model.parameters()[i].to_vector<float>(), eager.model.parameters()[i].to_vector<float>()) << i;

  std::size_t count = 0;
  const cudaGraph_t raw = graph.raw_graph().get();
  check_cuda(cudaGraphGetEdges(raw, nullptr, nullptr, nullptr, &count), "counting edges");
  std::vector<cudaGraphNode_t> from(count), to(count);
  std::vector<cudaGraphEdgeData> data(count);
  check_cuda(cudaGraphGetEdges(raw, from.data(), to.data(), data.data(), &count), "asking for edges");
  std::size_t programmatic = 0;
  for (const cudaGraphEdgeData& edge : data) programmatic += edge.type == cudaGraphDependencyTypeProgrammatic;
  EXPECT_EQ(count + 1, graph.node_count()) << "one after the other";
  EXPECT_EQ(programmatic, overlaps ? count : 0);
}

TEST(CapturedTraining, ContinuesFromAFileBitwiseEqual) {
  const std::string path = text(::testing::TempDir(), "training_", ::getpid(), ".safetensors");
  auto run = [](CUDAGraph& graph, Training& training, int steps) {
    Floats losses;
    for (int i = 0; i < steps; ++i) {
      graph.replay();
      losses.push_back(training.loss.item<float>());
    }
    return losses;
  };
  manual_seed(6);
  Training whole;
  CUDAGraph graph;
  graph.capture([&] { whole.step(); });
  run(graph, whole, 15);
  save_safetensors(path, state_of(whole), {{"offset", std::to_string(default_generator().offset())}});
  const Floats expected = run(graph, whole, 15);

  // Another training, captured before the state is loaded.
  manual_seed(77);
  Training resumed;
  CUDAGraph another;
  another.capture([&] { resumed.step(); });
  StringMap metadata;
  const TensorMap saved = load_safetensors(path, &metadata);
  resumed.network.load_state_dict(part_of(saved, "network"));
  resumed.optimizer.load_state_dict(part_of(saved, "optimizer"));
  resumed.schedule.load_state_dict(part_of(saved, "schedule"));
  resumed.scaler.load_state_dict(part_of(saved, "scaler"));
  manual_seed(6);
  default_generator().set_offset(std::stoull(metadata.at("offset")));
  EXPECT_EQ(run(another, resumed, 15), expected);
  std::remove(path.c_str());
}

TEST(CapturedTraining, AStepThatOverflowsIsSkippedWithinTheGraph) {
  Tensor x = ones({8}).requires_grad_(), slope = ones({8});
  optim::SGD optimizer({x}, 0.5, {0.9});
  optim::GradScaler scaler;
  CUDAGraph graph;
  graph.capture([&] {
    optimizer.zero_grad();
    scaler.scale(sum(x * slope)).backward();
    scaler.step(optimizer);
    scaler.update();
  });
  EXPECT_EQ(x.to_vector<float>(), Floats(8, 1)) << "warm-up and capture leave no trace";
  slope.fill_(1e38);
  graph.replay();
  EXPECT_EQ(x.to_vector<float>(), Floats(8, 1));
  EXPECT_EQ(scaler.current_scale().item<float>(), 32768);
  slope.fill_(1);
  graph.replay();
  EXPECT_EQ(x.to_vector<float>(), Floats(8, 0.5));
}

TEST(CapturedTraining, ARateSetBetweenReplaysIsUsed) {
  Tensor x = zeros({2}).requires_grad_();
  optim::SGD optimizer({x}, 1);
  CUDAGraph graph;
  graph.capture([&] {
    optimizer.zero_grad();
    sum(x).backward();
    optimizer.step();
  });
  graph.replay();
  optimizer.set_learning_rate(0.25);
  graph.replay();
  EXPECT_EQ(x.to_vector<float>(), Floats(2, -1.25));
}

TEST(CapturedTraining, GradientsOfACaptureCanBeReadAndAccumulatedOutside) {
  Tensor x = ones({3}).requires_grad_();
  CUDAGraph graph;
  graph.capture([&] {
    x.set_grad({});
    sum(x * x * 2).backward();
  });
  graph.replay();
  EXPECT_EQ(x.grad().to_vector<float>(), Floats(3, 4));
  sum(x).backward();
  EXPECT_EQ(x.grad().to_vector<float>(), Floats(3, 5));
}

TEST(CapturedTraining, WarmUpAndFailedCaptureRestoreGrads) {
  Tensor w = ones({2}).requires_grad_();
  CUDAGraph graph;
  graph.capture([&] { sum(w * 3).backward(); });
  graph.replay();
  graph.replay();
  EXPECT_EQ(w.grad().to_vector<float>(), Floats({3, 3}))
      << "made by the graph, which adds nothing to what the warm-up left";

  Tensor v = ones({2}).requires_grad_(), kept = zeros({2});
  CUDAGraph failing;
  int runs = 0;
  auto step = [&] {
    sum(v * 3).backward();
    if (++runs == 2) throw std::runtime_error("in the capture");
  };
  EXPECT_THROW(failing.capture(step), std::runtime_error);
  EXPECT_FALSE(v.grad().defined());
  failing.capture(step);
  failing.replay();
  EXPECT_EQ(v.grad().to_vector<float>(), Floats({3, 3}));

  v.set_grad(kept);
  failing.reset();
  runs = 0;
  EXPECT_THROW(failing.capture([&] {
    v.set_grad({});
    step();
  }),
               std::runtime_error);
  EXPECT_TRUE(v.grad().is_same(kept));
  EXPECT_EQ(kept.to_vector<float>(), Floats({0, 0}));
}

TEST(CapturedTraining, ObjectsWithStateCannotBeCreatedInsideACapture) {
  Tensor x = ones({3}).requires_grad_();
  CUDAGraph graph;
  std::string text;
  EXPECT_THROW(graph.capture(
                   [&] {
                     text = error_of([&] { optim::Adam optimizer({x}); });
                     if (!text.empty()) fail(text);
                   },
                   [] {
                     CaptureOptions options;
                     options.warm_up = 0;
                     return options;
                   }()),
               Error);
  EXPECT_NE(text.find("Adam made while the current stream is capturing"), std::string::npos) << text;
}

TEST(CapturedTraining, MemoryIsReusedInsideTheBackwardPass) {
  // Twenty layers without weights save one activation each. Backward reuses the memory that it frees, and a second pass
  // reuses that of the first, although the result of the first is still alive.
  Tensor x = rand({1 << 16}).requires_grad_();
  CUDAGraph graph;
  graph.capture([&] {
    x.set_grad({});
    Tensor results[2];
    for (Tensor& y : results) {
      y = x;
      for (int i = 0; i < 20; ++i) y = tanh(y);
      sum(y).backward();
    }
  });
  const std::size_t one = sizeof(float) << 16;
  EXPECT_LE(graph.statistics().peak_live, 25 * one) << "twenty activations, a result, the grad, and a few on the way";
}

}  // namespace
