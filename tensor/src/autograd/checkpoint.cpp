#include <reprise/checkpoint.h>

#include "autograd/engine.h"
#include "autograd/record.h"
#include "capture/random_tape.h"

namespace reprise {
namespace {

using autograd::Edge;
using autograd::Node;
using autograd::SavedTensor;
using autograd::Tensors;
using Function = std::function<Tensors(const Tensors&)>;

class Checkpoint final : public Node {
 public:
  Checkpoint(Function function, const Tensors& inputs, std::size_t results, RandomTape tape, std::vector<Edge> ends)
      : Node("checkpoint"),
        function_(std::move(function)),
        results_(results),
        tape_(std::move(tape)),
        ends_(std::move(ends)) {
    for (const Tensor& input : inputs) inputs_.emplace_back(input, "checkpoint");
    for (const Edge& end : ends_) add_edge(end);
  }

  Tensors backward(Tensors gradients) override {
    if (!function_) autograd::fail_released(name());
    const bool again = is_grad_enabled();
    Tensors found = through_another_run(gradients);
    if (again) autograd::forbid_history(found, name());
    return found;
  }
  void release() override {
    function_ = nullptr;
    inputs_.clear();
    tape_ = {};
  }

 private:
  Tensors through_another_run(const Tensors& gradients) {
    Tensors inputs, results, outputs, weights;
    for (const SavedTensor& input : inputs_) inputs.push_back(input.get());
    {
      EnableGradGuard recorded;
      RandomTape::Playing same_numbers(tape_);
      results = function_(inputs);
    }
    check(results.size() == results_, "the function of a checkpoint returned ", results_, " tensors at first and ",
          results.size(), " in backward: it must do the same both times");
    std::size_t number = 0;
    for (const Tensor& result : results) {
      if (!is_floating(result.dtype())) continue;
      const Tensor& gradient = gradients[number++];
      if (!gradient.defined() || !result.requires_grad()) continue;
      outputs.push_back(result);
      weights.push_back(gradient);
    }
    results.clear();
    if (outputs.empty()) return Tensors(ends_.size());
    NoGradGuard guard;
    return autograd::gradients_at(ends_, outputs, weights, {});
  }

  Function function_;
  const std::size_t results_;
  std::vector<SavedTensor> inputs_;
  RandomTape tape_;
  std::vector<Edge> ends_;
};

}  // namespace

Tensors checkpoint(Function function, const Tensors& inputs) {
  if (!is_grad_enabled()) return function(inputs);
  RandomTape tape;
  std::vector<Edge> ends;
  Tensors results;
  {
    RandomTape::Recording recording(tape);
    const std::uint64_t begin = autograd::sequence_now();
    // Recorded only to find the tensors that get gradients; the recording is dropped.
    Tensors recorded = function(inputs);
    autograd::add_ends(recorded, begin, ends);
    for (const Tensor& each : recorded) results.push_back(each.detach());
  }
  if (ends.empty()) return results;
  auto node =
      std::make_shared<Checkpoint>(std::move(function), inputs, results.size(), std::move(tape), std::move(ends));
  for (Tensor& result : results) {
    if (is_floating(result.dtype())) autograd::set_history(result, node);
  }
  return results;
}

Tensor checkpoint(std::function<Tensor(const Tensor&)> function, const Tensor& input) {
  return checkpoint([function = std::move(function)](const Tensors& in) { return Tensors{function(in[0])}; },
                    Tensors{input})[0];
}

}  // namespace reprise
