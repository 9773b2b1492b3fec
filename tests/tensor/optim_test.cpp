// Optimisers against plain loops in double precision, 100 steps each; schedules, clipping and scaling of gradients.
#include <reprise/autograd.h>
#include <reprise/ops.h>
#include <reprise/optim.h>

#include "kernels/elementwise/elementwise.h"
#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;
using namespace reprise::optim;

namespace {

using Tensors = std::vector<Tensor>;
using Values = std::vector<std::vector<double>>;

// More than fit in one launch, one of them of several blocks, one empty.
Tensors random_parameters(Random& random, int count = 70) {
  Tensors parameters;
  for (int i = 0; i < count; ++i) {
    const Sizes sizes = i == 3 ? Sizes{41, 67} : i == 5 ? Sizes{0} : random_sizes(random, 3, 5);
    parameters.push_back(dense_random(sizes, DType::f32, random, -1, 1).requires_grad_());
  }
  return parameters;
}

Values all_values(const Tensors& tensors) {
  Values values;
  for (const Tensor& tensor : tensors) values.push_back(values_of(tensor));
  return values;
}

// Gradients that depend on the parameters, so that errors grow.
void set_gradients(const Tensors& parameters, Random& random) {
  NoGradGuard guard;
  for (const Tensor& parameter : parameters) {
    parameter.set_grad(parameter + dense_random(parameter.sizes(), DType::f32, random, -1, 1));
  }
}

void expect_all_near(const Tensors& tensors, const Values& expected, double tolerance, const std::string& what) {
  for (std::size_t i = 0; i < tensors.size(); ++i)
    expect_near(tensors[i], expected[i], tolerance, text(what, ", tensor ", i));
}

// Runs 100 steps of the optimiser beside `reference(parameter, gradient, tensor, element, step)`, which returns the new
// value.
template <class Reference>
void compare_hundred_steps(const std::string& what, Optimizer& optimizer, Reference reference,
                           double tolerance = 2e-5) {
  Random random(11);
  Values expected = all_values(optimizer.parameters());
  for (int step = 1; step <= 100; ++step) {
    set_gradients(optimizer.parameters(), random);
    Values gradients;
    for (const Tensor& parameter : optimizer.parameters()) gradients.push_back(values_of(parameter.grad()));
    optimizer.step();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (std::size_t k = 0; k < expected[i].size(); ++k) {
        expected[i][k] = reference(expected[i][k], gradients[i][k], i, k, step);
      }
    }
  }
  expect_all_near(optimizer.parameters(), expected, tolerance, what);
}

Values zeros_like(const Values& values) {
  Values zeros;
  for (const auto& one : values) zeros.emplace_back(one.size(), 0.0);
  return zeros;
}

TEST(Optim, SgdEqualsAPlainLoop) {
  const SGDOptions plain{}, decay{0, 0, 0.1}, momentum{0.9, 0, 0.01}, dampened{0.9, 0.3}, nesterov{0.8, 0, 0.01, true},
      upwards{0.5, 0, 0.7, false, true};
  int number = 0;
  for (const SGDOptions& options : {plain, decay, momentum, dampened, nesterov, upwards}) {
    Random random(1);
    SGD optimizer(random_parameters(random), 0.01, options);
    Values buffer = zeros_like(all_values(optimizer.parameters()));
    compare_hundred_steps(text("SGD ", number++), optimizer,
                          [&](double p, double g, std::size_t i, std::size_t k, int step) {
                            if (options.maximize) g = -g;
                            g += options.weight_decay * p;
                            if (options.momentum != 0) {
                              double& m = buffer[i][k];
                              m = step == 1 ? g : options.momentum * m + (1 - options.dampening) * g;
                              g = options.nesterov ? g + options.momentum * m : m;
                            }
                            return p - 0.01 * g;
                          });
  }
}

template <class Method>
void compare_adam(const std::string& what, const AdamOptions& options, bool decoupled) {
  Random random(2);
  Method optimizer(random_parameters(random), 0.01, options);
  Values first = zeros_like(all_values(optimizer.parameters())), second = first;
  compare_hundred_steps(
      what, optimizer,
      [&](double p, double g, std::size_t i, std::size_t k, int step) {
        if (decoupled) p *= 1 - 0.01 * options.weight_decay.value_or(0);
        if (!decoupled) g += options.weight_decay.value_or(0) * p;
        double& m = first[i][k];
        double& v = second[i][k];
        m = options.beta1 * m + (1 - options.beta1) * g;
        v = options.beta2 * v + (1 - options.beta2) * g * g;
        const double m_hat = m / (1 - std::pow(options.beta1, step)), v_hat = v / (1 - std::pow(options.beta2, step));
        return p - 0.01 * m_hat / (std::sqrt(v_hat) + options.epsilon);
      },
      1e-4);
}

TEST(Optim, AdamEqualsAPlainLoop) {
  AdamOptions decay;
  decay.weight_decay = 0.1;
  compare_adam<Adam>("Adam", {}, false);
  compare_adam<Adam>("Adam with decay", decay, false);
  compare_adam<AdamW>("AdamW", decay, true);
}

TEST(Optim, ParametersInSixteenBitsAreSteppedInSinglePrecision) {
  Random random(3);
  for (DType dtype : {DType::f16, DType::bf16}) {
    Tensor x = dense_random({100}, dtype, random, 0.5, 1).requires_grad_();
    const std::vector<double> before = values_of(x);
    SGD optimizer({x}, 0.5);
    x.set_grad(dense_random({100}, dtype, random, -1, 1));
    const std::vector<double> gradient = values_of(x.grad());
    optimizer.step();
    std::vector<double> expected;
    for (int i = 0; i < 100; ++i) expected.push_back(before[i] - 0.5 * gradient[i]);
    expect_near(x, expected, tolerance(dtype), "SGD in sixteen bits");
  }
}

TEST(Optim, SmallStepsOfSixteenBitParametersAddUp) {
  for (DType dtype : {DType::f16, DType::bf16}) {
    Tensor parameter = kernels::ones({3}, dtype).requires_grad_(), single = kernels::ones({3}).requires_grad_();
    SGD optimizer({parameter, single}, 1e-4);
    for (int step = 0; step < 1000; ++step) {
      parameter.set_grad(kernels::ones({3}, dtype));
      single.set_grad(kernels::ones({3}));
      optimizer.step();
    }
    // One step is less than half the resolution of the parameter.
    EXPECT_NEAR(single.to_vector<float>()[0], 0.9, 1e-4);
    EXPECT_NEAR(values_of(parameter)[0], 0.9, dtype == DType::f16 ? 5e-4 : 4e-3) << dtype;
    // A value written elsewhere is used.
    {
      NoGradGuard guard;
      parameter.fill_(-2);
    }
    optimizer.step();
    EXPECT_EQ(values_of(parameter), std::vector<double>(3, -2)) << dtype;
    EXPECT_NEAR(values_of(optimizer.state_dict().at("master.0"))[0], -2.0001, 1e-6) << dtype;
  }
}

TEST(Optim, GroupsHaveRatesAndDecaysOfTheirOwn) {
  Tensor a = kernels::ones({3}).requires_grad_(), b = kernels::ones({3}).requires_grad_(),
         c = kernels::ones({3}).requires_grad_();
  AdamOptions options;
  options.weight_decay = 0.5;
  ParameterGroups groups(3);
  groups[0].parameters = {a};
  groups[1].parameters = {b};
  groups[1].learning_rate = 0.2;
  groups[2].parameters = {c};
  groups[2].weight_decay = 0;
  AdamW grouped(groups, 0.1, options);
  StepLR schedule(grouped, 1, 0.5);
  // Equal to separate optimisers.
  Tensors alone;
  std::vector<std::unique_ptr<AdamW>> each;
  std::vector<std::unique_ptr<StepLR>> schedules;
  for (int i = 0; i < 3; ++i) {
    alone.push_back(kernels::ones({3}).requires_grad_());
    AdamOptions own = options;
    if (i == 2) own.weight_decay = 0;
    each.push_back(std::make_unique<AdamW>(Tensors{alone.back()}, i == 1 ? 0.2 : 0.1, own));
    schedules.push_back(std::make_unique<StepLR>(*each.back(), 1, 0.5));
  }
  Random random(4);
  for (int step = 0; step < 5; ++step) {
    const Tensor gradient = dense_random({3}, DType::f32, random, -1, 1);
    for (const Tensor& parameter : {a, b, c, alone[0], alone[1], alone[2]}) parameter.set_grad(gradient);
    grouped.step();
    schedule.step();
    for (int i = 0; i < 3; ++i) {
      each[i]->step();
      schedules[i]->step();
    }
  }
  EXPECT_EQ(grouped.parameters().size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(values_of(grouped.parameters()[i]), values_of(alone[i])) << i;
    EXPECT_EQ(grouped.learning_rate(i).item<float>(), each[i]->learning_rate().item<float>()) << i;
  }
  grouped.set_learning_rate(0.75, 1);
  EXPECT_EQ(grouped.learning_rate(1).item<float>(), 0.75f);
  EXPECT_NE(grouped.learning_rate(0).item<float>(), 0.75f);
  // Another optimiser continues from the state.
  AdamW other(groups, 0.1, options);
  other.load_state_dict(grouped.state_dict());
  EXPECT_EQ(other.learning_rate(1).item<float>(), 0.75f);
  const Tensors weights{a, b}, biases{c};
  EXPECT_EQ(AdamW({{weights}, {biases, {}, 0.0}}, 1e-3).groups(), 2u);
  groups[1].parameters = {a};
  EXPECT_NE(error_of([&] { AdamW twice(groups, 0.1); }).find("is given twice"), std::string::npos);
}

TEST(Optim, AParameterWithoutGradStaysWithItsState) {
  Random random(4);
  Tensors parameters = random_parameters(random, 2);
  Adam optimizer(parameters, 0.1);
  const std::vector<double> before = values_of(parameters[1]);
  parameters[0].set_grad(kernels::ones(parameters[0].sizes()));
  optimizer.step();
  EXPECT_EQ(values_of(parameters[1]), before);
  optimizer.zero_grad();
  EXPECT_FALSE(parameters[0].grad().defined());
  parameters[0].set_grad(kernels::ones(parameters[0].sizes()));
  const void* place = parameters[0].grad().data();
  optimizer.zero_grad(false);
  EXPECT_EQ(parameters[0].grad().data(), place);
  for (double value : values_of(parameters[0].grad())) EXPECT_EQ(value, 0);
}

TEST(Optim, TheLearningRateIsReadWhenTheStepRuns) {
  Tensor x = kernels::zeros({3}).requires_grad_();
  SGD optimizer({x}, 1);
  x.set_grad(kernels::ones({3}));
  optimizer.step();
  optimizer.set_learning_rate(0.25);
  optimizer.step();
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{-1.25f, -1.25f, -1.25f}));
}

TEST(Optim, AnotherOptimizerContinuesFromTheState) {
  Random random(5);
  Tensors one = random_parameters(random, 3), two;
  Adam first(one, 0.01);
  for (int i = 0; i < 5; ++i) {
    set_gradients(one, random);
    first.step();
  }
  for (const Tensor& parameter : one) two.push_back(parameter.detach().clone().requires_grad_());
  Adam second(two, 0.5);
  second.load_state_dict(first.state_dict());
  set_gradients(one, random);
  for (std::size_t i = 0; i < one.size(); ++i) two[i].set_grad(one[i].grad());
  first.step();
  second.step();
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(values_of(one[i]), values_of(two[i]));
  EXPECT_NE(error_of([&] { second.load_state_dict({}); }).find("\"first.0\" is not in the given state"),
            std::string::npos);
}

TEST(Optim, SchedulesEqualTheirFormulas) {
  Tensor x = kernels::zeros({1}).requires_grad_();
  SGD optimizer({x}, 0.8);
  struct Case {
    const char* name;
    Schedule schedule;
    std::function<double(int)> rate;
  };
  const Case cases[] = {
      {"StepLR", Schedule().decay_every(7, 0.5), [](int t) { return 0.8 * std::pow(0.5, t / 7); }},
      {"ExponentialLR", Schedule().exponential(0.9), [](int t) { return 0.8 * std::pow(0.9, t); }},
      {"CosineAnnealingLR", Schedule().cosine(20, 0.1),
       [](int t) { return 0.1 + 0.7 * (1 + std::cos(M_PI * t / 20)) / 2; }},
      {"WarmupLR", Schedule().warmup(10, 0.2), [](int t) { return 0.8 * (0.2 + 0.8 * std::min(t, 10) / 10); }},
      {"LambdaLR", Schedule().factors([](std::int64_t t) { return 1.0 / static_cast<double>(t + 1); }, 25),
       [](int t) { return 0.8 / (std::min(t, 24) + 1); }},
      {"warm-up, then cosine", Schedule().warmup(5).cosine(20, 0, 5),
       [](int t) { return t < 5 ? 0.8 * t / 5 : 0.8 * (1 + std::cos(M_PI * (t - 5) / 20)) / 2; }},
  };
  for (const Case& one : cases) {
    LRScheduler scheduler(optimizer, one.schedule);
    for (int t = 0; t < 30; ++t) {
      EXPECT_NEAR(optimizer.learning_rate().item<float>(), one.rate(t), 1e-6) << one.name << " after " << t;
      scheduler.step();
    }
  }
}

TEST(Optim, GradientsAreClippedTogether) {
  Random random(6);
  Tensors parameters = random_parameters(random);
  set_gradients(parameters, random);
  Values gradients;
  double squares = 0;
  for (const Tensor& parameter : parameters) {
    gradients.push_back(values_of(parameter.grad()));
    for (double value : gradients.back()) squares += value * value;
  }
  const double norm = std::sqrt(squares);
  EXPECT_NEAR(clip_grad_norm_(parameters, 2 * norm).item<float>(), norm, 1e-4 * norm);
  auto expect_scaled = [&](double factor) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      std::vector<double> expected = gradients[i];
      for (double& value : expected) value *= factor;
      expect_near(parameters[i].grad(), expected, 1e-5, text("clipped by ", factor));
    }
  };
  expect_scaled(1);
  clip_grad_norm_(parameters, norm / 4);
  expect_scaled(0.25);
}

TEST(Optim, AScalerSkipsStepsThatOverflow) {
  Tensor x = kernels::ones({4}).requires_grad_();
  Adam optimizer({x}, 0.1);
  GradScalerOptions options;
  options.initial_scale = 8;
  options.growth_interval = 2;
  GradScaler scaler(options);
  auto iterate = [&](double slope) {
    optimizer.zero_grad();
    scaler.scale(sum(x * slope)).backward();
    scaler.step(optimizer);
    scaler.update();
    return scaler.current_scale().item<float>();
  };
  EXPECT_EQ(iterate(1), 8);
  expect_near(x.grad(), {1, 1, 1, 1}, 0, "unscaled");
  const std::vector<float> after_one = x.to_vector<float>();
  EXPECT_EQ(iterate(1e38), 4) << "8e38 is not finite in f32";
  EXPECT_EQ(x.to_vector<float>(), after_one);
  EXPECT_EQ(iterate(1), 4);
  EXPECT_EQ(iterate(1), 8) << "two good steps";

  // Skipped steps do not count: three were taken.
  Tensor y = kernels::ones({4}).requires_grad_();
  Adam control({y}, 0.1);
  for (int i = 0; i < 3; ++i) {
    y.set_grad(kernels::ones({4}));
    control.step();
  }
  expect_near(x, values_of(y), 1e-6, "with and without a scaler");
}

TEST(Optim, GradientsAreUnscaledOnce) {
  Tensor x = kernels::ones({2}).requires_grad_();
  SGD optimizer({x}, 1);
  GradScaler scaler;
  scaler.scale(sum(x * 3)).backward();
  scaler.unscale_(optimizer);
  expect_near(x.grad(), {3, 3}, 0, "unscaled");
  EXPECT_NE(error_of([&] { scaler.unscale_(optimizer); }).find("called twice"), std::string::npos);
  scaler.step(optimizer);
  scaler.update();
  expect_near(x, {-2, -2}, 0, "stepped");
}

TEST(Optim, ErrorsNameTheMistake) {
  EXPECT_NE(error_of([] { SGD(Tensors{}, 1); }).find("SGD of no parameters"), std::string::npos);
  Tensor x = kernels::zeros({2, 3}).requires_grad_();
  EXPECT_NE(error_of([&] { SGD({x * 2}, 1); }).find("a parameter of shape [2, 3] is not a dense leaf"),
            std::string::npos);
  EXPECT_NE(error_of([&] { SGD({x}, 1, {0, 0, 0, true}); }).find("Nesterov"), std::string::npos);
  EXPECT_NE(error_of([] { Schedule().cosine(0); }).find("over 0 steps"), std::string::npos);
}

}  // namespace
