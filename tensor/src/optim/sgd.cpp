#include <reprise/optim/sgd.h>

#include <reprise/error.h>

#include "raw/optimizer_steps.h"

namespace reprise::optim {

SGD::SGD(std::vector<Tensor> parameters, double learning_rate, SGDOptions options)
    : Optimizer(std::move(parameters), learning_rate, "SGD"), options_(options) {
  check(!options.nesterov || (options.momentum > 0 && options.dampening == 0),
        "SGD: Nesterov's momentum needs a momentum and no dampening");
  if (options.momentum != 0) momenta_ = zeros_like_parameters();
  // The first momentum is the gradient, undampened.
  if (options.momentum != 0 && options.dampening != 0) step_state_ = raw::new_step_state();
}

void SGD::step(const Tensor& skip) {
  const WithGrads now = about_to_change({&momenta_});
  raw::SgdOptions options;
  options.momentum = static_cast<float>(options_.momentum);
  options.dampening = static_cast<float>(options_.dampening);
  options.weight_decay = static_cast<float>(options_.weight_decay);
  options.nesterov = options_.nesterov;
  options.maximize = options_.maximize;
  raw::sgd_step(now.parameters, now.gradients, now.others[0], learning_rate(), options, step_state_, skip);
}

std::map<std::string, Tensor> SGD::state_dict() const {
  std::map<std::string, Tensor> state = Optimizer::state_dict();
  add_state(state, "momentum", momenta_);
  if (step_state_.defined()) state["steps"] = step_state_;
  return state;
}

}  // namespace reprise::optim
