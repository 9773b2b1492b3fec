// What optimisers have in common. A step is work on the current stream alone: it can be captured and replayed, since the
// learning rate, the number of the step and what the method remembers are in device memory. All of that is made with the
// optimiser, so that nothing of it is made anew inside a capture.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <reprise/tensor.h>

namespace reprise::optim {

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // Updates the parameters that have a grad.
  void step() { step(Tensor()); }
  // The same, or nothing if `skip` (one f32 in device memory) is not zero when the step runs.
  virtual void step(const Tensor& skip) = 0;

  // Without grads backward makes them anew. A graph that was captured so has them in its own memory; where grads are to
  // stay where they are, they are set to zero instead.
  void zero_grad(bool set_to_none = true);

  const std::vector<Tensor>& parameters() const { return parameters_; }
  // One f32, which steps read when they run.
  const Tensor& learning_rate() const { return learning_rate_; }
  // Ordered on the current stream, so that steps and replays launched later see it.
  void set_learning_rate(double rate);
  // What it was when the optimiser was made: what schedules start from.
  double initial_learning_rate() const { return initial_learning_rate_; }

  // All that has to be saved beside the parameters; the tensors themselves.
  virtual std::map<std::string, Tensor> state_dict() const;
  // Copies values in, so that captured steps go on with them.
  void load_state_dict(const std::map<std::string, Tensor>& state);

 protected:
  Optimizer(std::vector<Tensor> parameters, double learning_rate, const char* name);

  // One f32 tensor of zeros for each parameter.
  std::vector<Tensor> zeros_like_parameters() const;
  static void add_state(std::map<std::string, Tensor>& state, const char* name, const std::vector<Tensor>& tensors);

  // The parameters that have grads, which are about to be changed, their grads, and what else belongs to them.
  struct WithGrads {
    std::vector<Tensor> parameters, gradients;
    std::vector<std::vector<Tensor>> others;
  };
  WithGrads about_to_change(const std::vector<const std::vector<Tensor>*>& others) const;

 private:
  std::vector<Tensor> parameters_;
  Tensor learning_rate_;
  double initial_learning_rate_;
};

}  // namespace reprise::optim
