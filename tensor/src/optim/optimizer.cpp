#include <reprise/optim/optimizer.h>

#include <reprise/autograd.h>

#include "optim/not_capturing.h"
#include "raw/copy.h"
#include "raw/factories.h"

namespace reprise::optim {

Optimizer::Optimizer(std::vector<Tensor> parameters, double learning_rate, const char* name)
    : parameters_(std::move(parameters)), initial_learning_rate_(learning_rate) {
  check_not_capturing(name);
  check(!parameters_.empty(), name, " of no parameters");
  check(learning_rate >= 0, name, " with a learning rate of ", learning_rate);
  for (const Tensor& parameter : parameters_) {
    check(parameter.is_leaf() && parameter.is_contiguous(), name, ": a parameter of shape ", parameter.sizes(),
          " is not a dense leaf");
  }
  learning_rate_ = raw::full({1}, learning_rate);
}

void Optimizer::zero_grad(bool set_to_none) {
  NoGradGuard guard;
  for (const Tensor& parameter : parameters_) {
    if (set_to_none) {
      parameter.set_grad({});
    } else if (Tensor grad = parameter.grad(); grad.defined()) {
      grad.zero_();
    }
  }
}

void Optimizer::set_learning_rate(double rate) { raw::fill_(learning_rate_, rate); }

std::map<std::string, Tensor> Optimizer::state_dict() const { return {{"learning_rate", learning_rate_}}; }

void Optimizer::load_state_dict(const std::map<std::string, Tensor>& state) {
  const std::map<std::string, Tensor> own = state_dict();
  for (const auto& [name, tensor] : own) {
    auto found = state.find(name);
    check(found != state.end(), "load_state_dict of an optimiser: \"", name, "\" is not in the given state");
    check(found->second.sizes() == tensor.sizes() && found->second.dtype() == tensor.dtype(),
          "load_state_dict of an optimiser: \"", name, "\" has shape ", tensor.sizes(), " here and ",
          found->second.sizes(), " in the given state");
  }
  for (const auto& [name, tensor] : own) raw::copy_(tensor, state.at(name));
}

std::vector<Tensor> Optimizer::zeros_like_parameters() const {
  std::vector<Tensor> all;
  for (const Tensor& parameter : parameters_) all.push_back(raw::zeros(parameter.sizes()));
  return all;
}

void Optimizer::add_state(std::map<std::string, Tensor>& state, const char* name, const std::vector<Tensor>& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) state[name + ("." + std::to_string(i))] = tensors[i];
}

Optimizer::WithGrads Optimizer::about_to_change(const std::vector<const std::vector<Tensor>*>& others) const {
  WithGrads found;
  found.others.resize(others.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Tensor grad = parameters_[i].grad();
    if (!grad.defined()) continue;
    found.parameters.push_back(parameters_[i]);
    parameters_[i].body().memory->changed();
    found.gradients.push_back(raw::contiguous(grad));
    for (std::size_t k = 0; k < others.size(); ++k) {
      if (!others[k]->empty()) found.others[k].push_back((*others[k])[i]);
    }
  }
  return found;
}

}  // namespace reprise::optim
