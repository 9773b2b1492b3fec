// Training gives the same losses and parameters on the CPU device and on a GPU after 100 steps, eagerly and replayed.
// data/training_h200.txt has the outcome on an H200; REPRISE_WRITE_TRAINING=file writes such a file.
#include "training_outcome.h"

#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/nn.h>
#include <reprise/optim.h>

#include <cstdlib>

#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;

namespace {

constexpr int steps = 100;

// A network and its training. Layers are constructed in braces, which fix the order in which they draw their initial
// values.
struct Task {
  std::shared_ptr<nn::Module> network;
  std::shared_ptr<optim::Optimizer> optimizer;
  std::function<Tensor(nn::Module&)> loss;  // of the inputs that `feed` sets
  std::function<void(int)> feed = [](int) {};
  std::function<void(Task&, const Tensor& loss)> descend = [](Task& task, const Tensor& loss) {
    loss.backward();
    task.optimizer->step();
  };
};

// The explicit training step of a linear layer, with a rate for which it converges.
Task linear_layer() {
  Task task;
  auto layer = std::make_shared<nn::Linear>(256, 256);
  const Tensor x = rand({64, 256}) * 2 - 1, y = rand({64, 256}) * 2 - 1;
  task.network = layer;
  task.optimizer = std::make_shared<optim::SGD>(layer->parameters(), 1e-3);
  task.loss = [=](nn::Module& network) { return sum(pow(network(x) - y, 2)); };
  return task;
}

Task perceptron() {
  Task task;
  auto network = std::make_shared<nn::Sequential>(nn::Sequential{nn::Linear(32, 64), nn::ReLU(), nn::LayerNorm(64),
                                                                 nn::Linear(64, 48), nn::GELU(), nn::Dropout(0.1),
                                                                 nn::Linear(48, 10)});
  const Tensor x = rand({32, 32}) * 2 - 1, classes = randint(0, 10, {32});
  task.network = network;
  optim::AdamOptions options;
  options.weight_decay = 0.01;
  options.epsilon = 1e-6;
  task.optimizer = std::make_shared<optim::Adam>(network->parameters(), 2e-3, options);
  task.loss = [=](nn::Module& network) { return cross_entropy(network(x), classes); };
  return task;
}

Task convolutions() {
  Task task;
  auto network = std::make_shared<nn::Sequential>(nn::Sequential{nn::Conv2d(3, 8, 3, {1, 1, true}), nn::ReLU(),
                                                                 nn::MaxPool2d(2), nn::Conv2d(8, 12, 3), nn::Tanh(),
                                                                 nn::AvgPool2d(2), nn::Flatten(), nn::Linear(108, 5)});
  const Tensor images = rand({8, 3, 16, 16}), target = rand({8, 5});
  task.network = network;
  optim::SGDOptions options;
  options.momentum = 0.9;
  options.weight_decay = 1e-3;
  options.nesterov = true;
  task.optimizer = std::make_shared<optim::SGD>(network->parameters(), 0.05, options);
  task.loss = [=](nn::Module& network) { return mse_loss(network(images), target); };
  return task;
}

struct Attentive : nn::Module {
  std::shared_ptr<nn::Embedding> letters = add("letters", nn::Embedding(13, 16));
  std::shared_ptr<nn::LayerNorm> norm = add("norm", nn::LayerNorm(16));
  std::shared_ptr<nn::MultiheadAttention> attention =
      add("attention", nn::MultiheadAttention(16, 4, {0.1, true, true}));
  std::shared_ptr<nn::Sequential> rest =
      add("rest", nn::Sequential{nn::Linear(16, 32), nn::GELU(), nn::Dropout(0.1), nn::Linear(32, 13)});
  Tensor forward(const Tensor& codes) override {
    const Tensor x = (*letters)(codes);
    return (*rest)(x + (*attention)((*norm)(x))).reshape({32, 13});
  }
};

// With all features of a training loop: new data in each step, loss scaling, clipping, a schedule.
Task transformer() {
  Task task;
  auto network = std::make_shared<Attentive>();
  const Tensor codes = zeros({4, 8}, DType::i64), classes = zeros({32}, DType::i64);
  optim::AdamOptions options;
  options.weight_decay = 0.01;
  options.epsilon = 1e-6;
  auto optimizer = std::make_shared<optim::AdamW>(network->parameters(), 5e-3, options);
  auto schedule =
      std::make_shared<optim::LRScheduler>(*optimizer, optim::Schedule().warmup(10, 0.1).cosine(steps, 1e-4));
  auto scaler = std::make_shared<optim::GradScaler>();
  auto random = std::make_shared<Random>(7);
  task.network = network;
  task.optimizer = optimizer;
  task.loss = [=](nn::Module& network) { return cross_entropy(network(codes), classes); };
  task.feed = [=](int) {
    const Tensor text = dense_random({4, 9}, DType::i64, *random, 0, 12);
    Tensor(codes).copy_(text.narrow(1, 0, 8));
    Tensor(classes).copy_(text.narrow(1, 1, 8).reshape({32}));
  };
  task.descend = [=](Task& task, const Tensor& loss) {
    scaler->scale(loss).backward();
    scaler->unscale_(*task.optimizer);
    clip_grad_norm_(task.network->parameters(), 1.0);
    scaler->step(*task.optimizer);
    scaler->update();
    schedule->step();
  };
  return task;
}

TrainingOutcome train(Task (*make)(), bool captured) {
  manual_seed(11);
  Task task = make();
  Tensor loss;
  auto step = [&] {
    task.optimizer->zero_grad();
    loss = task.loss(*task.network);
    task.descend(task, loss);
  };
  CUDAGraph graph;
  if (captured) graph.capture(step);
  TrainingOutcome outcome;
  for (int i = 0; i < steps; ++i) {
    task.feed(i);
    captured ? graph.replay() : step();
    outcome.values["losses"].push_back(loss.item<float>());
  }
  outcome.add_parameters(task.network->named_parameters());
  return outcome;
}

const std::map<std::string, Task (*)()> tasks = {{"linear_layer", linear_layer},
                                                 {"perceptron", perceptron},
                                                 {"convolutions", convolutions},
                                                 {"transformer", transformer}};

TEST(TrainingOutcome, OfReplayIsBitwiseEqualToEagerWork) {
  for (const auto& [name, make] : tasks) EXPECT_EQ(train(make, true).values, train(make, false).values) << name;
}

// Another device adds in another order and rounds functions differently, by about 1e-7 of a sum, and training amplifies
// that: to 4e-6 of a loss and 8e-7 of the root mean square of a parameter tensor, when this was measured. The bias of
// attention keys does not affect the result: its gradient is rounding error, which Adam turns into steps (4e-4). BLAS
// libraries of other processors add further differences.
constexpr double tolerance = 1e-4, tolerance_of_no_influence = 2e-2;

TEST(TrainingOutcome, IsEqualToThatOfAnH200) {
  TrainingOutcomes here;
  for (const auto& [name, make] : tasks) here[name] = train(make, false);
  if (const char* path = std::getenv("REPRISE_WRITE_TRAINING")) write(path, here);
  const TrainingOutcomes there = read_outcomes(TRAINING_FILE);
  ASSERT_EQ(there.size(), tasks.size());
  for (const auto& [name, outcome] : here) {
    const TrainingOutcome::Values& expected = there.at(name).values;
    ASSERT_EQ(outcome.values.size(), expected.size()) << name;
    double worst_loss = 0, worst_parameter = 0;
    for (const auto& [of, values] : outcome.values) {
      const std::vector<double>& others = expected.at(of);
      ASSERT_EQ(values.size(), others.size()) << name << ' ' << of;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const bool is_loss = of == "losses";
        const double scale = is_loss ? std::fabs(others[i]) : i == 0 ? 1 : others[2];
        const double off = std::fabs(values[i] - others[i]) / scale;
        double& worst = is_loss ? worst_loss : worst_parameter;
        worst = std::max(worst, off);
        EXPECT_LE(off, of == "attention.in_proj_bias" ? tolerance_of_no_influence : tolerance)
            << name << ' ' << of << " number " << i << ": " << values[i] << " here, " << others[i] << " there";
      }
    }
    std::printf("%s: losses within %.1e, parameters within %.1e of an H200's; last loss %.6g\n", name.c_str(),
                worst_loss, worst_parameter, outcome.values.at("losses").back());
  }
}

}  // namespace
