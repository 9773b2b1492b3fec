#include <reprise/factories.h>
#include <reprise/nn/recurrent.h>

#include <cmath>

namespace reprise::nn {

Recurrent::Recurrent(std::int64_t input_size, std::int64_t hidden_size, RecurrentOptions options, std::int64_t gates)
    : hidden_size_(hidden_size), options_(options) {
  check(hidden_size > 0 && options.num_layers > 0, "a recurrent layer with a state of ", hidden_size, " and ",
        options.num_layers, " layers");
  const double bound = 1 / std::sqrt(static_cast<double>(hidden_size));
  for (std::int64_t i = 0; i < options.num_layers; ++i) {
    auto make = [&](const char* name, const Sizes& sizes) {
      return add_parameter(name + ("_l" + std::to_string(i)), empty(sizes).uniform_(-bound, bound));
    };
    Layer layer;
    layer.weight_ih = make("weight_ih", {gates * hidden_size, i == 0 ? input_size : hidden_size});
    layer.weight_hh = make("weight_hh", {gates * hidden_size, hidden_size});
    if (options.bias) {
      layer.bias_ih = make("bias_ih", {gates * hidden_size});
      layer.bias_hh = make("bias_hh", {gates * hidden_size});
    }
    layers_.push_back(std::move(layer));
  }
}

RecurrentResult Recurrent::run(const Tensor& input, const Tensor& hidden, const Tensor& cell) {
  check(input.dim() == 3, "a recurrent layer of ", input.sizes(), ": three dimensions expected");
  Tensor x = options_.batch_first ? input.transpose(0, 1) : input;
  const std::int64_t steps = x.size(0), batch = x.size(1);
  std::vector<Tensor> last_hidden, last_cell;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    auto initial = [&](const Tensor& given) {
      return given.defined() ? given.select(0, static_cast<std::int64_t>(i)) : zeros({batch, hidden_size_}, x.dtype());
    };
    State state{initial(hidden), has_cell() ? initial(cell) : Tensor()};
    // The projections of all steps are one product.
    const Tensor projected = linear(x, layer.weight_ih, layer.bias_ih);
    std::vector<Tensor> outputs;
    for (std::int64_t t = 0; t < steps; ++t) {
      state = step(projected.select(0, t), linear(state.hidden, layer.weight_hh, layer.bias_hh), state);
      outputs.push_back(state.hidden);
    }
    x = stack(outputs, 0);
    last_hidden.push_back(state.hidden);
    if (has_cell()) last_cell.push_back(state.cell);
  }
  return {options_.batch_first ? x.transpose(0, 1) : x, stack(last_hidden, 0),
          has_cell() ? stack(last_cell, 0) : Tensor()};
}

Recurrent::State LSTM::step(const Tensor& from_input, const Tensor& from_hidden, const State& before) const {
  const Tensor gates = from_input + from_hidden;
  const Tensor cell = sigmoid(gate(gates, 1)) * before.cell + sigmoid(gate(gates, 0)) * tanh(gate(gates, 2));
  return {sigmoid(gate(gates, 3)) * tanh(cell), cell};
}

Recurrent::State GRU::step(const Tensor& from_input, const Tensor& from_hidden, const State& before) const {
  const Tensor reset = sigmoid(gate(from_input, 0) + gate(from_hidden, 0)),
               update = sigmoid(gate(from_input, 1) + gate(from_hidden, 1)),
               next = tanh(gate(from_input, 2) + reset * gate(from_hidden, 2));
  return {next + update * (before.hidden - next), Tensor()};
}

}  // namespace reprise::nn
