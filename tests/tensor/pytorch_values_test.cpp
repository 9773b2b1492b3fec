// Operations and their gradients against values that PyTorch computed (record_pytorch_values.py, which has the same
// cases).
#include <reprise/reprise.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "error_of.h"
#include "values.h"

using namespace reprise;

namespace {

Tensor wave(const Sizes& sizes, double frequency, double amplitude = 1, double shift = 0) {
  Values made(static_cast<std::size_t>(product(sizes)));
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = static_cast<float>(amplitude * std::sin(frequency * static_cast<double>(i) + 0.3) + shift);
  return from_vector(made, sizes);
}

Tensor whole(const std::vector<std::int64_t>& values, const Sizes& sizes) { return from_vector(values, sizes); }

struct Inputs {
  Tensor a = wave({3, 4}, 0.71, 2), b = wave({3, 4}, 0.37, 0.9, 1.5), unit = wave({3, 4}, 1.3, 0.45, 0.5);
  Tensor cube = wave({2, 3, 4}, 0.53, 2), image = wave({2, 4, 5, 6}, 0.31, 2);
  Tensor rows = whole({2, 0, 2, 1}, {4}), places = whole({0, 2, 1, 0, 1, 1, 0, 2}, {2, 4});
  Tensor classes = whole({3, 0, -100}, {3}), mask = wave({3, 4}, 0.9) > 0;
  Tensor weight4 = wave({4}, 0.8, 0.5, 1), bias4 = wave({4}, 0.6);
};

struct Case {
  std::function<Tensor(const Tensor&)> function;
  Tensor given;
};

AttentionArguments attention(const Tensor& mask, std::optional<double> scale, bool gqa = false) {
  AttentionArguments arguments;
  arguments.attn_mask = mask;
  arguments.scale = scale;
  arguments.enable_gqa = gqa;
  return arguments;
}

template <class Layer>
std::shared_ptr<Layer> with_waves(Layer layer) {
  NoGradGuard guard;
  double frequency = 0.37;
  for (Tensor& parameter : layer.parameters()) {
    parameter.copy_(wave(parameter.sizes(), frequency, 0.5));
    frequency += 0.11;
  }
  return std::make_shared<Layer>(std::move(layer));
}

std::map<std::string, Case> cases(const Inputs& in) {
  const Tensor &a = in.a, &b = in.b, &unit = in.unit, &cube = in.cube, &image = in.image, &rows = in.rows,
               &places = in.places, &classes = in.classes, &mask = in.mask, &weight4 = in.weight4, &bias4 = in.bias4;
  using X = const Tensor&;
  CrossEntropyOptions weighted, each, smoothed;
  weighted.weight = weight4;
  weighted.label_smoothing = 0.2;
  each.reduction = Reduction::none;
  smoothed.label_smoothing = 0.1;
  nn::RecurrentOptions two, batched;
  two.num_layers = batched.num_layers = 2;
  batched.batch_first = true;
  const auto lstm = with_waves(nn::LSTM(4, 3, two));
  const auto gru = with_waves(nn::GRU(4, 3, batched));
  return {
      {"tan", {[](X x) { return tan(x * 0.5); }, a}},
      {"asin", {[](X x) { return asin(x); }, unit}},
      {"acos", {[](X x) { return acos(x); }, unit}},
      {"atan", {[](X x) { return atan(x); }, a}},
      {"sinh", {[](X x) { return sinh(x); }, a}},
      {"cosh", {[](X x) { return cosh(x); }, a}},
      {"log1p", {[](X x) { return log1p(x); }, b}},
      {"expm1", {[](X x) { return expm1(x); }, a}},
      {"erf", {[](X x) { return x.erf(); }, a}},
      {"log2", {[](X x) { return log2(x); }, b}},
      {"log10", {[](X x) { return log10(x); }, b}},
      {"exp2", {[](X x) { return exp2(x); }, a}},
      {"rsqrt", {[](X x) { return x.rsqrt(); }, b}},
      {"reciprocal", {[](X x) { return x.reciprocal(); }, b}},
      {"square", {[](X x) { return x.square(); }, a}},
      {"sign", {[](X x) { return x.sign(); }, a}},
      {"floor", {[](X x) { return x.floor(); }, a}},
      {"ceil", {[](X x) { return x.ceil(); }, a}},
      {"round", {[](X x) { return x.round(); }, a}},
      {"trunc", {[](X x) { return x.trunc(); }, a}},
      {"remainder", {[=](X x) { return remainder(x, b); }, a}},
      {"fmod", {[=](X x) { return fmod(x, b); }, a}},
      {"remainder_number", {[](X x) { return remainder(x, -0.7); }, a}},
      {"scalar_pow", {[](X x) { return pow(1.5, x); }, a}},
      {"clamp_min", {[](X x) { return clamp_min(x, 0.2); }, a}},
      {"clamp_max", {[](X x) { return clamp_max(x, 0.2); }, a}},
      {"masked_fill", {[=](X x) { return x.masked_fill(mask, -7); }, a}},
      {"lerp", {[=](X x) { return lerp(x, b, 0.3); }, a}},
      {"addcmul", {[=](X x) { return addcmul(x, b, unit, 0.5); }, a}},
      {"addcdiv", {[=](X x) { return addcdiv(x, unit, b, 0.5); }, a}},
      {"gelu_tanh", {[](X x) { return gelu(x, "tanh"); }, a}},
      {"silu", {[](X x) { return silu(x); }, a}},
      {"mish", {[](X x) { return mish(x); }, a}},
      {"softplus", {[](X x) { return softplus(x, 2, 1.5); }, a}},
      {"logsigmoid", {[](X x) { return logsigmoid(x); }, a}},
      {"elu", {[](X x) { return elu(x, 0.7); }, a}},
      {"selu", {[](X x) { return selu(x); }, a}},
      {"celu", {[](X x) { return celu(x, 0.7); }, a}},
      {"leaky_relu", {[](X x) { return leaky_relu(x, 0.1); }, a}},
      {"prelu", {[=](X x) { return prelu(x, weight4); }, a}},
      {"relu6", {[](X x) { return relu6(x * 5); }, a}},
      {"hardtanh", {[](X x) { return hardtanh(x); }, a}},
      {"hardsigmoid", {[](X x) { return hardsigmoid(x * 2); }, a}},
      {"hardswish", {[](X x) { return hardswish(x * 2); }, a}},
      {"softsign", {[](X x) { return softsign(x); }, a}},
      {"tanhshrink", {[](X x) { return tanhshrink(x); }, a}},
      {"threshold", {[](X x) { return threshold(x, 0.1, 20); }, a}},
      {"glu", {[](X x) { return glu(x, -1); }, a}},
      {"amax", {[](X x) { return x.amax({0, 2}); }, cube}},
      {"amin", {[](X x) { return x.amin({1}, true); }, cube}},
      {"prod", {[](X x) { return prod(x, 1); }, cube}},
      {"prod_all", {[](X x) { return (x * (x > 1.5)).prod(); }, a}},
      {"var", {[](X x) { return x.var({0, 2}); }, cube}},
      {"std", {[](X x) { return x.std({1}, 0, true); }, cube}},
      {"norm", {[](X x) { return x.norm(2, {1}); }, cube}},
      {"norm3", {[](X x) { return x.norm(3); }, a}},
      {"norm_inf", {[](X x) { return x.norm(std::numeric_limits<double>::infinity(), {1}); }, a}},
      {"logsumexp", {[](X x) { return x.logsumexp({1, 2}); }, cube}},
      {"cumsum", {[](X x) { return x.cumsum(1); }, cube}},
      {"cumprod", {[](X x) { return cumprod(x, 2); }, cube}},
      {"argmin", {[](X x) { return x.argmin(1).to(DType::f32); }, cube}},
      {"any", {[](X x) { return any(x > 1.9, {1}).to(DType::f32); }, cube}},
      {"all", {[](X x) { return all(x > -1.9, {1}).to(DType::f32); }, cube}},
      {"sort", {[](X x) { return x.sort(1, true).values; }, cube}},
      {"argsort", {[](X x) { return argsort(x, 0).to(DType::f32); }, a}},
      {"topk", {[](X x) { return x.topk(2, 1).values; }, a}},
      {"topk_indices", {[](X x) { return x.topk(3, 0, false).indices.to(DType::f32); }, a}},
      {"index_select", {[=](X x) { return x.index_select(0, rows); }, a}},
      {"gather", {[=](X x) { return x.gather(0, places); }, a}},
      {"scatter", {[=](X x) { return x.scatter(1, whole({3, 0, 1, 2}, {2, 2}), b); }, a}},
      {"scatter_add", {[=](X x) { return b.scatter_add(0, places, x.narrow(0, 0, 2)); }, a}},
      {"index_add", {[=](X x) { return index_add(b, 0, whole({1, 1, 0}, {3}), x); }, a}},
      {"index_put", {[=](X x) { return index_put(b, whole({1, 2, 1}, {3}), x, true); }, a}},
      {"one_hot", {[=](X) { return one_hot(rows, 4).to(DType::f32); }, a}},
      {"nonzero", {[](X x) { return nonzero(x > 1).to(DType::f32); }, a}},
      {"masked_select", {[=](X x) { return x.masked_select(mask); }, a}},
      {"flip", {[](X x) { return x.flip({0, 2}); }, cube}},
      {"roll", {[](X x) { return roll(x, 3, 2); }, cube}},
      {"repeat", {[](X x) { return x.repeat({2, 1, 2}); }, a}},
      {"repeat_interleave", {[](X x) { return repeat_interleave(x, 2, 1); }, a}},
      {"tril", {[](X x) { return tril(x, 1); }, cube}},
      {"triu", {[](X x) { return triu(x, -1); }, cube}},
      {"movedim", {[](X x) { return movedim(x, 0, 2); }, cube}},
      {"chunk", {[](X x) { return chunk(x, 3, 2)[1]; }, cube}},
      {"unbind", {[](X x) { return unbind(x, 1)[2]; }, cube}},
      {"slice", {[](X x) { return x.slice(1, 1, -1).slice(2, 0, 99, 3); }, image}},
      {"pad", {[](X x) { return pad(x, {1, 2, -1, 1}, "constant", 3); }, cube}},
      {"pad_reflect", {[](X x) { return pad(x, {2, 1, 1, 2}, "reflect"); }, cube}},
      {"pad_replicate", {[](X x) { return pad(x, {2, 1, 1, 2}, "replicate"); }, cube}},
      {"bmm", {[](X x) { return x.bmm(x.transpose(1, 2)); }, cube}},
      {"outer", {[=](X x) { return outer(x[0], b[1]); }, a}},
      {"addmm", {[=](X x) { return addmm(b.narrow(1, 0, 3), x, b.t(), 0.5, 2); }, a}},
      {"einsum_batch", {[=](X x) { return einsum("bij,bkj->bik", {x, cube}); }, cube}},
      {"einsum_three", {[=](X x) { return einsum("ij,kj,k->i", {x, b, rows.narrow(0, 0, 3).to(DType::f32)}); }, a}},
      {"einsum_trace", {[](X x) { return einsum("ii->i", {x.narrow(1, 0, 3)}); }, a}},
      {"einsum_implicit", {[=](X x) { return einsum("ij,jk", {x, b.t()}); }, a}},
      {"adaptive_avg_pool2d", {[](X x) { return adaptive_avg_pool2d(x, {3, 4}); }, image}},
      {"interpolate_nearest", {[](X x) { return interpolate(x, {8, 4}); }, image}},
      {"interpolate_bilinear", {[](X x) { return interpolate(x, {8, 4}, "bilinear"); }, image}},
      {"interpolate_corners", {[](X x) { return interpolate(x, {8, 4}, "bilinear", true); }, image}},
      {"batch_norm", {[=](X x) { return batch_norm(x, {}, {}, weight4, bias4, true); }, image}},
      {"batch_norm_eval", {[=](X x) { return batch_norm(x, bias4, weight4, weight4, bias4); }, image}},
      {"group_norm", {[=](X x) { return group_norm(x, 2, weight4, bias4); }, image}},
      {"rms_norm", {[=](X x) { return rms_norm(x, weight4); }, a}},
      {"normalize", {[](X x) { return normalize(x); }, a}},
      {"cosine_similarity", {[=](X x) { return cosine_similarity(x, b); }, a}},
      {"cross_entropy_options", {[=](X x) { return cross_entropy(x, classes, weighted); }, a}},
      {"cross_entropy_none", {[=](X x) { return cross_entropy(x, classes, each); }, a}},
      {"cross_entropy_probabilities", {[=](X x) { return cross_entropy(x, unit, smoothed); }, a}},
      {"nll_loss", {[=](X x) { return nll_loss(x, classes, weight4); }, a}},
      {"l1_loss", {[=](X x) { return l1_loss(x, b); }, a}},
      {"smooth_l1_loss", {[=](X x) { return smooth_l1_loss(x, b, Reduction::mean, 0.5); }, a}},
      {"huber_loss", {[=](X x) { return huber_loss(x, b, Reduction::sum, 0.7); }, a}},
      {"bce", {[=](X x) { return binary_cross_entropy(x, unit, b); }, unit}},
      {"bce_logits", {[=](X x) { return binary_cross_entropy_with_logits(x, unit, b, weight4); }, a}},
      {"kl_div", {[=](X x) { return kl_div(x, unit, Reduction::sum); }, a}},
      {"kl_div_log", {[=](X x) { return kl_div(x, b, Reduction::none, true); }, a}},
      {"mse_none", {[=](X x) { return mse_loss(x, b, Reduction::none); }, a}},
      {"lstm", {[=](X x) { return lstm->forward(x); }, cube}},
      {"lstm_cell", {[=](X x) { return lstm->run(x).cell; }, cube}},
      {"gru", {[=](X x) { return gru->forward(x); }, cube}},
      {"attention_mask",
       {[=](X x) { return scaled_dot_product_attention(x, cube, cube, attention(tril(ones({3, 3}), 1) > 0, 0.3)); },
        cube}},
      {"attention_bias",
       {[=](X x) { return scaled_dot_product_attention(x, cube, cube, attention(a.narrow(1, 0, 3), {})); }, cube}},
      {"attention_gqa",
       {[=](X x) {
          return scaled_dot_product_attention(x.unsqueeze(0), cube.narrow(0, 0, 1).unsqueeze(0),
                                              cube.narrow(0, 1, 1).unsqueeze(0), attention({}, {}, true))
              .squeeze(0);
        },
        cube}},
  };
}

struct Recorded {
  Values values, gradient;
  bool has_gradient = false;
};

std::map<std::string, Recorded> recorded() {
  std::ifstream file(PYTORCH_VALUES_FILE);
  std::map<std::string, Recorded> all;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name;
    words >> name;
    Recorded& now = all[name];
    for (std::string word; words >> word;) {
      if (word == "|") {
        now.has_gradient = true;
      } else {
        (now.has_gradient ? now.gradient : now.values).push_back(std::stof(word));
      }
    }
  }
  return all;
}

void expect_near(const Tensor& x, const Values& expected, const std::string& what) {
  const Values found = values(x);
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 2e-5f * std::max(1.0f, std::abs(expected[i]))) << what << " at " << i;
}

TEST(PyTorchValues, AgreeForwardAndBackward) {
  const std::map<std::string, Recorded> all = recorded();
  const std::map<std::string, Case> own = cases(Inputs());
  ASSERT_GT(all.size(), 100u);
  ASSERT_EQ(all.size(), own.size());
  for (const auto& [name, expected] : all) {
    ASSERT_EQ(own.count(name), 1u) << name;
    const Case& now = own.at(name);
    Tensor x = now.given.clone().requires_grad_();
    Tensor y;
    const std::string error = error_of([&] { y = now.function(x); });
    ASSERT_EQ(error, "no error") << name;
    expect_near(y, expected.values, name);
    EXPECT_EQ(y.requires_grad(), expected.has_gradient) << name;
    if (!expected.has_gradient || !y.requires_grad()) continue;
    EXPECT_EQ(error_of([&] { y.backward(wave(y.sizes(), 0.43)); }), "no error") << name;
    expect_near(x.grad(), expected.gradient, "the gradient of " + name);
  }
}

TEST(PyTorchValues, AgreeInDoublePrecision) {
  const std::map<std::string, Recorded> all = recorded();
  const Inputs in;
  const Tensor x = in.a.to(DType::f64).requires_grad_();
  const Tensor y = log_softmax(tanh(matmul(x, in.b.to(DType::f64).t())), 1);
  EXPECT_EQ(y.dtype(), DType::f64);
  sum(y * y).backward();
  const Tensor single = in.a.clone().requires_grad_();
  sum(log_softmax(tanh(matmul(single, in.b.t())), 1).pow(2)).backward();
  EXPECT_EQ(x.grad().dtype(), DType::f64);
  expect_near(x.grad(), values(single.grad()), "gradient");
}

TEST(PyTorchValues, TypesPromoteAndWrapAsInPyTorch) {
  EXPECT_EQ(add(ones({2}, DType::i8), ones({2}, DType::u8)).dtype(), DType::i16);
  EXPECT_EQ(add(ones({2}, DType::i32), ones({2}, DType::i64)).dtype(), DType::i64);
  EXPECT_EQ(add(ones({2}, DType::i32), 1).dtype(), DType::i32);
  EXPECT_EQ(add(ones({2}, DType::i32), 0.5).dtype(), DType::f32);
  EXPECT_EQ(add(ones({2}, DType::f64), ones({2})).dtype(), DType::f64);
  EXPECT_EQ(add(ones({2}), ones({}, DType::f64)).dtype(), DType::f32);
  EXPECT_EQ(sum(ones({300}, DType::u8)).dtype(), DType::i64);
  EXPECT_EQ(sum(ones({300}, DType::u8)).item<int>(), 300);
  const Tensor bytes = from_vector(std::vector<std::uint8_t>{200, 100});
  EXPECT_EQ(add(bytes, 100).to_vector<int>(), (std::vector<int>{44, 200}));
  EXPECT_EQ(floor_divide(from_vector(std::vector<int>{-7, 7}), 2).to_vector<int>(), (std::vector<int>{-4, 3}));
  EXPECT_EQ(full({1}, 1e-300, DType::f64).item<double>(), 1e-300);
  EXPECT_EQ((arange(3, DType::f64) * 1e-10).to_vector<double>()[2], 2e-10);
}

TEST(PyTorchValues, MethodsAndOperators) {
  Tensor x = arange(6, DType::f32).view(2, -1);
  EXPECT_EQ(x.pow(2).sum().item<float>(), 55);
  EXPECT_EQ(values(x[1]), Values({3, 4, 5}));
  x += 1;
  x *= ones({3}) * 2;
  EXPECT_EQ(values(x.view(-1)), Values({2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(values(linspace(0, 1, 5)), Values({0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(values(eye(2)), Values({1, 0, 0, 1}));
  EXPECT_EQ(values(sum(randperm(100)))[0], 4950);
  EXPECT_TRUE(says(error_of([] { values(gather(ones({2, 2}), 1, whole({5, 0}, {1, 2}))); }),
                   "gather: index 5 is out of range: there are 2"));
}

TEST(PyTorchValues, BatchNormMovesItsStatistics) {
  nn::BatchNorm2d layer(2);
  layer(from_vector(Values{1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 1, 2}));
  const Values means = values(layer.running_mean), variances = values(layer.running_var);
  EXPECT_NEAR(means[0], 0.34999999, 1e-6);
  EXPECT_NEAR(variances[1], 1.4666666, 1e-5);
  EXPECT_EQ(layer.num_batches_tracked.item<int>(), 1);
  layer.eval();
  EXPECT_NEAR(values(layer(zeros({1, 2, 1, 1})))[0], -0.28900203, 1e-5);
}

TEST(PyTorchValues, RMSpropAndSchedules) {
  Tensor x = tensor({1, -2}).requires_grad_();
  optim::RMSpropOptions options;
  options.momentum = 0.9;
  options.weight_decay = 0.1;
  options.centered = true;
  optim::RMSprop optimizer({x}, 0.1, options);
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    sum(x * x * x).backward();
    optimizer.step();
  }
  EXPECT_NEAR(values(x)[0], -2.3439217, 1e-4);
  EXPECT_NEAR(values(x)[1], -7.4112668, 1e-4);
  optim::SGD sgd({x}, 0.5);
  auto rates = [&](auto& schedule, int count) {
    Values all;
    for (int i = 0; i < count; ++i) {
      all.push_back(sgd.learning_rate().item<float>());
      schedule.step();
    }
    return all;
  };
  auto near = [](const Values& found, const Values& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6f) << i;
  };
  optim::MultiStepLR steps(sgd, {2, 3}, 0.5);
  near(rates(steps, 5), {0.5f, 0.5f, 0.25f, 0.125f, 0.125f});
  optim::LinearLR line(sgd, 0.5, 1, 4);
  near(rates(line, 6), {0.25f, 0.3125f, 0.375f, 0.4375f, 0.5f, 0.5f});
  optim::OneCycleLR cycle(sgd, 1.0, 10);
  near(rates(cycle, 10), {0.04f, 0.52f, 1.0f, 0.950484632f, 0.811745654f, 0.611262022f, 0.388741978f, 0.188258346f,
                          0.049519368f, 4e-06f});
}

TEST(PyTorchValues, AutocastComputesProductsInSixteenBits) {
  nn::Linear layer(4, 3);
  const Tensor x = randn({2, 4});
  const Tensor exact = layer(x);
  Tensor y, convolved;
  {
    Autocast sixteen(DType::bf16);
    y = layer(x);
    convolved = conv2d(randn({1, 2, 5, 5}), randn({3, 2, 3, 3}));
    EXPECT_EQ(matmul(x, x.t()).dtype(), DType::bf16);
    EXPECT_EQ((x + x).dtype(), DType::f32);
    {
      Autocast off(DType::bf16, false);
      EXPECT_EQ(layer(x).dtype(), DType::f32);
    }
    EXPECT_EQ(layer(x).dtype(), DType::bf16);
  }
  EXPECT_EQ(y.dtype(), DType::bf16);
  EXPECT_EQ(convolved.dtype(), DType::bf16);
  EXPECT_NE(values(y), values(exact));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(values(y)[i], values(exact)[i], 0.03);
  sum(y.to(DType::f32)).backward();
  EXPECT_EQ(layer.weight.grad().dtype(), DType::f32);
  EXPECT_EQ(layer(x).dtype(), DType::f32);
  EXPECT_TRUE(says(error_of([] { Autocast wrong(DType::f32); }), "Autocast to f32"));
}

TEST(PyTorchValues, DrawsFollowTheWeights) {
  manual_seed(5);
  const Tensor weights = tensor({0, 1, 3});
  const Values drawn = values(multinomial(weights, 4000, true).to(DType::f32));
  double threes = 0;
  for (float value : drawn) {
    EXPECT_NE(value, 0);
    threes += value == 2;
  }
  EXPECT_NEAR(threes / 4000, 0.75, 0.03);
  EXPECT_EQ(values(multinomial(weights, 2).sort().values.to(DType::f32)), Values({1, 2}));
}

}  // namespace
