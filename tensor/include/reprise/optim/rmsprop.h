#pragma once

#include <reprise/optim/optimizer.h>

namespace reprise::optim {

struct RMSpropOptions {
  double alpha = 0.99, epsilon = 1e-8, weight_decay = 0, momentum = 0;
  bool centered = false;
};

// PyTorch's RMSprop. Several launches for each parameter.
class RMSprop : public Optimizer {
 public:
  RMSprop(std::vector<Tensor> parameters, double learning_rate = 1e-2, RMSpropOptions options = {});
  RMSprop(ParameterGroups groups, double learning_rate = 1e-2, RMSpropOptions options = {});
  using Optimizer::step;
  void step(const Tensor& skip) override;
  std::map<std::string, Tensor> state_dict() const override;

 private:
  RMSpropOptions options_;
  std::vector<Tensor> squares_, means_, momenta_;  // the latter two only if they are used
};

}  // namespace reprise::optim
