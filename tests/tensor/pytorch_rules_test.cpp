// Rules of PyTorch that are easy to get wrong. The expected values are PyTorch's (2.8, CPU).
#include <reprise/autograd.h>
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/nn.h>
#include <reprise/optim.h>
#include <reprise/outside_capture.h>
#include <reprise/safetensors.h>
#include <reprise/stream.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>

#include "error_of.h"
#include "values.h"

using namespace reprise;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

using Whole = std::vector<std::int64_t>;

Tensor leaf(const Values& values, const Sizes& sizes) { return from_vector(values, sizes).requires_grad_(); }
Tensor leaf(const Values& values) { return from_vector(values).requires_grad_(); }
Tensor whole(const Whole& values) { return from_vector(values); }

void expect_near(const Tensor& x, const Values& expected, float tolerance = 1e-5f) {
  const Values found = values(x);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(found[i])) << i << ": " << found[i];
    } else {
      EXPECT_NEAR(found[i], expected[i], tolerance) << i;
    }
  }
}

TEST(PyTorchRules, CrossEntropyIgnoresRowsOfTheIgnoredClass) {
  Tensor logits = leaf({1, 2, 3, 1, 0, -1, 0.5, 0.5, 2}, {3, 3});
  const Tensor classes = whole({2, -100, 0});
  Tensor loss = cross_entropy(logits, classes);
  loss.backward();
  EXPECT_NEAR(loss.item<float>(), 1.1382935f, 1e-5f);
  expect_near(logits.grad(), {0.0450153f, 0.1223642f, -0.1673795f, 0, 0, 0, -0.4228596f, 0.0771404f, 0.3457192f});
  EXPECT_NEAR(cross_entropy(logits, classes, Reduction::sum).item<float>(), 2.2765870f, 1e-5f);
  EXPECT_NEAR(cross_entropy(logits, whole({2, 1, 0}), Reduction::mean, 1).item<float>(), 1.1382935f, 1e-5f);
  EXPECT_TRUE(std::isnan(cross_entropy(logits, whole({-100, -100, -100})).item<float>()));
  // The gradient for another than the unit gradient takes another kernel.
  logits.set_grad({});
  mul(cross_entropy(logits, classes), 2).backward();
  expect_near(logits.grad(), {0.0900306f, 0.2447285f, -0.3347590f, 0, 0, 0, -0.8457192f, 0.1542808f, 0.6914384f});
}

TEST(PyTorchRules, CrossEntropyTakesDimensionsAfterTheClasses) {
  Tensor logits = leaf({1, 2, 3, 4, 2, 0, 1, -1}, {2, 2, 2});
  Tensor loss = cross_entropy(logits, from_vector(Whole{0, 1, 1, 0}, {2, 2}));
  loss.backward();
  EXPECT_NEAR(loss.item<float>(), 0.9700951f, 1e-5f);
  expect_near(logits.grad(),
              {-0.2201993f, 0.0298007f, 0.2201993f, -0.0298007f, 0.1827646f, -0.0672354f, -0.1827646f, 0.0672354f});
  EXPECT_NEAR(cross_entropy(tensor({1, 2, 3}), from_vector(Whole{1}, {})).item<float>(), 1.4076060f, 1e-5f);
}

TEST(PyTorchRules, AClassOutOfRangeIsAnError) {
  const Tensor loss = cross_entropy(zeros({2, 3}), whole({1, 3}));
  EXPECT_TRUE(says(error_of([&] { loss.item<float>(); }), "cross_entropy: class 3 is out of range: there are 3"));
  EXPECT_TRUE(std::isnan(loss.item<float>()));  // reported once
  const Tensor negative = cross_entropy(zeros({2, 3}), whole({-1, 0}));
  EXPECT_TRUE(says(error_of([&] { values(negative); }), "class -1 is out of range"));
}

TEST(PyTorchRules, AnEmbeddingIndexOutOfRangeIsAnErrorAlsoInAGraph) {
  const Tensor table = ones({5, 2});
  EXPECT_TRUE(says(error_of([&] { values(embedding(whole({0, 5}), table)); }), "embedding: index 5 is out of range"));
  EXPECT_TRUE(says(error_of([&] { values(embedding(whole({-1}), table)); }), "embedding: index -1 is out of range"));
  Tensor indices = whole({1, 2}), rows;
  CUDAGraph graph;
  graph.capture([&] { rows = embedding(indices, table); });
  graph.replay();
  EXPECT_EQ(values(rows), Values({1, 1, 1, 1}));
  indices.fill_(7);
  graph.replay();
  cudaDeviceSynchronize();
  EXPECT_TRUE(says(error_of([&] { graph.replay(); }), "embedding: index 7 is out of range: there are 5"));
}

TEST(PyTorchRules, GradientsOfChoicesAreSelected) {
  // Zero times infinity would be NaN.
  Tensor a = leaf({1, 5, 3}), b = leaf({4, 2, 3});
  where(from_vector(std::vector<bool>{true, false, true}), a, b).backward(tensor({inf, 1, inf}));
  EXPECT_EQ(values(a.grad()), Values({inf, 0, inf}));
  EXPECT_EQ(values(b.grad()), Values({0, 1, 0}));
  Tensor x = leaf({-2, 0, 1, 3});
  clamp(x, 0, 1).backward(tensor({inf, 2, 3, inf}));
  EXPECT_EQ(values(x.grad()), Values({0, 2, 3, 0}));
  Tensor y = leaf({1, 7, 2, 7});
  max(y).backward(from_vector(Values{inf}, {}));
  EXPECT_EQ(values(y.grad()), Values({0, inf, 0, inf}));
  Tensor z = leaf({1, 7, 9, 2}, {2, 2});
  max(z, 1).values.backward(tensor({inf, 1}));
  EXPECT_EQ(values(z.grad()), Values({0, inf, 1, 0}));
}

TEST(PyTorchRules, EqualOperandsShareTheGradientOfTheirExtremum) {
  for (bool largest : {true, false}) {
    Tensor a = leaf({1, 5, 3}), b = leaf({4, 2, 3});
    (largest ? maximum(a, b) : minimum(a, b)).backward(tensor({inf, 1, 2}));
    EXPECT_EQ(values(a.grad()), largest ? Values({0, 1, 1}) : Values({inf, 0, 1}));
    EXPECT_EQ(values(b.grad()), largest ? Values({inf, 0, 1}) : Values({0, 1, 1}));
  }
  Tensor x = leaf({3, 3, 1});
  min(x).backward();
  max(x).backward();
  EXPECT_EQ(values(x.grad()), Values({0.5, 0.5, 1}));
}

TEST(PyTorchRules, PowersHaveGradientsAtBaseZero) {
  Tensor a = leaf({0, 0, 2}), b = leaf({0, 2, 3});
  pow(a, b).backward(tensor({1, 1, 1}));
  EXPECT_EQ(values(a.grad()), Values({0, 0, 12}));
  expect_near(b.grad(), {0, 0, 5.5451775f});
  Tensor x = leaf({0, 2});
  pow(x, 0).backward(tensor({inf, 1}));
  EXPECT_EQ(values(x.grad()), Values({0, 0}));
}

TEST(PyTorchRules, CausalAttentionIsAlignedAtTheFirstQuery) {
  const Tensor query = zeros({2, 1}), key = zeros({3, 1}), value = from_vector(Values{1, 2, 3}, {3, 1});
  EXPECT_EQ(values(scaled_dot_product_attention(query, key, value, true)), Values({1, 1.5}));
  // More queries than keys: the last ones attend to all.
  const Tensor queries = zeros({3, 1}), keys = zeros({2, 1}), two = from_vector(Values{1, 2}, {2, 1});
  EXPECT_EQ(values(scaled_dot_product_attention(queries, keys, two, true)), Values({1, 1.5, 1.5}));
}

TEST(PyTorchRules, AdamWDecaysByDefaultAlsoWithOtherOptions) {
  Tensor weight = leaf({1});
  weight.set_grad(zeros({1}));
  optim::AdamOptions options;
  options.beta1 = 0.8;
  optim::AdamW decaying({weight}, 0.1, options);
  decaying.step();
  EXPECT_FLOAT_EQ(values(weight)[0], 0.999f);
  optim::Adam plain({weight}, 0.1, options);
  plain.step();
  EXPECT_FLOAT_EQ(values(weight)[0], 0.999f);
}

TEST(PyTorchRules, RandomNumbersOf16BitsAreBelowOne) {
  for (DType dtype : {DType::f16, DType::bf16}) {
    manual_seed(3);
    const Tensor x = rand({1 << 16}, dtype);
    EXPECT_LT(max(x).item<float>(), 1) << dtype;
    EXPECT_GE(min(x).item<float>(), 0) << dtype;
    EXPECT_NEAR(mean(x.to(DType::f32)).item<float>(), 0.5, 0.01) << dtype;
  }
}

TEST(PyTorchRules, ATensorWithoutDimensionsPromotesLikeANumber) {
  auto type = [](DType a, DType b, const Sizes& of_b) { return add(ones({3}, a), ones(of_b, b)).dtype(); };
  EXPECT_EQ(type(DType::f16, DType::f32, {}), DType::f16);
  EXPECT_EQ(type(DType::f16, DType::f32, {1}), DType::f32);
  EXPECT_EQ(type(DType::bf16, DType::f16, {}), DType::bf16);
  EXPECT_EQ(type(DType::i64, DType::f32, {}), DType::f32);
  EXPECT_EQ(type(DType::i64, DType::f16, {}), DType::f16);
  EXPECT_EQ(type(DType::boolean, DType::i64, {}), DType::i64);
  EXPECT_EQ(add(ones({}, DType::f16), ones({}, DType::f32)).dtype(), DType::f32);
  EXPECT_EQ(where(ones({3}, DType::boolean), ones({3}, DType::f16), ones({})).dtype(), DType::f16);
  Tensor x = ones({3}, DType::f16).requires_grad_(), y = ones({}).requires_grad_();
  sum(x * y).backward();
  EXPECT_EQ(y.grad().dtype(), DType::f32);
  EXPECT_EQ(y.grad().item<float>(), 3);
}

TEST(PyTorchRules, ASecondBackwardPassesNodesThatKeepNothing) {
  Tensor x = leaf({1, 2});
  Tensor y = sum(cat({(x + 1).view({2, 1}) * 3, x.view({2, 1})}));
  y.backward();
  y.backward();
  EXPECT_EQ(values(x.grad()), Values({8, 8}));
  Tensor z = sum(x * x);
  z.backward();
  EXPECT_TRUE(says(error_of([&] { z.backward(); }), "a second time"));
}

TEST(PyTorchRules, LargeIntegersAreExact) {
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  EXPECT_EQ(zeros({1}, DType::i64).fill_(large).item<std::int64_t>(), large);
  EXPECT_EQ(full({1}, large, DType::i64).item<std::int64_t>(), large);
  EXPECT_EQ(arange(large, large + 3).to_vector<std::int64_t>(), Whole({large, large + 1, large + 2}));
}

TEST(PyTorchRules, TheCosineScheduleGoesOnPastItsEnd) {
  Tensor weight = leaf({1});
  optim::SGD optimizer({weight}, 1);
  optim::CosineAnnealingLR schedule(optimizer, 4);
  Values rates;
  for (int i = 0; i < 9; ++i) {
    rates.push_back(optimizer.learning_rate().item<float>());
    schedule.step();
  }
  const Values expected{1, 0.8535534f, 0.5f, 0.1464466f, 0, 0.1464466f, 0.5f, 0.8535534f, 1};
  for (std::size_t i = 0; i < rates.size(); ++i) EXPECT_NEAR(rates[i], expected[i], 1e-6f) << i;
}

TEST(PyTorchRules, AModuleCannotContainItself) {
  auto outer = std::make_shared<nn::Sequential>(), inner = std::make_shared<nn::Sequential>();
  outer->add("inner", inner);
  EXPECT_TRUE(says(error_of([&] { inner->add("outer", outer); }), "contains the module that it is added to"));
  EXPECT_TRUE(says(error_of([&] { outer->add("itself", outer); }), "contains the module that it is added to"));
  EXPECT_EQ(outer->parameters().size(), 0u);
}

TEST(PyTorchRules, AGraphOfConvertedWeightsSaysSo) {
  nn::Linear layer(2, 2), other(2, 2);
  const Tensor x = ones({1, 2});
  Tensor y;
  CUDAGraph graph;
  graph.capture([&] { y = layer(x); });
  graph.replay();
  other.to(DType::f16);
  graph.replay();
  layer.to(DType::f16);
  EXPECT_TRUE(says(error_of([&] { graph.replay(); }), "converted after the capture"));
}

TEST(PyTorchRules, ReadingWaitsForTheStreamThatComputed) {
  Stream side;
  Tensor x = zeros({1 << 20});
  {
    StreamGuard guard(side.get());
    host_function([] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); });
    x.fill_(5);
  }
  EXPECT_EQ(x.narrow(0, 0, 1).item<float>(), 5);
}

TEST(PyTorchRules, SafetensorsAreNotWrittenOverWhatIsNotAFile) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("reprise_rules_" + std::to_string(getpid()));
  fs::create_directories(folder / "directory");
  const std::map<std::string, Tensor> state{{"x", ones({2})}};
  EXPECT_TRUE(says(error_of([&] { save_safetensors((folder / "directory").string(), state); }), "not a regular file"));
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_TRUE(says(error_of([&] { save_safetensors(pipe.string(), state); }), "not a regular file"));
  EXPECT_TRUE(fs::is_fifo(pipe));
  // Through a link the file is replaced, not the link.
  save_safetensors((folder / "file").string(), {{"y", ones({1})}});
  fs::create_symlink(folder / "file", folder / "link");
  save_safetensors((folder / "link").string(), state);
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(load_safetensors((folder / "file").string()).count("x"), 1u);
  fs::remove_all(folder);
}

TEST(PyTorchRules, SizesAndTypesOfRanges) {
  EXPECT_EQ(values(arange(0, 5, 1.5, DType::i64)), Values({0, 1, 2, 3, 4}));  // integers are truncated first
  EXPECT_EQ(arange(0, 1, 0.25).dtype(), DType::f32);
  EXPECT_EQ(values(arange(0, 1, 0.25)), Values({0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(arange(5).dtype(), DType::i64);
  EXPECT_EQ(arange(5.0).dtype(), DType::f32);
  EXPECT_EQ(arange(0, 0.3, 0.1).numel(), 3);
  EXPECT_TRUE(says(error_of([] { arange(0, 5, 0.5, DType::i64); }), "steps of 0.5 do not lead"));
}

TEST(PyTorchRules, LossesHaveTheTypeOfTheirArgument) {
  for (DType dtype : {DType::f16, DType::bf16}) {
    Tensor x = ones({2, 3}, dtype).requires_grad_();
    Tensor loss = cross_entropy(x, whole({0, 1}));
    EXPECT_EQ(loss.dtype(), dtype);
    loss.backward();
    EXPECT_EQ(x.grad().dtype(), dtype);
    EXPECT_NEAR(values(x.grad())[0], -1.0 / 3, 2e-3);
    x.set_grad({});
    Tensor error = mse_loss(x, zeros({2, 3}, dtype));
    EXPECT_EQ(error.dtype(), dtype);
    error.backward();
    EXPECT_NEAR(values(x.grad())[0], 1.0 / 3, 2e-3);
  }
}

}  // namespace
