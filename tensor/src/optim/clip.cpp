#include <reprise/optim/clip.h>

#include "kernels/optim/optimizer_steps.h"

namespace reprise {

Tensor clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm) {
  std::vector<Tensor> grads;
  for (const Tensor& parameter : parameters) {
    if (Tensor grad = parameter.grad(); grad.defined()) grads.push_back(grad);
  }
  const Tensor norm = kernels::total_norm(grads);
  kernels::clip_(grads, norm, max_norm);
  return norm;
}

}  // namespace reprise
