// Learning-rate schedules. The step count is in device memory and the device computes the rate, so step() can be
// captured with the training step, and each replay advances the schedule.
#pragma once

#include <reprise/optim/optimizer.h>
#include <reprise/optim/schedule_stage.h>

#include <functional>
#include <vector>

namespace reprise::optim {

// The rate after `t` steps as a chain of stages, each of which transforms the rate of the one before.
class Schedule {
 public:
  // Multiplies by gamma every `size` steps.
  Schedule& decay_every(std::int64_t size, double gamma = 0.1);
  // Multiplies by gamma every step.
  Schedule& exponential(double gamma) { return decay_every(1, gamma); }
  // Cosine annealing from the rate to `minimum` over `steps` steps, starting after `delay` steps. As in PyTorch it does
  // not stop there: the rate rises again over the next `steps` steps.
  Schedule& cosine(std::int64_t steps, double minimum = 0, std::int64_t delay = 0);
  // Linear increase from `start` times the rate to the rate over `steps` steps.
  Schedule& warmup(std::int64_t steps, double start = 0);
  // Multiplies by factor(t) for t < `steps`, then by the last factor. The factors are computed now and stored in device
  // memory, so that replays can follow a host function.
  Schedule& factors(const std::function<double(std::int64_t)>& factor, std::int64_t steps);

  const std::vector<ScheduleStage>& stages() const { return stages_; }

 private:
  Schedule& add(ScheduleStage stage);
  std::vector<ScheduleStage> stages_;
};

// Applies a schedule to an optimiser, which must outlive it. The constructor sets the rate of step 0.
class LRScheduler {
 public:
  LRScheduler(Optimizer& optimizer, Schedule schedule);
  void step();
  // The number of steps taken, one i64.
  const Tensor& steps() const { return steps_; }
  std::map<std::string, Tensor> state_dict() const { return {{"steps", steps_}}; }
  // Copies the step count, so that captured steps continue from it, and sets the rate.
  void load_state_dict(const std::map<std::string, Tensor>& state);

 private:
  void apply(bool advance);

  Optimizer& optimizer_;
  Schedule schedule_;
  Tensor steps_;
};

class StepLR : public LRScheduler {
 public:
  StepLR(Optimizer& optimizer, std::int64_t step_size, double gamma = 0.1)
      : LRScheduler(optimizer, Schedule().decay_every(step_size, gamma)) {}
};

class ExponentialLR : public LRScheduler {
 public:
  ExponentialLR(Optimizer& optimizer, double gamma) : LRScheduler(optimizer, Schedule().exponential(gamma)) {}
};

class CosineAnnealingLR : public LRScheduler {
 public:
  CosineAnnealingLR(Optimizer& optimizer, std::int64_t steps, double minimum = 0)
      : LRScheduler(optimizer, Schedule().cosine(steps, minimum)) {}
};

class WarmupLR : public LRScheduler {
 public:
  WarmupLR(Optimizer& optimizer, std::int64_t steps, double start = 0)
      : LRScheduler(optimizer, Schedule().warmup(steps, start)) {}
};

// Multiplies by gamma at each of the milestones, which increase.
class MultiStepLR : public LRScheduler {
 public:
  MultiStepLR(Optimizer& optimizer, const std::vector<std::int64_t>& milestones, double gamma = 0.1);
};

// From start_factor to end_factor times the rate over `total_iters` steps.
class LinearLR : public LRScheduler {
 public:
  LinearLR(Optimizer& optimizer, double start_factor = 1.0 / 3, double end_factor = 1, std::int64_t total_iters = 5);
};

struct OneCycleOptions {
  double pct_start = 0.3, div_factor = 25, final_div_factor = 1e4;
};
// From max_lr / div_factor up to max_lr and down to a final_div_factor of where it began, by cosines. The rates of the
// groups keep their proportion to that of the first.
class OneCycleLR : public LRScheduler {
 public:
  OneCycleLR(Optimizer& optimizer, double max_lr, std::int64_t total_steps, OneCycleOptions options = {});
};

class LambdaLR : public LRScheduler {
 public:
  LambdaLR(Optimizer& optimizer, const std::function<double(std::int64_t)>& factor, std::int64_t steps)
      : LRScheduler(optimizer, Schedule().factors(factor, steps)) {}
};

}  // namespace reprise::optim
