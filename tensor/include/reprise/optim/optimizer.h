// The base class of optimisers. A step only submits work to the current stream. It can be captured, since learning
// rate, step count and state are in device memory. The constructor allocates all of it, so that a capture never
// initialises state that each replay would then reset.
#pragma once

#include <reprise/tensor.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reprise::optim {

// Parameters with their own settings, which default to those of the optimiser.
struct ParameterGroup {
  std::vector<Tensor> parameters;
  std::optional<double> learning_rate = {}, weight_decay = {};
};
using ParameterGroups = std::vector<ParameterGroup>;

// For 16-bit parameters the optimiser keeps master copies in single precision and rounds the parameters from them, so
// that steps below the resolution of 16 bits accumulate. If a parameter was changed elsewhere, its master copy follows.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // Updates the parameters that have a grad.
  void step() { step(Tensor()); }
  // The same, unless `skip` (one f32 in device memory) is not zero when the step runs.
  virtual void step(const Tensor& skip) = 0;

  // Drops the grads, so that backward allocates new ones (in a capture, from the graph's pool), or, if not set_to_none,
  // fills them with zeros in place.
  void zero_grad(bool set_to_none = true);

  // Of all groups.
  const std::vector<Tensor>& parameters() const { return parameters_; }
  std::size_t groups() const { return groups_.size(); }
  // One f32, read when a step runs.
  const Tensor& learning_rate(std::size_t group = 0) const { return groups_.at(group).learning_rate; }
  // Writes the rate on the current stream, so that steps and replays launched later use it. Without a group, of all
  // groups.
  void set_learning_rate(double rate);
  void set_learning_rate(double rate, std::size_t group);
  // The rate passed to the constructor, from which schedules compute theirs.
  double initial_learning_rate(std::size_t group = 0) const { return groups_.at(group).initial_learning_rate; }

  // The state that must be saved besides the parameters; not copies.
  virtual std::map<std::string, Tensor> state_dict() const;
  // Copies values into the state, so that captured steps use them.
  void load_state_dict(const std::map<std::string, Tensor>& state);

 protected:
  Optimizer(ParameterGroups groups, double learning_rate, double weight_decay, const char* name);

  // One f32 tensor of zeros for each parameter.
  std::vector<Tensor> zeros_like_parameters() const;
  static void add_state(std::map<std::string, Tensor>& state, const char* name, const std::vector<Tensor>& tensors);
  // One tensor per group; the name of the first has no number.
  static void add_group_state(std::map<std::string, Tensor>& state, const char* name,
                              const std::vector<Tensor>& tensors);

  // The parameters of a group that have grads, with their grads and states.
  struct WithGrads {
    std::vector<Tensor> parameters, gradients;
    std::vector<std::vector<Tensor>> others;
    Tensor learning_rate;
    double weight_decay;
    std::vector<Tensor> rounded, masters;  // parameters of 16 bits, and their copies, which are among `parameters`
  };
  WithGrads about_to_change(std::size_t group, const std::vector<const std::vector<Tensor>*>& others) const;
  // Called after the parameters have changed.
  static void changed(const WithGrads& group);

 private:
  struct Group {
    std::size_t begin, end;  // in parameters_
    Tensor learning_rate;
    double initial_learning_rate, weight_decay;
  };
  std::vector<Tensor> parameters_;
  std::vector<Tensor> masters_;  // one per parameter; undefined for f32 parameters
  std::vector<Group> groups_;
};

}  // namespace reprise::optim
