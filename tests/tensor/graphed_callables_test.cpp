// Graphed callables against the same functions ungraphed.
#include <reprise/autograd.h>
#include <reprise/control_flow.h>
#include <reprise/factories.h>
#include <reprise/graphed_callables.h>
#include <reprise/nn.h>
#include <reprise/optim.h>

#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;

namespace {

using Tensors = std::vector<Tensor>;
using Floats = std::vector<float>;

std::shared_ptr<nn::Module> network(std::int64_t in, std::int64_t out) {
  return std::make_shared<nn::Sequential>(nn::Linear(in, 16), nn::ReLU(), nn::Dropout(0.3), nn::Linear(16, out));
}

// Ten steps through two networks with an eager function between them; the losses, then all parameters.
std::vector<Floats> train(nn::Module& first, nn::Module& second) {
  Tensors parameters = first.parameters();
  for (const Tensor& parameter : second.parameters()) parameters.push_back(parameter);
  optim::SGD optimizer(parameters, 0.1, {0.9});
  Random random(4);
  std::vector<Floats> outcome;
  for (int i = 0; i < 10; ++i) {
    const Tensor x = dense_random({5, 8}, DType::f32, random, -1, 1),
                 y = dense_random({5, 3}, DType::f32, random, -1, 1);
    optimizer.zero_grad();
    const Tensor loss = mse_loss(second(tanh(first(x))), y);
    loss.backward();
    optimizer.step();
    outcome.push_back(loss.to_vector<float>());
  }
  for (const Tensor& parameter : parameters) outcome.push_back(parameter.to_vector<float>());
  return outcome;
}

TEST(GraphedCallables, TrainingIsBitwiseEqualToUngraphed) {
  manual_seed(9);
  auto first = network(8, 6), second = network(6, 3);
  manual_seed(10);
  const std::vector<Floats> expected = train(*first, *second);

  manual_seed(9);
  first = network(8, 6), second = network(6, 3);
  const auto graphed = make_graphed_modules({first, second}, {rand({5, 8}), rand({5, 6}).requires_grad_()});
  manual_seed(10);
  EXPECT_EQ(train(*graphed[0], *graphed[1]), expected);
}

TEST(GraphedCallables, InTheOtherModeRunTheModuleEagerly) {
  auto module = network(4, 4);
  const auto graphed = make_graphed_module(module, rand({2, 4}));
  const Tensor x = rand({2, 4});
  graphed->eval();
  EXPECT_FALSE(module->is_training());
  EXPECT_EQ((*graphed)(x).to_vector<float>(), (*graphed)(x).to_vector<float>()) << "no dropout";
  EXPECT_EQ((*graphed)(rand({3, 4})).sizes(), (Sizes{3, 4})) << "of any shape";
  graphed->train();
  EXPECT_NE((*graphed)(x).to_vector<float>(), (*graphed)(x).to_vector<float>());
  EXPECT_NE(error_of([&] {
              (*graphed)(rand({3, 4}));
            }).find("was captured with f32 [2, 4] as argument 0 and given f32 [3, 4]"),
            std::string::npos);
}

TEST(GraphedCallables, HaveSeveralArgumentsAndResults) {
  Tensor scale = full({3}, 2).requires_grad_();
  const Callable callable{[&](const Tensors& in) { return Tensors{in[0] * scale, in[0] > 0, in[0] * in[1]}; }, {scale}};
  const TensorFunction graphed = make_graphed_callable(callable, {rand({3}).requires_grad_(), rand({3})});
  Tensor x = from_vector(Floats{1, -2, 3}).requires_grad_();
  const Tensor y = from_vector(Floats{4, 5, 6});
  const Tensors results = graphed({x, y});
  EXPECT_EQ(results[1].to_vector<bool>(), (std::vector<bool>{true, false, true}));
  EXPECT_FALSE(results[1].requires_grad());
  sum(results[0] * 10 + results[2]).backward();
  EXPECT_EQ(x.grad().to_vector<float>(), (Floats{24, 25, 26}));
  EXPECT_EQ(scale.grad().to_vector<float>(), (Floats{10, -20, 30}));
  // Only one result is used: the gradient of the other is zero.
  x.set_grad({});
  sum(graphed({x, y})[2]).backward();
  EXPECT_EQ(x.grad().to_vector<float>(), (Floats{4, 5, 6}));
}

TEST(GraphedCallables, WithoutGradientsAreOneGraph) {
  const TensorFunction graphed =
      make_graphed_callable({[](const Tensors& in) { return Tensors{exp(in[0])}; }, {}}, {rand({2})});
  const Tensor y = graphed({zeros({2})})[0];
  EXPECT_FALSE(y.requires_grad());
  EXPECT_EQ(y.to_vector<float>(), (Floats{1, 1}));
  EXPECT_NE(error_of([&] { graphed({rand({2}).requires_grad_()}); }).find("but its sample did not"), std::string::npos);
}

TEST(GraphedCallables, UndoTheEffectsOfWarmUp) {
  auto module = network(4, 4);
  const Floats before = module->parameters()[0].to_vector<float>();
  const std::uint64_t offset = default_generator().offset();
  const Tensor sample = rand({2, 4});
  const std::uint64_t after_sample = default_generator().offset();
  make_graphed_module(module, sample);
  EXPECT_EQ(module->parameters()[0].to_vector<float>(), before);
  EXPECT_FALSE(module->parameters()[0].grad().defined());
  EXPECT_NE(after_sample, offset);
  EXPECT_EQ(default_generator().offset(), after_sample);
}

TEST(GraphedCallables, UnusedInputsAreAnErrorOrAllowed) {
  const Callable callable{[](const Tensors& in) { return Tensors{in[0] * 2}; }, {}};
  const Tensors sample = {rand({2}).requires_grad_(), rand({2}).requires_grad_()};
  EXPECT_NE(error_of([&] { make_graphed_callable(callable, sample); }).find("do not depend on input number 1"),
            std::string::npos);
  GraphedCallablesOptions options;
  options.allow_unused_input = true;
  const TensorFunction graphed = make_graphed_callable(callable, sample, options);
  Tensor x = rand({2}).requires_grad_(), unused = rand({2}).requires_grad_();
  sum(graphed({x, unused})[0]).backward();
  EXPECT_EQ(x.grad().to_vector<float>(), (Floats{2, 2}));
  EXPECT_FALSE(unused.grad().defined());
}

TEST(GraphedCallables, ThrowInsteadOfGivingWrongGradients) {
  const Callable callable{[](const Tensors& in) { return Tensors{exp(in[0])}; }, {}};
  const TensorFunction graphed = make_graphed_callable(callable, {rand({2}).requires_grad_()});
  Tensor x = zeros({2}).requires_grad_(), other = ones({2}).requires_grad_();
  const Tensor first = sum(graphed({x})[0]);
  const Tensor second = sum(graphed({other})[0]);
  EXPECT_NE(error_of([&] { first.backward(); }).find("the last call has overwritten"), std::string::npos);
  second.backward();
  EXPECT_FALSE(x.grad().defined());
  expect_near(other.grad(), {std::exp(1.0), std::exp(1.0)}, 1e-6, "the last call's gradient");

  BackwardOptions create;
  create.create_graph = true;
  const Tensor slope = grad({sum(graphed({x})[0])}, {x}, {}, create)[0];
  EXPECT_NE(error_of([&] { sum(slope).backward(); }).find("graphed callable cannot be differentiated again"),
            std::string::npos);
}

TEST(GraphedCallables, MayHaveBranches) {
  Random random(5);
  Tensor weight = dense_random({4}, DType::f32, random, -1, 1).requires_grad_(),
         other = dense_random({4}, DType::f32, random, -1, 1).requires_grad_();
  auto function = [=](const Tensors& in) {
    return cond(
        sum(in[0]) > 0, [&] { return Tensors{tanh(in[0] * weight) * 2}; },
        [&] { return Tensors{in[0] * other + weight}; });
  };
  Callable callable{function, {weight, other}};
  GraphedCallablesOptions options;
  options.allow_unused_input = true;  // the branch that the warm-up does not take
  const TensorFunction graphed = make_graphed_callable(callable, {kernels::ones({4})}, options);
  for (double value : {1.0, -1.0, 2.0}) {
    const Tensor x = kernels::full({4}, value);
    auto gradients = [&](const TensorFunction& called) {
      return grad({sum(pow(called({x})[0], 2))}, {weight, other}, {}, {}, true);
    };
    const Tensors expected = gradients(function), found = gradients(graphed);
    for (int i : {0, 1}) {
      const std::vector<double> wanted = expected[i].defined() ? values_of(expected[i]) : std::vector<double>(4, 0);
      EXPECT_EQ(values_of(found[i]), wanted) << value << ' ' << i;
    }
  }
}

}  // namespace
