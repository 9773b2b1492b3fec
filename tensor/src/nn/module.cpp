#include <reprise/autograd.h>
#include <reprise/nn/module.h>

#include <algorithm>
#include <set>

#include "kernels/tensor/copy.h"

namespace reprise::nn {
namespace {

// A tensor with several names is one parameter.
void keep_first(NamedTensors& tensors) {
  std::set<const TensorBody*> seen;
  auto repeated = [&](const auto& named) { return !seen.insert(named.second.shared_body().get()).second; };
  tensors.erase(std::remove_if(tensors.begin(), tensors.end(), repeated), tensors.end());
}

void convert(const NamedTensors& tensors, DType dtype) {
  for (const auto& [name, tensor] : tensors) {
    if (!is_floating(tensor.dtype()) || tensor.dtype() == dtype) continue;
    TensorBody& body = tensor.body();
    body.memory->set_replaced();
    const Tensor converted = kernels::to(tensor, dtype);
    body.memory = converted.body().memory;
    body.offset = converted.body().offset;
    body.strides = converted.body().strides;
    body.dtype = dtype;
    if (body.autograd) {
      body.autograd->grad = Tensor();
      body.autograd->accumulator.reset();
    }
  }
}

}  // namespace

Tensor Module::forward(const Tensor&) { fail("Module::forward: this module does not implement forward(input)"); }

bool Module::contains(const Module& other) const {
  return this == &other ||
         std::any_of(parts_.begin(), parts_.end(), [&](const auto& part) { return part.second->contains(other); });
}

void Module::add_part(std::string name, std::shared_ptr<Module> part) {
  check(part != nullptr, "add: the module \"", name, "\" is null");
  check(!part->contains(*this), "add: the module \"", name,
        "\" contains the module that it is added to; modules must form a tree, or share children without a cycle");
  parts_.emplace_back(std::move(name), std::move(part));
}

void Module::collect(const std::string& prefix, NamedTensors Module::* kind, NamedTensors& found) const {
  for (const auto& [name, tensor] : this->*kind) found.emplace_back(prefix + name, tensor);
  for (const auto& [name, part] : parts_) part->collect(prefix + name + ".", kind, found);
}

NamedTensors Module::named_parameters() const {
  NamedTensors found;
  collect("", &Module::parameters_, found);
  keep_first(found);
  return found;
}

NamedTensors Module::named_buffers() const {
  NamedTensors found;
  collect("", &Module::buffers_, found);
  keep_first(found);
  return found;
}

std::vector<Tensor> Module::parameters() const {
  std::vector<Tensor> all;
  for (auto& [name, tensor] : named_parameters()) all.push_back(tensor);
  return all;
}

void Module::train(bool training) {
  apply([training](Module& module) { module.training_ = training; });
}

void Module::requires_grad_(bool requires_grad) {
  for (Tensor& parameter : parameters()) parameter.requires_grad_(requires_grad);
}

void Module::zero_grad(bool set_to_none) {
  for (const Tensor& parameter : parameters()) {
    if (set_to_none) {
      parameter.set_grad({});
    } else if (Tensor grad = parameter.grad(); grad.defined()) {
      grad.zero_();
    }
  }
}

void Module::to(DType dtype) {
  check(is_floating(dtype), "a module of type ", dtype, ": parameters are of floating types");
  convert(named_parameters(), dtype);
  convert(named_buffers(), dtype);
}

void Module::apply(const std::function<void(Module&)>& function) {
  for (const auto& [name, part] : parts_) part->apply(function);
  function(*this);
}

std::map<std::string, Tensor> Module::state_dict() const {
  std::map<std::string, Tensor> state;
  NamedTensors all;
  collect("", &Module::parameters_, all);
  collect("", &Module::buffers_, all);
  for (auto& [name, tensor] : all) state.emplace(name, tensor.detach());
  return state;
}

void Module::load_state_dict(const std::map<std::string, Tensor>& state, bool strict) {
  std::map<std::string, Tensor> own = state_dict();
  // Checks everything before changing anything.
  for (const auto& [name, tensor] : own) {
    auto found = state.find(name);
    check(found != state.end() || !strict, "load_state_dict: \"", name, "\" is not in the given state");
    check(found == state.end() || found->second.sizes() == tensor.sizes(), "load_state_dict: \"", name, "\" has shape ",
          tensor.sizes(), " here and ", found == state.end() ? Sizes() : found->second.sizes(), " in the given state");
  }
  for (const auto& [name, tensor] : state) {
    check(!strict || own.count(name), "load_state_dict: no parameter or buffer is named \"", name, "\"");
  }
  NoGradGuard guard;
  for (auto& [name, tensor] : own) {
    auto found = state.find(name);
    if (found != state.end()) tensor.copy_(found->second);
  }
}

Tensor Module::add_parameter(std::string name, Tensor value) {
  value.requires_grad_();
  parameters_.emplace_back(std::move(name), value);
  return value;
}

Tensor Module::add_buffer(std::string name, Tensor value) {
  buffers_.emplace_back(std::move(name), value);
  return value;
}

}  // namespace reprise::nn
