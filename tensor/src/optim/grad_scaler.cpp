#include <reprise/ops.h>
#include <reprise/optim/grad_scaler.h>

#include "kernels/optim/optimizer_steps.h"
#include "kernels/optim/training_control.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"
#include "optim/not_capturing.h"

namespace reprise::optim {

GradScaler::GradScaler(GradScalerOptions options) : options_(options) {
  check_not_capturing("a GradScaler");
  scale_ = kernels::full({1}, options.initial_scale);
  found_ = kernels::zeros({1});
  good_steps_ = kernels::zeros({1}, DType::i64);
}

Tensor GradScaler::scale(const Tensor& loss) const {
  return mul(loss, scale_.view(Sizes::filled(loss.dim() ? 1 : 0, 1)));
}

void GradScaler::unscale_(Optimizer& optimizer) {
  check(unscaled_.insert(&optimizer).second,
        "unscale_: called twice for one optimiser since the last update(), which would divide its gradients twice");
  std::vector<Tensor> grads;
  for (const Tensor& parameter : optimizer.parameters()) {
    if (Tensor grad = parameter.grad(); grad.defined()) grads.push_back(grad);
  }
  kernels::unscale_(grads, scale_, found_);
}

void GradScaler::step(Optimizer& optimizer) {
  if (!unscaled_.count(&optimizer)) unscale_(optimizer);
  optimizer.step(found_);
}

void GradScaler::update() {
  kernels::update_scale(scale_, found_, good_steps_, options_.growth_factor, options_.backoff_factor,
                        options_.growth_interval);
  unscaled_.clear();
}

std::map<std::string, Tensor> GradScaler::state_dict() const {
  return {{"scale", scale_}, {"good_steps", good_steps_}};
}

void GradScaler::load_state_dict(const std::map<std::string, Tensor>& state) {
  for (const char* name : {"scale", "good_steps"})
    check(state.count(name), "GradScaler: the given state has no \"", name, "\"");
  kernels::copy_(scale_, state.at("scale"));
  kernels::copy_(good_steps_, state.at("good_steps"));
}

}  // namespace reprise::optim
