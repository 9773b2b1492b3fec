#include <reprise/optim/clip.h>

#include "raw/optimizer_steps.h"

namespace reprise {

Tensor clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm) {
  std::vector<Tensor> grads;
  for (const Tensor& parameter : parameters) {
    if (Tensor grad = parameter.grad(); grad.defined()) grads.push_back(grad);
  }
  const Tensor norm = raw::total_norm(grads);
  raw::clip_(grads, norm, max_norm);
  return norm;
}

}  // namespace reprise
