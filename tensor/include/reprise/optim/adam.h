#pragma once

#include <reprise/optim/optimizer.h>

namespace reprise::optim {

struct AdamOptions {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  std::optional<double> weight_decay = {};  // by default 0 for Adam and 0.01 for AdamW
  bool maximize = false;
};

// PyTorch's Adam. One launch updates up to 64 parameters of a group.
class Adam : public Optimizer {
 public:
  Adam(std::vector<Tensor> parameters, double learning_rate = 1e-3, AdamOptions options = {});
  Adam(ParameterGroups groups, double learning_rate = 1e-3, AdamOptions options = {});
  using Optimizer::step;
  void step(const Tensor& skip) override;
  std::map<std::string, Tensor> state_dict() const override;

 protected:
  Adam(ParameterGroups groups, double learning_rate, AdamOptions options, bool decoupled, const char* name);

 private:
  AdamOptions options_;
  bool decoupled_;
  std::vector<Tensor> first_, second_;
  std::vector<Tensor> step_states_;  // of the groups
};

// Adam with decoupled weight decay.
class AdamW : public Adam {
 public:
  AdamW(std::vector<Tensor> parameters, double learning_rate = 1e-3, AdamOptions options = {});
  AdamW(ParameterGroups groups, double learning_rate = 1e-3, AdamOptions options = {});
};

}  // namespace reprise::optim
