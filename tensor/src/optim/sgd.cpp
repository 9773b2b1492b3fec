#include <reprise/error.h>
#include <reprise/optim/sgd.h>

#include "kernels/optim/optimizer_steps.h"

namespace reprise::optim {

SGD::SGD(std::vector<Tensor> parameters, double learning_rate, SGDOptions options)
    : SGD(ParameterGroups{{std::move(parameters)}}, learning_rate, options) {}

SGD::SGD(ParameterGroups groups, double learning_rate, SGDOptions options)
    : Optimizer(std::move(groups), learning_rate, options.weight_decay, "SGD"), options_(options) {
  check(!options.nesterov || (options.momentum > 0 && options.dampening == 0),
        "SGD: Nesterov's momentum needs a momentum and no dampening");
  if (options.momentum != 0) momenta_ = zeros_like_parameters();
  // The initial momentum is the gradient without dampening.
  if (options.momentum == 0 || options.dampening == 0) return;
  for (std::size_t i = 0; i < this->groups(); ++i) step_states_.push_back(kernels::new_step_state());
}

void SGD::step(const Tensor& skip) {
  kernels::SgdOptions options;
  options.momentum = static_cast<float>(options_.momentum);
  options.dampening = static_cast<float>(options_.dampening);
  options.nesterov = options_.nesterov;
  options.maximize = options_.maximize;
  for (std::size_t i = 0; i < groups(); ++i) {
    const WithGrads now = about_to_change(i, {&momenta_});
    options.weight_decay = static_cast<float>(now.weight_decay);
    const Tensor state = step_states_.empty() ? Tensor() : step_states_[i];
    kernels::sgd_step(now.parameters, now.gradients, now.others[0], now.learning_rate, options, state, skip);
    changed(now);
  }
}

std::map<std::string, Tensor> SGD::state_dict() const {
  std::map<std::string, Tensor> state = Optimizer::state_dict();
  add_state(state, "momentum", momenta_);
  add_group_state(state, "steps", step_states_);
  return state;
}

}  // namespace reprise::optim
