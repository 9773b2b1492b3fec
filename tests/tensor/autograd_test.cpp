// Recording and the backward pass; gradients_test.cpp checks the formulas.
#include <reprise/autograd.h>
#include <reprise/checkpoint.h>
#include <reprise/cuda_graph.h>
#include <reprise/ops.h>
#include <reprise/random.h>

#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;

namespace {

using Tensors = std::vector<Tensor>;

Tensor leaf(const std::vector<float>& values) { return kernels::from_vector(values).requires_grad_(); }
std::vector<float> values(const Tensor& x) { return x.to_vector<float>(); }
using Floats = std::vector<float>;

TEST(Autograd, ResultsOfALeafRequireGradients) {
  const Tensor x = leaf({1, 2}), constant = kernels::ones({2});
  EXPECT_TRUE(x.requires_grad());
  EXPECT_TRUE(x.is_leaf());
  EXPECT_TRUE((x + constant).requires_grad());
  EXPECT_FALSE((x + constant).is_leaf());
  EXPECT_FALSE((constant + constant).requires_grad());
  EXPECT_FALSE(x.detach().requires_grad());
  EXPECT_FALSE((x > 1).requires_grad());
  EXPECT_FALSE(no_grad([&] { return x * 2; }).requires_grad());
  EXPECT_TRUE(is_grad_enabled());
}

TEST(Autograd, GradientsOfALeafAddUpOverUsesAndCalls) {
  const Tensor x = leaf({1, 2, 3});
  sum(x * x + x).backward();
  EXPECT_EQ(values(x.grad()), (Floats{3, 5, 7}));
  const void* place = x.grad().data();
  sum(x * 2).backward();
  EXPECT_EQ(values(x.grad()), (Floats{5, 7, 9}));
  EXPECT_EQ(x.grad().data(), place) << "captured graphs need the grad where it is";
}

TEST(Autograd, ADiamondRunsEachOperationOnce) {
  const Tensor x = leaf({2});
  const Tensor y = x * x;
  int seen = 0;
  y.register_hook([&](const Tensor& gradient) {
    ++seen;
    EXPECT_EQ(values(gradient), Floats{8});  // 3 + 5
    return Tensor();
  });
  sum(y * 3 + y * 5).backward();
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(values(x.grad()), Floats{32});
}

TEST(Autograd, HooksSeeAndReplaceGradients) {
  const Tensor x = leaf({1, 1});
  const Tensor y = x * 2;
  y.register_hook([](const Tensor& gradient) { return gradient * 10; });
  x.register_hook([](const Tensor& gradient) { return gradient + 1; });
  Floats after;
  x.register_post_accumulate_grad_hook([&](const Tensor& parameter) { after = values(parameter.grad()); });
  sum(y).backward();
  EXPECT_EQ(values(x.grad()), (Floats{21, 21}));
  EXPECT_EQ(after, (Floats{21, 21}));
}

TEST(Autograd, RetainGradKeepsTheGradOfOtherTensors) {
  const Tensor x = leaf({3});
  const Tensor y = x * x, z = y * 2;
  y.retain_grad();
  sum(z).backward();
  EXPECT_EQ(values(y.grad()), Floats{2});
  EXPECT_FALSE(z.grad().defined());
}

TEST(Autograd, GradReturnsGradientsWithoutAccumulating) {
  const Tensor x = leaf({1, 2}), y = leaf({3, 4}), unused = leaf({5});
  const Tensor middle = x * y;
  const Tensors gradients = grad({sum(middle * middle)}, {x, middle});
  EXPECT_EQ(values(gradients[0]), (Floats{2 * 3 * 3, 2 * 8 * 4}));
  EXPECT_EQ(values(gradients[1]), (Floats{6, 16}));
  EXPECT_FALSE(x.grad().defined());
  EXPECT_FALSE(y.grad().defined());
  EXPECT_NE(error_of([&] { grad({sum(x)}, {unused}); }).find("do not depend on input number 0 of shape [1]"),
            std::string::npos);
  EXPECT_FALSE(grad({sum(x)}, {unused}, {}, {}, true)[0].defined());
}

TEST(Autograd, GradRunsOnlyNodesThatLeadToTheInputs) {
  const Tensor x = leaf({1}), y = leaf({1});
  const Tensor other = y * 2;
  other.register_hook([](const Tensor&) -> Tensor {
    ADD_FAILURE() << "a part that leads to no input was run";
    return {};
  });
  grad({sum(x * 3 + other)}, {x});
}

TEST(Autograd, SecondDerivatives) {
  const Tensor x = leaf({2, 3});
  BackwardOptions create;
  create.create_graph = true;
  const Tensor first = grad({sum(pow(x, 3))}, {x}, {}, create)[0];
  EXPECT_EQ(values(first), (Floats{12, 27}));
  EXPECT_EQ(values(grad({sum(first)}, {x})[0]), (Floats{12, 18}));

  // Operations that save their result: exp, tanh, division.
  const Tensor y = exp(x) + tanh(x) + 1.0 / x;
  const Tensor slope = grad({sum(y)}, {x}, {}, create)[0];
  const Tensor curve = grad({sum(slope)}, {x})[0];
  std::vector<double> expected;
  for (double v : {2.0, 3.0}) {
    const double t = std::tanh(v);
    expected.push_back(std::exp(v) - 2 * t * (1 - t * t) + 2 / (v * v * v));
  }
  expect_near(curve, expected, 1e-5, "second derivative");

  const Tensor image = kernels::ones({1, 1, 2, 2}).requires_grad_();
  const Tensor chosen = grad({sum(max_pool2d(image, 2))}, {image}, {}, create)[0];
  EXPECT_NE(error_of([&] { sum(chosen).backward(); }).find("backward of max_pool2d cannot be differentiated again"),
            std::string::npos);
}

TEST(Autograd, ASecondBackwardNeedsRetainGraph) {
  const Tensor x = leaf({1, 2});
  const Tensor y = sum(x * x);
  BackwardOptions retain;
  retain.retain_graph = true;
  backward({y}, {}, retain);
  backward({y});
  EXPECT_EQ(values(x.grad()), (Floats{4, 8}));
  EXPECT_NE(error_of([&] { backward({y}); }).find("backward through mul a second time"), std::string::npos);
}

TEST(Autograd, ErrorsNameTheMistake) {
  const Tensor x = leaf({1, 2});
  EXPECT_NE(error_of([&] { (x * 2).backward(); }).find("backward from a tensor of shape [2] needs a gradient"),
            std::string::npos);
  EXPECT_NE(error_of([&] { sum(x.detach()).backward(); }).find("does not require gradients"), std::string::npos);
  EXPECT_NE(error_of([&] { (x * 2).backward(kernels::ones({3})); }).find("gave a gradient of shape [3]"),
            std::string::npos);
  EXPECT_NE(error_of([&] { (x * 2).requires_grad_(); }).find("only leaves"), std::string::npos);
  EXPECT_NE(error_of([&] { kernels::zeros({2}, DType::i64).requires_grad_(); }).find("one of i64 cannot require"),
            std::string::npos);
  const Tensor hooked = leaf({1, 2}), product = hooked * 2;
  hooked.register_hook([](const Tensor&) { return kernels::ones({3}); });
  EXPECT_NE(error_of([&] {
              sum(hooked * 3).backward();
            }).find("a hook gave a gradient of shape [3] and type f32 in place of one of shape [2]"),
            std::string::npos);
  product.register_hook([](const Tensor& gradient) { return gradient.to(DType::f16); });
  EXPECT_NE(error_of([&] { sum(product).backward(); }).find("a hook gave a gradient of shape [2] and type f16"),
            std::string::npos);
  Tensor y = x;
  EXPECT_NE(error_of([&] { y.zero_(); }).find("zero_ into a tensor of shape [2] that requires gradients"),
            std::string::npos);
  no_grad([&] { y.zero_(); });
  EXPECT_EQ(values(x), (Floats{0, 0}));
}

TEST(Autograd, ChangingASavedTensorInPlaceIsAnError) {
  const Tensor x = leaf({1, 2});
  Tensor data = kernels::from_vector(Floats{3, 4});
  const Tensor product = sum(x * data), shifted = sum(x + data), power = sum(exp(x));
  const Tensor part = data.narrow(0, 1, 1);
  Tensor view = part;
  view.fill_(9);
  EXPECT_NE(error_of([&] { product.backward(); }).find("backward of mul needs a tensor of shape [2] as it was"),
            std::string::npos);
  shifted.backward();
  EXPECT_EQ(values(x.grad()), (Floats{1, 1})) << "a sum needs no values";
  Tensor parameter = x;
  no_grad([&] { parameter.fill_(7); });
  power.backward();  // saved its result, not its argument
  expect_near(x.grad(), {1 + std::exp(1.0), 1 + std::exp(2.0)}, 1e-6, "kept result");
  EXPECT_NE(error_of([&] {
              const Tensor y = exp(x);
              y.detach().zero_();
              sum(y).backward();
            }).find("backward of exp needs a tensor"),
            std::string::npos);
}

TEST(Autograd, OnlyNeededTensorsAreSaved) {
  const Tensor x = leaf({1, 2});
  std::weak_ptr<Memory> memory;
  Tensor y;
  {
    const Tensor intermediate = x * 2;
    memory = intermediate.body().memory;
    y = intermediate * kernels::ones({2});  // its gradient needs the ones alone
  }
  EXPECT_TRUE(memory.expired());
  sum(y).backward();
  EXPECT_EQ(values(x.grad()), (Floats{2, 2}));
}

TEST(Autograd, BackwardFreesMemoryAsItProceeds) {
  const Tensor x = leaf(Floats(1000, 1.f));
  std::weak_ptr<Memory> first, second;
  Tensor loss;
  {
    Tensor a = exp(x);
    Tensor b = exp(a);
    first = a.body().memory;
    second = b.body().memory;
    loss = sum(b);
    // When the gradient of a arrives, exp(a) has run and its result is freed, while a itself is still needed.
    a.register_hook([&](const Tensor&) {
      EXPECT_TRUE(second.expired());
      EXPECT_FALSE(first.expired());
      return Tensor();
    });
  }
  EXPECT_FALSE(second.expired());
  loss.backward();
  EXPECT_TRUE(first.expired());
}

TEST(Autograd, NothingIsSavedWithoutRecording) {
  std::weak_ptr<Memory> memory;
  {
    NoGradGuard guard;
    const Tensor x = leaf({1, 2});
    const Tensor y = exp(x);
    memory = y.body().memory;
  }
  EXPECT_TRUE(memory.expired());
}

TEST(Autograd, AResultSavedByItsOwnNodeDoesNotLeak) {
  const Tensor x = leaf({1, 2});
  std::weak_ptr<Memory> memory;
  {
    const Tensor y = exp(x);
    memory = y.body().memory;
  }
  EXPECT_TRUE(memory.expired());
}

TEST(Autograd, LongChainsAreVisitedAndFreedWithoutRecursion) {
  const Tensor x = leaf({0});
  {
    Tensor y = x;
    for (int i = 0; i < 50000; ++i) y = y + 0.5;
    y.backward();
  }
  EXPECT_EQ(values(x.grad()), Floats{1});
  Tensor y = x;
  for (int i = 0; i < 50000; ++i) y = y + 0.5;
}

// Three stages with dropout, a parameter used by all, and an argument; `wrap` runs a stage.
template <class Wrap>
Tensor staged(const Tensor& x, const Tensor& weight, Wrap wrap) {
  Tensor y = x;
  for (int stage = 0; stage < 3; ++stage) {
    y = wrap([weight, stage](const Tensor& in) { return dropout(tanh(matmul(in, weight)), 0.3) * (stage + 1) + in; },
             y);
  }
  return sum(y * y);
}

TEST(Autograd, ACheckpointGivesTheSameGradientsAndTheSameRandomNumbers) {
  Random random(1);
  Tensor x = dense_random({5, 4}, DType::f32, random, -1, 1).requires_grad_(),
         weight = dense_random({4, 4}, DType::f32, random, -1, 1).requires_grad_();
  auto plainly = [](auto function, const Tensor& in) { return function(in); };
  auto with_checkpoint = [](auto function, const Tensor& in) {
    return checkpoint(std::function<Tensor(const Tensor&)>(function), in);
  };
  struct Outcome {
    Floats loss, x, weight, after;
    bool operator==(const Outcome& other) const {
      return loss == other.loss && x == other.x && weight == other.weight && after == other.after;
    }
  };
  auto outcome_of = [&](auto run) {
    manual_seed(9);
    Tensor loss, after;
    run([&](auto wrap) {
      x.set_grad({});
      weight.set_grad({});
      loss = staged(x, weight, wrap);
      loss.backward();
      after = dropout(kernels::ones({8}));
    });
    return Outcome{values(loss), values(x.grad()), values(weight.grad()), values(after)};
  };
  const Outcome expected = outcome_of([&](auto step) { step(plainly); });
  EXPECT_TRUE(expected == outcome_of([&](auto step) { step(with_checkpoint); })) << "eager";
  EXPECT_TRUE(expected == outcome_of([&](auto step) {
                CUDAGraph graph;
                graph.capture([&] { step(with_checkpoint); });
                graph.replay();
              }))
      << "captured";
}

TEST(Autograd, ACheckpointSavesOnlyItsArguments) {
  const std::size_t one = sizeof(float) << 16;
  auto peak_of = [&](bool checkpointed) {
    Tensor x = kernels::ones({1 << 16}).requires_grad_();
    CUDAGraph graph;
    graph.capture([&] {
      x.set_grad({});
      Tensor y = x;
      for (int stage = 0; stage < 5; ++stage) {
        auto chain = [](const Tensor& in) {
          Tensor y = in;
          for (int i = 0; i < 10; ++i) y = tanh(y);
          return y;
        };
        y = checkpointed ? checkpoint(std::function<Tensor(const Tensor&)>(chain), y) : chain(y);
      }
      sum(y).backward();
    });
    return graph.statistics().peak_live / one;
  };
  EXPECT_GE(peak_of(false), 50u);
  EXPECT_LE(peak_of(true), 22u) << "an argument of each stage, and one stage at a time";
}

TEST(Autograd, ErrorsOfACheckpointNameTheReason) {
  Tensor x = leaf({1, 2});
  int calls = 0;
  std::function<Tensor(const Tensor&)> fickle = [&](const Tensor& in) { return calls++ == 0 ? in * 2 : dropout(in); };
  const Tensor y = checkpoint(fickle, x);
  EXPECT_NE(error_of([&] { sum(y).backward(); }).find("it must do the same both times"), std::string::npos);
  std::function<Tensor(const Tensor&)> square = [](const Tensor& in) { return in * in; };
  const Tensor z = sum(checkpoint(square, x));
  z.backward();
  EXPECT_NE(error_of([&] { z.backward(); }).find("a second time"), std::string::npos);
  BackwardOptions twice;
  twice.create_graph = true;
  const Tensor gradient = grad({sum(checkpoint(square, x))}, {x}, {}, twice)[0];
  EXPECT_NE(error_of([&] { sum(gradient).backward(); }).find("backward of checkpoint cannot be differentiated again"),
            std::string::npos);
  EXPECT_FALSE(no_grad([&] { return checkpoint(square, x); }).requires_grad());
}

TEST(Autograd, CustomFunctionsHaveSeveralResults) {
  const Tensor a = leaf({1, 2}), b = leaf({3, 4});
  auto both = [&] {
    NoGradGuard guard;
    return Tensors{a + b, a * b};
  };
  // One result is not used: its gradient arrives as zeros.
  const Tensors results = autograd::custom_function("sum_and_product", {a, b}, both(), [&](const Tensors& gradients) {
    EXPECT_FALSE(is_grad_enabled());
    EXPECT_EQ(values(gradients[0]), (Floats{0, 0}));
    return Tensors{gradients[0] + gradients[1] * b.detach(), Tensor()};
  });
  sum(results[1]).backward();
  EXPECT_EQ(values(a.grad()), (Floats{3, 4}));
  EXPECT_FALSE(b.grad().defined());
}

}  // namespace
