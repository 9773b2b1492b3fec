#include <reprise/optim/schedule.h>

#include <cmath>

#include "kernels/optim/training_control.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"
#include "optim/not_capturing.h"

namespace reprise::optim {

using Kind = ScheduleStage::Kind;

Schedule& Schedule::add(ScheduleStage stage) {
  check(stage.steps > 0, "a stage of a schedule over ", stage.steps, " steps");
  check(stages_.size() < ScheduleStage::max_stages, "a schedule of more than ", int{ScheduleStage::max_stages},
        " stages");
  stages_.push_back(std::move(stage));
  return *this;
}

Schedule& Schedule::decay_every(std::int64_t size, double gamma) { return add({Kind::decay, size, 0, gamma, {}}); }

Schedule& Schedule::cosine(std::int64_t steps, double minimum, std::int64_t delay) {
  return add({Kind::cosine, steps, delay, minimum, {}});
}

Schedule& Schedule::warmup(std::int64_t steps, double start) { return add({Kind::warmup, steps, 0, start, {}}); }

Schedule& Schedule::factors(const std::function<double(std::int64_t)>& factor, std::int64_t steps) {
  std::vector<float> table;
  for (std::int64_t t = 0; t < steps; ++t) table.push_back(static_cast<float>(factor(t)));
  return add({Kind::table, steps, 0, 0, kernels::from_vector(table)});
}

LRScheduler::LRScheduler(Optimizer& optimizer, Schedule schedule)
    : optimizer_(optimizer), schedule_(std::move(schedule)) {
  check_not_capturing("a learning-rate schedule");
  steps_ = kernels::zeros({1}, DType::i64);
  apply(false);
}

void LRScheduler::step() { apply(true); }

void LRScheduler::load_state_dict(const std::map<std::string, Tensor>& state) {
  check(state.count("steps"), "a learning-rate schedule: the given state has no \"steps\"");
  kernels::copy_(steps_, state.at("steps"));
  apply(false);
}

void LRScheduler::apply(bool advance) {
  for (std::size_t i = 0; i < optimizer_.groups(); ++i) {
    kernels::schedule_rate(schedule_.stages(), steps_, optimizer_.learning_rate(i), optimizer_.initial_learning_rate(i),
                           advance && i == 0);
  }
}

MultiStepLR::MultiStepLR(Optimizer& optimizer, const std::vector<std::int64_t>& milestones, double gamma)
    : LRScheduler(optimizer, Schedule().factors(
                                 [&](std::int64_t t) {
                                   double factor = 1;
                                   for (std::int64_t milestone : milestones) factor *= t >= milestone ? gamma : 1;
                                   return factor;
                                 },
                                 milestones.empty() ? 1 : milestones.back() + 1)) {}

LinearLR::LinearLR(Optimizer& optimizer, double start_factor, double end_factor, std::int64_t total_iters)
    : LRScheduler(optimizer, Schedule().factors(
                                 [=](std::int64_t t) {
                                   return start_factor + (end_factor - start_factor) * static_cast<double>(t) /
                                                             static_cast<double>(total_iters);
                                 },
                                 total_iters + 1)) {}

namespace {

double one_cycle_rate(double t, double max_lr, double total, const OneCycleOptions& options) {
  const double first = max_lr / options.div_factor, last = first / options.final_div_factor;
  const double up = options.pct_start * total - 1, down = total - 1;
  auto between = [](double from, double to, double part) {
    return to + (from - to) / 2 * (1 + std::cos(3.14159265358979323846 * part));
  };
  return t <= up ? between(first, max_lr, t / up) : between(max_lr, last, (t - up) / (down - up));
}

}  // namespace

OneCycleLR::OneCycleLR(Optimizer& optimizer, double max_lr, std::int64_t total_steps, OneCycleOptions options)
    : LRScheduler(optimizer, Schedule().factors(
                                 [&, initial = optimizer.initial_learning_rate()](std::int64_t t) {
                                   check(initial > 0, "OneCycleLR of an optimiser with a learning rate of ", initial);
                                   return one_cycle_rate(static_cast<double>(t), max_lr,
                                                         static_cast<double>(total_steps), options) /
                                          initial;
                                 },
                                 total_steps)) {}

}  // namespace reprise::optim
