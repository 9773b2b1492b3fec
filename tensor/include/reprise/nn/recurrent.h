// Recurrent layers, with PyTorch's names and order of gates: input, forget, cell, output; reset, update, new.
#pragma once

#include <reprise/nn/module.h>

namespace reprise::nn {

struct RecurrentOptions {
  std::int64_t num_layers = 1;
  bool bias = true;
  bool batch_first = false;
};

// The output of the last layer at every step, and the last state of each layer, [layers, batch, hidden].
struct RecurrentResult {
  Tensor output, hidden, cell;  // the cell is undefined except for an LSTM
};

class Recurrent : public Module {
 public:
  Tensor forward(const Tensor& input) override { return run(input).output; }
  // `input` is [steps, batch, size], or [batch, steps, size] if batch_first. A state that is undefined is zero.
  RecurrentResult run(const Tensor& input, const Tensor& hidden = {}, const Tensor& cell = {});

 protected:
  Recurrent(std::int64_t input_size, std::int64_t hidden_size, RecurrentOptions options, std::int64_t gates);

  struct State {
    Tensor hidden, cell;
  };
  // One step from the projections of input and state, [batch, gates * hidden] each.
  virtual State step(const Tensor& from_input, const Tensor& from_hidden, const State& before) const = 0;
  virtual bool has_cell() const { return false; }
  Tensor gate(const Tensor& all, std::int64_t number) const {
    return all.narrow(1, number * hidden_size_, hidden_size_);
  }

 private:
  struct Layer {
    Tensor weight_ih, weight_hh, bias_ih, bias_hh;
  };
  std::int64_t hidden_size_;
  RecurrentOptions options_;
  std::vector<Layer> layers_;
};

class LSTM : public Recurrent {
 public:
  LSTM(std::int64_t input_size, std::int64_t hidden_size, RecurrentOptions options = {})
      : Recurrent(input_size, hidden_size, options, 4) {}

 protected:
  State step(const Tensor& from_input, const Tensor& from_hidden, const State& before) const override;
  bool has_cell() const override { return true; }
};

class GRU : public Recurrent {
 public:
  GRU(std::int64_t input_size, std::int64_t hidden_size, RecurrentOptions options = {})
      : Recurrent(input_size, hidden_size, options, 3) {}

 protected:
  State step(const Tensor& from_input, const Tensor& from_hidden, const State& before) const override;
};

}  // namespace reprise::nn
