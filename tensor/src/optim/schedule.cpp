#include <reprise/optim/schedule.h>

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

}  // namespace reprise::optim
