// The few numbers that steer a training loop, kept and changed in device memory.
#pragma once

#include <reprise/optim/schedule_stage.h>

#include <vector>

namespace reprise::kernels {

// Adds one to `steps` (if `advance`) and sets `rate` to what the stages make of `initial` after so many.
void schedule_rate(const std::vector<optim::ScheduleStage>& stages, const Tensor& steps, const Tensor& rate,
                   double initial, bool advance);

// The scale after an iteration: less if `found` is not zero, more after `interval` iterations without. Clears `found`.
void update_scale(const Tensor& scale, const Tensor& found, const Tensor& good_steps, double growth, double backoff,
                  std::int64_t interval);

}  // namespace reprise::kernels
