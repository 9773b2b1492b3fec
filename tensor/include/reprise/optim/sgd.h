#pragma once

#include <reprise/optim/optimizer.h>

namespace reprise::optim {

struct SGDOptions {
  double momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false, maximize = false;
};

// PyTorch's SGD. One launch updates up to 64 parameters of a group.
class SGD : public Optimizer {
 public:
  SGD(std::vector<Tensor> parameters, double learning_rate, SGDOptions options = {});
  SGD(ParameterGroups groups, double learning_rate, SGDOptions options = {});
  using Optimizer::step;
  void step(const Tensor& skip) override;
  std::map<std::string, Tensor> state_dict() const override;

 private:
  SGDOptions options_;
  std::vector<Tensor> momenta_;
  std::vector<Tensor> step_states_;  // one per group, if needed
};

}  // namespace reprise::optim
