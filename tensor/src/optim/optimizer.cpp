#include <reprise/autograd.h>
#include <reprise/optim/optimizer.h>

#include "kernels/optim/master_copies.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"
#include "optim/not_capturing.h"

namespace reprise::optim {

Optimizer::Optimizer(ParameterGroups groups, double learning_rate, double weight_decay, const char* name) {
  check_not_capturing(name);
  for (const ParameterGroup& given : groups) {
    const double rate = given.learning_rate.value_or(learning_rate);
    check(!given.parameters.empty(), name, " of no parameters");
    check(rate >= 0, name, " with a learning rate of ", rate);
    Group group;
    group.begin = parameters_.size();
    for (const Tensor& parameter : given.parameters) {
      check(parameter.is_leaf() && parameter.is_contiguous(), name, ": a parameter of shape ", parameter.sizes(),
            " is not a dense leaf");
      check(parameter.dtype() != DType::f64, name, ": a parameter of shape ", parameter.sizes(),
            " of f64: optimisers compute in single precision");
      for (const Tensor& other : parameters_) {
        check(!parameter.is_same(other), name, ": a parameter of shape ", parameter.sizes(), " is given twice");
      }
      parameters_.push_back(parameter);
      const bool half = parameter.dtype() == DType::f16 || parameter.dtype() == DType::bf16;
      masters_.push_back(half ? kernels::to(parameter, DType::f32) : Tensor());
    }
    group.end = parameters_.size();
    group.learning_rate = kernels::full({1}, rate);
    group.initial_learning_rate = rate;
    group.weight_decay = given.weight_decay.value_or(weight_decay);
    groups_.push_back(std::move(group));
  }
  check(!groups_.empty(), name, " of no parameters");
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

void Optimizer::set_learning_rate(double rate) {
  for (std::size_t group = 0; group < groups_.size(); ++group) set_learning_rate(rate, group);
}

void Optimizer::set_learning_rate(double rate, std::size_t group) {
  check(group < groups_.size(), "set_learning_rate of group ", group, " of an optimiser that has ", groups_.size());
  kernels::fill_(groups_[group].learning_rate, rate);
}

std::map<std::string, Tensor> Optimizer::state_dict() const {
  std::map<std::string, Tensor> state;
  std::vector<Tensor> rates;
  for (const Group& group : groups_) rates.push_back(group.learning_rate);
  add_group_state(state, "learning_rate", rates);
  for (std::size_t i = 0; i < masters_.size(); ++i) {
    if (masters_[i].defined()) state["master." + std::to_string(i)] = masters_[i];
  }
  return state;
}

void Optimizer::load_state_dict(const std::map<std::string, Tensor>& state) {
  const std::map<std::string, Tensor> own = state_dict();
  for (const auto& [name, tensor] : own) {
    auto found = state.find(name);
    check(found != state.end(), "load_state_dict of an optimiser: \"", name, "\" is not in the given state");
    check(found->second.sizes() == tensor.sizes() && found->second.dtype() == tensor.dtype(),
          "load_state_dict of an optimiser: \"", name, "\" has shape ", tensor.sizes(), " here and ",
          found->second.sizes(), " in the given state");
  }
  for (const auto& [name, tensor] : own) kernels::copy_(tensor, state.at(name));
}

std::vector<Tensor> Optimizer::zeros_like_parameters() const {
  std::vector<Tensor> all;
  for (const Tensor& parameter : parameters_) all.push_back(kernels::zeros(parameter.sizes()));
  return all;
}

void Optimizer::add_state(std::map<std::string, Tensor>& state, const char* name, const std::vector<Tensor>& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) state[name + ("." + std::to_string(i))] = tensors[i];
}

void Optimizer::add_group_state(std::map<std::string, Tensor>& state, const char* name,
                                const std::vector<Tensor>& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) state[i == 0 ? name : name + ("." + std::to_string(i))] = tensors[i];
}

Optimizer::WithGrads Optimizer::about_to_change(std::size_t number,
                                                const std::vector<const std::vector<Tensor>*>& others) const {
  const Group& group = groups_[number];
  WithGrads found;
  found.others.resize(others.size());
  found.learning_rate = group.learning_rate;
  found.weight_decay = group.weight_decay;
  for (std::size_t i = group.begin; i < group.end; ++i) {
    const Tensor grad = parameters_[i].grad();
    if (!grad.defined()) continue;
    found.parameters.push_back(masters_[i].defined() ? masters_[i] : parameters_[i]);
    if (masters_[i].defined()) {
      found.rounded.push_back(parameters_[i]);
      found.masters.push_back(masters_[i]);
    }
    parameters_[i].body().memory->changed();
    found.gradients.push_back(kernels::contiguous(grad));
    for (std::size_t k = 0; k < others.size(); ++k) {
      if (!others[k]->empty()) found.others[k].push_back((*others[k])[i]);
    }
  }
  if (!found.rounded.empty()) kernels::follow(found.masters, found.rounded);
  return found;
}

void Optimizer::changed(const WithGrads& group) {
  if (!group.rounded.empty()) kernels::round_to(group.rounded, group.masters);
}

}  // namespace reprise::optim
