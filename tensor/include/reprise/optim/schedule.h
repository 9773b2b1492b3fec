// Learning rates that change with the steps. The number of the step is in device memory and the rate is computed there:
// step() can be captured with the training step, and each replay goes one on.
#pragma once

#include <reprise/optim/optimizer.h>
#include <reprise/optim/schedule_stage.h>

#include <functional>
#include <vector>

namespace reprise::optim {

// What becomes of the initial rate after `t` steps, in stages of which each takes what the one before it gives.
class Schedule {
 public:
  // Times gamma every `size` steps.
  Schedule& decay_every(std::int64_t size, double gamma = 0.1);
  // Times gamma every step.
  Schedule& exponential(double gamma) { return decay_every(1, gamma); }
  // Half a cosine from the rate down to `minimum` in `steps` steps, then `minimum`; it begins after `delay` steps.
  Schedule& cosine(std::int64_t steps, double minimum = 0, std::int64_t delay = 0);
  // From `start` times the rate up to the rate in `steps` steps, by equal amounts.
  Schedule& warmup(std::int64_t steps, double start = 0);
  // Times factor(t) for t below `steps`, then times the last of them. The factors are computed now and kept in device
  // memory, so a replay can go by a function of the host.
  Schedule& factors(const std::function<double(std::int64_t)>& factor, std::int64_t steps);

  const std::vector<ScheduleStage>& stages() const { return stages_; }

 private:
  Schedule& add(ScheduleStage stage);
  std::vector<ScheduleStage> stages_;
};

// Applies a schedule to an optimiser, which must outlive it; the rate after no steps is set at once.
class LRScheduler {
 public:
  LRScheduler(Optimizer& optimizer, Schedule schedule);
  void step();
  // The number of steps taken, one i64.
  const Tensor& steps() const { return steps_; }
  std::map<std::string, Tensor> state_dict() const { return {{"steps", steps_}}; }
  // Copies the number of steps in, so that captured ones go on with it, and sets the rate.
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

class LambdaLR : public LRScheduler {
 public:
  LambdaLR(Optimizer& optimizer, const std::function<double(std::int64_t)>& factor, std::int64_t steps)
      : LRScheduler(optimizer, Schedule().factors(factor, steps)) {}
};

}  // namespace reprise::optim
