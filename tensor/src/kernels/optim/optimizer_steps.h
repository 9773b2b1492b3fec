// Optimiser steps; one launch processes up to 64 parameters. Everything that changes from step to step is in device
// memory: the learning rate, the step count, and whether to skip the step.
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
  bool decoupled = false;  // AdamW: decays the parameter instead of adding to the gradient
  bool maximize = false;
};

// The step count and the powers of both betas, in device memory of `step_state_bytes`; created by new_step_state.
Tensor new_step_state();

// `learning_rate` is one f32. If `skip` (one f32, or undefined) is not zero, nothing changes, not even the count.
// `momenta` (f32) is empty without momentum; `state` is needed only for dampening and is otherwise undefined.
void sgd_step(const std::vector<Tensor>& parameters, const std::vector<Tensor>& gradients,
              const std::vector<Tensor>& momenta, const Tensor& learning_rate, const SgdOptions& options,
              const Tensor& state, const Tensor& skip);
// `first` and `second` are the running means (f32) of gradients and of their squares.
void adam_step(const std::vector<Tensor>& parameters, const std::vector<Tensor>& gradients,
               const std::vector<Tensor>& first, const std::vector<Tensor>& second, const Tensor& learning_rate,
               const AdamOptions& options, const Tensor& state, const Tensor& skip);

// Divides by `scale` and sets `found` to 1 if any element is not finite. Both are one f32.
void unscale_(const std::vector<Tensor>& tensors, const Tensor& scale, const Tensor& found);
// The Euclidean norm of all elements. The order of the additions is fixed.
Tensor total_norm(const std::vector<Tensor>& tensors);
// Multiplies by limit / norm if that is less than 1.
void clip_(const std::vector<Tensor>& tensors, const Tensor& norm, double limit);

}  // namespace reprise::kernels
