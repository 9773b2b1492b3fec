#include <reprise/optim/rmsprop.h>

#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/masked.h"
#include "kernels/tensor/copy.h"

namespace reprise::optim {
namespace {

// state = decay * state + share * value, unless the step is skipped.
void move(const Tensor& state, const Tensor& value, double decay, double share, const Tensor& keep) {
  const Tensor moved = kernels::add(kernels::mul(state, Scalar(decay)), kernels::mul(value, Scalar(share)));
  kernels::copy_(state, keep.defined() ? kernels::where(keep, state, moved) : moved);
}

}  // namespace

RMSprop::RMSprop(std::vector<Tensor> parameters, double learning_rate, RMSpropOptions options)
    : RMSprop(ParameterGroups{{std::move(parameters)}}, learning_rate, options) {}

RMSprop::RMSprop(ParameterGroups groups, double learning_rate, RMSpropOptions options)
    : Optimizer(std::move(groups), learning_rate, options.weight_decay, "RMSprop"), options_(options) {
  squares_ = zeros_like_parameters();
  if (options.centered) means_ = zeros_like_parameters();
  if (options.momentum != 0) momenta_ = zeros_like_parameters();
}

void RMSprop::step(const Tensor& skip) {
  // A bool of one element: whether everything stays.
  const Tensor keep = skip.defined() ? kernels::ne(skip, 0) : Tensor();
  for (std::size_t group = 0; group < groups(); ++group) {
    const WithGrads now = about_to_change(group, {&squares_, &means_, &momenta_});
    for (std::size_t i = 0; i < now.parameters.size(); ++i) {
      const Tensor& parameter = now.parameters[i];
      Tensor gradient = kernels::to(now.gradients[i], DType::f32);
      if (now.weight_decay != 0) gradient = kernels::add(gradient, parameter, now.weight_decay);
      const Tensor& squares = now.others[0][i];
      move(squares, kernels::square(gradient), options_.alpha, 1 - options_.alpha, keep);
      Tensor spread = squares;
      if (options_.centered) {
        move(now.others[1][i], gradient, options_.alpha, 1 - options_.alpha, keep);
        spread = kernels::sub(squares, kernels::square(now.others[1][i]));
      }
      Tensor change = kernels::div(gradient, kernels::add(kernels::sqrt(spread), Scalar(options_.epsilon)));
      if (options_.momentum != 0) {
        move(now.others[2][i], change, options_.momentum, 1, keep);
        change = now.others[2][i];
      }
      const Tensor scaled = kernels::mul(change, now.learning_rate);
      kernels::sub_(parameter, keep.defined() ? kernels::masked(scaled, keep, false) : scaled);
    }
    changed(now);
  }
}

std::map<std::string, Tensor> RMSprop::state_dict() const {
  std::map<std::string, Tensor> state = Optimizer::state_dict();
  add_state(state, "squares", squares_);
  add_state(state, "means", means_);
  add_state(state, "momentum", momenta_);
  return state;
}

}  // namespace reprise::optim
