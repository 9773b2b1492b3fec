#include "kernels/device/dependent_launch.h"
#include "kernels/optim/training_control.h"

namespace reprise::kernels {
namespace {

using optim::ScheduleStage;

struct DeviceStage {
  int kind;
  long long steps, delay;
  double value;
  const float* table;
};

struct DeviceStages {
  DeviceStage stages[ScheduleStage::max_stages];
  int count;
};

__device__ double apply_stage(const DeviceStage& stage, double rate, long long t) {
  t = t > stage.delay ? t - stage.delay : 0;
  const double part = t < stage.steps ? static_cast<double>(t) / stage.steps : 1;
  switch (static_cast<ScheduleStage::Kind>(stage.kind)) {
    case ScheduleStage::Kind::decay:
      return rate * pow(stage.value, static_cast<double>(t / stage.steps));
    case ScheduleStage::Kind::cosine:
      // Past the end the rate rises again, as PyTorch's does.
      return stage.value + (rate - stage.value) * 0.5 * (1 + cospi(static_cast<double>(t) / stage.steps));
    case ScheduleStage::Kind::warmup:
      return rate * (stage.value + (1 - stage.value) * part);
    case ScheduleStage::Kind::table:
      return rate * stage.table[t < stage.steps ? t : stage.steps - 1];
  }
  return rate;
}

__global__ void schedule_kernel(DeviceStages stages, std::int64_t* steps, float* rate, double initial, bool advance) {
  wait_for_prior_grids();
  if (advance) *steps += 1;
  double value = initial;
  for (int i = 0; i < stages.count; ++i) value = apply_stage(stages.stages[i], value, *steps);
  *rate = static_cast<float>(value);
}

__global__ void update_scale_kernel(float* scale, float* found, std::int64_t* good_steps, float growth, float backoff,
                                    std::int64_t interval) {
  wait_for_prior_grids();
  if (*found != 0) {
    *scale *= backoff;
    *good_steps = 0;
  } else if (++*good_steps == interval) {
    const float grown = *scale * growth;
    if (isfinite(grown)) *scale = grown;
    *good_steps = 0;
  }
  *found = 0;
}

}  // namespace

void schedule_rate(const std::vector<ScheduleStage>& stages, const Tensor& steps, const Tensor& rate, double initial,
                   bool advance) {
  DeviceStages all{};
  for (const ScheduleStage& stage : stages) {
    all.stages[all.count++] = {static_cast<int>(stage.kind), stage.steps, stage.delay, stage.value,
                               stage.table.defined() ? stage.table.data<float>() : nullptr};
  }
  launch_dependent("a step of a learning-rate schedule", schedule_kernel, {1, 1}, all, steps.data<std::int64_t>(),
                   rate.data<float>(), initial, advance);
}

void update_scale(const Tensor& scale, const Tensor& found, const Tensor& good_steps, double growth, double backoff,
                  std::int64_t interval) {
  launch_dependent("updating the scale of gradients", update_scale_kernel, {1, 1}, scale.data<float>(),
                   found.data<float>(), good_steps.data<std::int64_t>(), static_cast<float>(growth),
                   static_cast<float>(backoff), interval);
}

}  // namespace reprise::kernels
