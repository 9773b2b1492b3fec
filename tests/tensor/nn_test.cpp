// Modules, layers, and their state in files.
#include <reprise/autograd.h>
#include <reprise/factories.h>
#include <reprise/nn.h>
#include <reprise/optim.h>

#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;

namespace {

using Floats = std::vector<float>;

nn::Sequential small_network() { return nn::Sequential(nn::Linear(2, 8), nn::Tanh(), nn::Linear(8, 1)); }

std::vector<std::string> names_of(const nn::NamedTensors& tensors) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) names.push_back(name);
  return names;
}

TEST(Modules, ParametersHaveNamesInOrder) {
  nn::Sequential network = small_network();
  EXPECT_EQ(names_of(network.named_parameters()),
            (std::vector<std::string>{"0.weight", "0.bias", "2.weight", "2.bias"}));
  for (const Tensor& parameter : network.parameters()) EXPECT_TRUE(parameter.requires_grad());
  EXPECT_EQ(network.parameters()[0].sizes(), (Sizes{8, 2}));
}

struct Shared : nn::Module {
  std::shared_ptr<nn::Linear> first = add("first", nn::Linear(3, 3));
  std::shared_ptr<nn::Linear> again = add("again", first);
  Tensor scale = add_buffer("scale", ones({3}));
  Tensor forward(const Tensor& x) override { return (*again)(relu((*first)(x)))*scale; }
};

TEST(Modules, ASharedPartIsOneParameterAndBuffersAreState) {
  Shared module;
  EXPECT_EQ(names_of(module.named_parameters()), (std::vector<std::string>{"first.weight", "first.bias"}));
  EXPECT_EQ(names_of(module.named_buffers()), std::vector<std::string>{"scale"});
  EXPECT_EQ(module.state_dict().size(), 5u);
}

TEST(Modules, TrainingReachesAllParts) {
  nn::Sequential network(nn::Linear(4, 4), nn::Dropout(0.5));
  const Tensor x = ones({8, 4});
  network.eval();
  EXPECT_FALSE(network.is_training());
  EXPECT_EQ(network(x).to_vector<float>(), network(x).to_vector<float>());
  network.train();
  EXPECT_NE(network(x).to_vector<float>(), network(x).to_vector<float>());
}

TEST(Modules, StateIsCopiedIntoTheSameMemory) {
  nn::Sequential one = small_network(), two = small_network();
  const void* place = two.parameters()[0].data();
  two.load_state_dict(one.state_dict());
  EXPECT_EQ(two.parameters()[0].data(), place);
  const Tensor x = rand({5, 2});
  EXPECT_EQ(one(x).to_vector<float>(), two(x).to_vector<float>());

  std::map<std::string, Tensor> state = one.state_dict();
  state.erase("0.bias");
  EXPECT_NE(error_of([&] { two.load_state_dict(state); }).find("\"0.bias\" is not in the given state"),
            std::string::npos);
  two.load_state_dict(state, false);
  state["0.bias"] = ones({9});
  EXPECT_NE(error_of([&] { two.load_state_dict(state, false); }).find("has shape [8] here and [9]"), std::string::npos);
  state = one.state_dict();
  state["more"] = ones({1});
  EXPECT_NE(error_of([&] { two.load_state_dict(state); }).find("named \"more\""), std::string::npos);
}

TEST(Modules, ConvertedModulesComputeInTheOtherType) {
  nn::Sequential network = small_network();
  const Tensor x = rand({5, 2});
  const std::vector<double> before = values_of(network(x));
  network.to(DType::bf16);
  const Tensor y = network(x.to(DType::bf16));
  EXPECT_EQ(y.dtype(), DType::bf16);
  expect_near(y, before, 2e-2, "in bf16");
  sum(y).backward();
  EXPECT_EQ(network.parameters()[0].grad().dtype(), DType::bf16);
}

TEST(Layers, HavePyTorchsShapes) {
  NoGradGuard guard;
  EXPECT_EQ(nn::Conv2d(3, 16, 3)(rand({4, 3, 32, 32})).sizes(), (Sizes{4, 16, 30, 30}));
  EXPECT_EQ(nn::Conv2d(3, 4, 3, {2, 1, false})(rand({1, 3, 8, 8})).sizes(), (Sizes{1, 4, 4, 4}));
  EXPECT_EQ(nn::MaxPool2d(2)(rand({1, 3, 8, 8})).sizes(), (Sizes{1, 3, 4, 4}));
  EXPECT_EQ(nn::AvgPool2d(3, 2)(rand({1, 3, 9, 9})).sizes(), (Sizes{1, 3, 4, 4}));
  EXPECT_EQ(nn::Flatten()(rand({2, 3, 4})).sizes(), (Sizes{2, 12}));
  EXPECT_EQ(nn::Embedding(10, 6)(zeros({2, 5}, DType::i64)).sizes(), (Sizes{2, 5, 6}));
  EXPECT_EQ(nn::LayerNorm(6)(rand({2, 6})).sizes(), (Sizes{2, 6}));
  EXPECT_EQ(nn::MultiheadAttention(8, 2)(rand({2, 5, 8})).sizes(), (Sizes{2, 5, 8}));
  EXPECT_NE(error_of([] { nn::MultiheadAttention(8, 3); }).find("3 heads do not divide a size of 8"),
            std::string::npos);
  EXPECT_NE(error_of([] { nn::Linear(4, 2)(rand({3, 5})); }).find("linear: [3, 5] does not fit a weight of [2, 4]"),
            std::string::npos);
}

TEST(Layers, AttentionIsTheSameFromOneInputOrThree) {
  nn::MultiheadAttention attention(8, 2, {0.0, true, true});
  const Tensor x = rand({2, 5, 8});
  expect_near(attention.forward(x, x, x), values_of(attention(x)), 1e-6, "attention");
  EXPECT_EQ(names_of(attention.named_parameters()),
            (std::vector<std::string>{"in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"}));
}

TEST(Layers, CausalAttentionIgnoresLaterPositions) {
  nn::MultiheadAttention attention(4, 2, {0.0, true, true});
  NoGradGuard guard;
  Tensor x = rand({1, 6, 4});
  const Floats before = attention(x).narrow(1, 0, 3).to_vector<float>();
  x.narrow(1, 3, 3).copy_(rand({1, 3, 4}));
  EXPECT_EQ(attention(x).narrow(1, 0, 3).to_vector<float>(), before);
}

struct Doubling : nn::ReLU {
  Tensor forward(const Tensor& x) override { return x * 2; }
};

TEST(Layers, ALinearAndItsReluAreOneOperationWithTheSameResult) {
  nn::Linear linear(6, 5);
  const Tensor weight = linear.weight, bias = linear.bias, x = rand({4, 6});
  nn::Sequential both(std::move(linear), nn::ReLU());
  expect_near(both(x), values_of(relu(reprise::linear(x, weight, bias))), 1e-6, "Linear and ReLU");
  nn::Sequential other(nn::Linear(6, 5), Doubling());
  EXPECT_LT(min(other(x)).item<float>(), 0) << "what is derived from ReLU is no ReLU";
}

TEST(Layers, ANetworkLearnsExclusiveOr) {
  manual_seed(1);
  nn::Sequential network = small_network();
  optim::Adam optimizer(network.parameters(), 0.05);
  const Tensor x = from_vector(Floats{0, 0, 0, 1, 1, 0, 1, 1}, {4, 2}), y = from_vector(Floats{0, 1, 1, 0}, {4, 1});
  Tensor loss;
  for (int i = 0; i < 300; ++i) {
    optimizer.zero_grad();
    loss = mse_loss(network(x), y);
    loss.backward();
    optimizer.step();
  }
  EXPECT_LT(loss.item<float>(), 0.01f);
}

}  // namespace
