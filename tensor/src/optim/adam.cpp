#include <reprise/optim/adam.h>

#include "raw/optimizer_steps.h"

namespace reprise::optim {

Adam::Adam(std::vector<Tensor> parameters, double learning_rate, AdamOptions options)
    : Adam(std::move(parameters), learning_rate, options, false, "Adam") {}

Adam::Adam(std::vector<Tensor> parameters, double learning_rate, AdamOptions options, bool decoupled, const char* name)
    : Optimizer(std::move(parameters), learning_rate, name), options_(options), decoupled_(decoupled) {
  first_ = zeros_like_parameters();
  second_ = zeros_like_parameters();
  step_state_ = raw::new_step_state();
}

AdamW::AdamW(std::vector<Tensor> parameters, double learning_rate, AdamOptions options)
    : Adam(std::move(parameters), learning_rate, options, true, "AdamW") {}

void Adam::step(const Tensor& skip) {
  const WithGrads now = about_to_change({&first_, &second_});
  raw::AdamOptions options;
  options.beta1 = options_.beta1;
  options.beta2 = options_.beta2;
  options.epsilon = static_cast<float>(options_.epsilon);
  options.weight_decay = static_cast<float>(options_.weight_decay);
  options.decoupled = decoupled_;
  options.maximize = options_.maximize;
  raw::adam_step(now.parameters, now.gradients, now.others[0], now.others[1], learning_rate(), options, step_state_, skip);
}

std::map<std::string, Tensor> Adam::state_dict() const {
  std::map<std::string, Tensor> state = Optimizer::state_dict();
  add_state(state, "first", first_);
  add_state(state, "second", second_);
  state["steps"] = step_state_;
  return state;
}

}  // namespace reprise::optim
