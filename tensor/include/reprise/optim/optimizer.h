// What optimisers have in common. A step is work on the current stream alone: it can be captured and replayed, since
// the learning rate, the number of the step and what the method remembers are in device memory. All of that is made
// with the optimiser, so that nothing of it is made anew inside a capture.
#pragma once

#include <reprise/tensor.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reprise::optim {

// Parameters with settings of their own; where one is not given, it is that of the optimiser.
struct ParameterGroup {
  std::vector<Tensor> parameters;
  std::optional<double> learning_rate = {}, weight_decay = {};
};
using ParameterGroups = std::vector<ParameterGroup>;

// Parameters of 16 bits are updated in single precision: the optimiser keeps a copy of each, from which the parameter
// is rounded. Steps smaller than what the parameter can tell apart add up there. A parameter that someone else has
// changed counts as it is.
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

  // Of all groups.
  const std::vector<Tensor>& parameters() const { return parameters_; }
  std::size_t groups() const { return groups_.size(); }
  // One f32, which steps read when they run.
  const Tensor& learning_rate(std::size_t group = 0) const { return groups_.at(group).learning_rate; }
  // Ordered on the current stream, so that steps and replays launched later see it. Without a group: of all.
  void set_learning_rate(double rate);
  void set_learning_rate(double rate, std::size_t group);
  // What it was when the optimiser was made: what schedules start from.
  double initial_learning_rate(std::size_t group = 0) const { return groups_.at(group).initial_learning_rate; }

  // All that has to be saved beside the parameters; the tensors themselves.
  virtual std::map<std::string, Tensor> state_dict() const;
  // Copies values in, so that captured steps go on with them.
  void load_state_dict(const std::map<std::string, Tensor>& state);

 protected:
  Optimizer(ParameterGroups groups, double learning_rate, double weight_decay, const char* name);

  // One f32 tensor of zeros for each parameter.
  std::vector<Tensor> zeros_like_parameters() const;
  static void add_state(std::map<std::string, Tensor>& state, const char* name, const std::vector<Tensor>& tensors);
  // One for each group; the first has no number.
  static void add_group_state(std::map<std::string, Tensor>& state, const char* name,
                              const std::vector<Tensor>& tensors);

  // The parameters of a group that have grads, which are about to be changed, their grads, and what else belongs to
  // them.
  struct WithGrads {
    std::vector<Tensor> parameters, gradients;
    std::vector<std::vector<Tensor>> others;
    Tensor learning_rate;
    double weight_decay;
    std::vector<Tensor> rounded, masters;  // parameters of 16 bits, and their copies, which are among `parameters`
  };
  WithGrads about_to_change(std::size_t group, const std::vector<const std::vector<Tensor>*>& others) const;
  // Called when the parameters have been changed.
  static void changed(const WithGrads& group);

 private:
  struct Group {
    std::size_t begin, end;  // in parameters_
    Tensor learning_rate;
    double initial_learning_rate, weight_decay;
  };
  std::vector<Tensor> parameters_;
  std::vector<Tensor> masters_;  // for each parameter; undefined for those of f32
  std::vector<Group> groups_;
};

}  // namespace reprise::optim
