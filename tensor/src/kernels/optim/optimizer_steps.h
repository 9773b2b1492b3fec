// The steps of optimisers, over all parameters in one launch (or one for each 64 of them). All that changes from step
// to step is in device memory: the learning rate, the number of the step, whether to step at all.
#pragma once

#include <reprise/tensor.h>

#include <vector>

namespace reprise::kernels {

struct SgdOptions {
  float momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false, maximize = false;
};

struct AdamOptions {
  double beta1 = 0.9, beta2 = 0.999;
  float epsilon = 1e-8f, weight_decay = 0;
  bool decoupled = false;  // AdamW: the decay is of the parameter, not part of the gradient
  bool maximize = false;
};

// How many steps were taken and the powers of both betas, in device memory of `step_state_bytes`; made by
// new_step_state.
Tensor new_step_state();

// `learning_rate` is one f32. With `skip` (one f32, or undefined) other than zero nothing changes, the count neither.
// `momenta` (f32) is empty where there is no momentum; `state` is needed for dampening alone, else undefined.
void sgd_step(const std::vector<Tensor>& parameters, const std::vector<Tensor>& gradients,
              const std::vector<Tensor>& momenta, const Tensor& learning_rate, const SgdOptions& options,
              const Tensor& state, const Tensor& skip);
// `first` and `second` are the running means (f32) of gradients and of their squares.
void adam_step(const std::vector<Tensor>& parameters, const std::vector<Tensor>& gradients,
               const std::vector<Tensor>& first, const std::vector<Tensor>& second, const Tensor& learning_rate,
               const AdamOptions& options, const Tensor& state, const Tensor& skip);

// Divides by `scale` and sets `found` to one if any element is not finite; else leaves it. Both are one f32.
void unscale_(const std::vector<Tensor>& tensors, const Tensor& scale, const Tensor& found);
// The root of the sum of the squares of all elements, summed in an order that does not change from run to run.
Tensor total_norm(const std::vector<Tensor>& tensors);
// Multiplies by limit / norm where that is less than one.
void clip_(const std::vector<Tensor>& tensors, const Tensor& norm, double limit);

}  // namespace reprise::kernels
