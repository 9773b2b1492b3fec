// Learning rate and loss scale, updated in device memory.
#pragma once

#include <reprise/optim/schedule_stage.h>

#include <vector>

namespace reprise::kernels {

// Increments `steps` if `advance`, and sets `rate` to the result of the stages for `initial` and `steps`.
void schedule_rate(const std::vector<optim::ScheduleStage>& stages, const Tensor& steps, const Tensor& rate,
                   double initial, bool advance);

// Updates the scale after an iteration: reduces it if `found` is not zero, increases it after `interval` iterations
// without. Clears `found`.
void update_scale(const Tensor& scale, const Tensor& found, const Tensor& good_steps, double growth, double backoff,
                  std::int64_t interval);

}  // namespace reprise::kernels
