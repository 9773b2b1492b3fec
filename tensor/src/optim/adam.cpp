#include <reprise/optim/adam.h>

#include "kernels/optim/optimizer_steps.h"

namespace reprise::optim {

Adam::Adam(std::vector<Tensor> parameters, double learning_rate, AdamOptions options)
    : Adam(ParameterGroups{{std::move(parameters)}}, learning_rate, options) {}

Adam::Adam(ParameterGroups groups, double learning_rate, AdamOptions options)
    : Adam(std::move(groups), learning_rate, options, false, "Adam") {}

Adam::Adam(ParameterGroups groups, double learning_rate, AdamOptions options, bool decoupled, const char* name)
    : Optimizer(std::move(groups), learning_rate, options.weight_decay.value_or(decoupled ? 1e-2 : 0), name),
      options_(options),
      decoupled_(decoupled) {
  first_ = zeros_like_parameters();
  second_ = zeros_like_parameters();
  for (std::size_t i = 0; i < this->groups(); ++i) step_states_.push_back(kernels::new_step_state());
}

AdamW::AdamW(std::vector<Tensor> parameters, double learning_rate, AdamOptions options)
    : AdamW(ParameterGroups{{std::move(parameters)}}, learning_rate, options) {}

AdamW::AdamW(ParameterGroups groups, double learning_rate, AdamOptions options)
    : Adam(std::move(groups), learning_rate, options, true, "AdamW") {}

void Adam::step(const Tensor& skip) {
  kernels::AdamOptions options;
  options.beta1 = options_.beta1;
  options.beta2 = options_.beta2;
  options.epsilon = static_cast<float>(options_.epsilon);
  options.decoupled = decoupled_;
  options.maximize = options_.maximize;
  for (std::size_t i = 0; i < groups(); ++i) {
    const WithGrads now = about_to_change(i, {&first_, &second_});
    options.weight_decay = static_cast<float>(now.weight_decay);
    kernels::adam_step(now.parameters, now.gradients, now.others[0], now.others[1], now.learning_rate, options,
                       step_states_[i], skip);
    changed(now);
  }
}

std::map<std::string, Tensor> Adam::state_dict() const {
  std::map<std::string, Tensor> state = Optimizer::state_dict();
  add_state(state, "first", first_);
  add_state(state, "second", second_);
  add_group_state(state, "steps", step_states_);
  return state;
}

}  // namespace reprise::optim
