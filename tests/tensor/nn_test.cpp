// Modules, layers, and their state in files.
#include <reprise/autograd.h>
#include <reprise/factories.h>
#include <reprise/nn.h>
#include <reprise/optim.h>
#include <reprise/safetensors.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

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

TEST(Layers, ACausalPlaceDoesNotSeeLaterOnes) {
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

class Safetensors : public ::testing::Test {
 protected:
  void TearDown() override { std::remove(path.c_str()); }
  void write(const std::string& header, const std::string& data) {
    std::ofstream file(path, std::ios::binary);
    for (int i = 0; i < 8; ++i) file.put(static_cast<char>(header.size() >> (8 * i)));
    file << header << data;
  }
  std::string error() {
    return error_of([&] { load_safetensors(path); });
  }

  std::string path = testing::TempDir() + std::to_string(getpid()) + "_reprise_" +
                     testing::UnitTest::GetInstance()->current_test_info()->name() + ".safetensors";
};

TEST_F(Safetensors, GiveBackWhatWasSaved) {
  Random random(1);
  TensorMap saved;
  for (DType dtype : {DType::f32, DType::f16, DType::bf16, DType::i64, DType::boolean}) {
    saved[text("of type ", dtype)] = random_tensor({3, 4, 5}, dtype, random);
  }
  saved["scalar"] = full({}, 3);
  saved["empty"] = zeros({2, 0});
  saved["quote \" backslash \\ newline \n \xC3\xA9"] = rand({2});
  save_safetensors(path, saved, {{"format", "pt"}, {"note", "a \"b\""}});
  StringMap metadata;
  const TensorMap loaded = load_safetensors(path, &metadata);
  ASSERT_EQ(loaded.size(), saved.size());
  for (const auto& [name, tensor] : saved) {
    const Tensor& again = loaded.at(name);
    EXPECT_EQ(again.sizes(), tensor.sizes()) << name;
    EXPECT_EQ(again.dtype(), tensor.dtype()) << name;
    EXPECT_EQ(values_of(again), values_of(tensor)) << name;
  }
  EXPECT_EQ(metadata, (StringMap{{"format", "pt"}, {"note", "a \"b\""}}));
}

TEST_F(Safetensors, CarryAModulesStateToAnother) {
  nn::Sequential one = small_network(), two = small_network();
  save_safetensors(path, one.state_dict());
  two.load_state_dict(load_safetensors(path));
  const Tensor x = rand({3, 2});
  EXPECT_EQ(one(x).to_vector<float>(), two(x).to_vector<float>());
}

TEST_F(Safetensors, AsOthersWriteThem) {
  write(
      "{ \"__metadata__\" : {\"format\":\"pt\"}, "
      "\"a\\u00e9\\ud83d\\ude00\":{\"data_offsets\":[4,12],\"shape\":[2],\"dtype\":\"F32\"},\n"
      " \"b\":{\"dtype\":\"F16\",\"shape\":[1,2],\"data_offsets\":[0,4]} }   ",
      std::string("\x00\x3c\x00\xc0\x00\x00\x80\x3f\x00\x00\x00\x40", 12));
  const TensorMap loaded = load_safetensors(path);
  EXPECT_EQ(loaded.at("a\xC3\xA9\xF0\x9F\x98\x80").to_vector<float>(), (Floats{1, 2}));
  EXPECT_EQ(loaded.at("b").to_vector<float>(), (Floats{1, -2}));
}

TEST_F(Safetensors, ThatAreBrokenAreNamedSo) {
  EXPECT_NE(error().find("reading "), std::string::npos);
  std::ofstream(path) << "abc";
  EXPECT_NE(error().find("ends before its time"), std::string::npos);
  std::ofstream(path) << "12345678901234567890";
  EXPECT_NE(error().find("is no safetensors file"), std::string::npos);
  const std::pair<std::string, const char*> broken[] = {
      {"", "'{' expected"},
      {"{\"a\":1}", "'{' expected"},
      {"{} x", "text after the header's end"},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", "lacks dtype, shape or data_offsets"},
      {"{\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}}", "of type F64, which is not supported"},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}", "of shape [3] cannot be at bytes 0 to 8"},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}", "of shape [4] cannot be at bytes 0 to 16"},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", "4 bytes after the last tensor"},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}", "overlap or leave a gap at byte 0"},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,8]}}", "is too large"},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[99999999999999999999],\"data_offsets\":[0,8]}}", "number too large"},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,8]}}", "whole number expected"},
      {"{\"a", "ends inside a string"},
  };
  for (const auto& [header, message] : broken) {
    write(header, "12345678");
    EXPECT_NE(error().find(message), std::string::npos) << header << ": " << error();
  }
}

}  // namespace
