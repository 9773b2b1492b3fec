#include <reprise/autograd.h>
#include <reprise/cuda_graph.h>
#include <reprise/error.h>
#include <reprise/factories.h>
#include <reprise/graphed_callables.h>

#include "capture/warm_up.h"
#include "kernels/tensor/copy.h"

namespace reprise {
namespace {

using Tensors = std::vector<Tensor>;

// Copies `from` to `to` unless both have the same memory and strides.
void copy_unless_same(const Tensor& to, const Tensor& from) {
  const bool there = to.body().memory->address() == from.body().memory->address() &&
                     to.body().offset == from.body().offset && to.strides() == from.strides();
  if (!there) kernels::copy_(to, from);
}

Tensors detached(const Tensors& tensors) {
  Tensors all;
  for (const Tensor& tensor : tensors) all.push_back(tensor.defined() ? tensor.detach() : Tensor());
  return all;
}

// A function with its forward and backward graphs.
class Graphed {
 public:
  Graphed(const Callable& callable, const Tensors& sample) : function_(callable.function) {
    for (const Tensor& argument : sample) {
      arguments_.push_back(argument.detach().requires_grad_(argument.requires_grad()));
    }
    argument_count_ = arguments_.size();
    for (const Tensor& tensor : arguments_) leaves_.push_back(tensor);
    for (const Tensor& parameter : callable.parameters) leaves_.push_back(parameter);
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      if (leaves_[i].requires_grad()) trained_.push_back(i);
    }
  }

  void warm_up(const GraphedCallablesOptions& options) {
    run_warm_up(
        [&] {
          EnableGradGuard guard;
          const Tensors results = function_(arguments_);
          const Tensors differentiable = differentiable_of(results);
          if (!differentiable.empty()) gradients_of(differentiable, ones_like_all(differentiable), options);
        },
        options.warm_up);
  }

  void capture_forward(const PoolHandle& pool) {
    EnableGradGuard guard;
    forward_.capture([&] { recorded_ = function_(arguments_); }, without_warm_up(pool));
    results_ = detached(recorded_);
    for (std::size_t i = 0; i < recorded_.size(); ++i) {
      if (recorded_[i].requires_grad()) differentiable_.push_back(i);
    }
  }

  void capture_backward(const PoolHandle& pool, const GraphedCallablesOptions& options) {
    if (!differentiable_.empty()) {
      backward_.capture(
          [&] {
            const Tensors differentiable = differentiable_of(recorded_);
            for (const Tensor& result : differentiable) result_gradients_.push_back(empty_like(result));
            gradients_ = gradients_of(differentiable, result_gradients_, options);
          },
          without_warm_up(pool));
    }
    // Frees the tensors saved by the forward pass for the next captures.
    recorded_.clear();
  }

  Tensors call(const std::shared_ptr<Graphed>& self, const Tensors& arguments, const Tensors& parameters) {
    check_arguments(arguments);
    forward_.wait_for_replays();
    for (std::size_t i = 0; i < argument_count_; ++i) copy_unless_same(arguments_[i], arguments[i]);
    forward_.replay();
    const std::uint64_t call = ++calls_;
    Tensors results = detached(results_);
    if (!is_grad_enabled() || differentiable_.empty()) return results;
    Tensors inputs = arguments, outputs;
    inputs.insert(inputs.end(), parameters.begin(), parameters.end());
    for (std::size_t i : differentiable_) outputs.push_back(results[i]);
    outputs =
        autograd::custom_function("graphed callable", inputs, std::move(outputs),
                                  [self, call](const Tensors& gradients) { return self->backward(gradients, call); });
    for (std::size_t i = 0; i < differentiable_.size(); ++i) results[differentiable_[i]] = outputs[i];
    return results;
  }

 private:
  static CaptureOptions without_warm_up(const PoolHandle& pool) {
    CaptureOptions options;
    options.pool = pool;
    options.warm_up = 0;
    return options;
  }

  static Tensors differentiable_of(const Tensors& results) {
    Tensors found;
    for (const Tensor& result : results) {
      if (result.requires_grad()) found.push_back(result);
    }
    return found;
  }

  static Tensors ones_like_all(const Tensors& tensors) {
    Tensors all;
    for (const Tensor& tensor : tensors) all.push_back(ones_like(tensor));
    return all;
  }

  // One gradient per leaf, undefined for leaves that do not require gradients.
  Tensors gradients_of(const Tensors& results, const Tensors& gradients, const GraphedCallablesOptions& options) const {
    Tensors targets;
    for (std::size_t i : trained_) targets.push_back(leaves_[i]);
    const Tensors found = grad(results, targets, gradients, {}, options.allow_unused_input);
    Tensors all(leaves_.size());
    for (std::size_t i = 0; i < trained_.size(); ++i) all[trained_[i]] = found[i];
    return all;
  }

  void check_arguments(const Tensors& arguments) const {
    check(arguments.size() == argument_count_, "a graphed callable of ", argument_count_, " arguments was given ",
          arguments.size());
    for (std::size_t i = 0; i < argument_count_; ++i) {
      const Tensor &given = arguments[i], &sample = arguments_[i];
      check(given.sizes() == sample.sizes() && given.dtype() == sample.dtype(), "a graphed callable was captured with ",
            sample.dtype(), " ", sample.sizes(), " as argument ", i, " and given ", given.dtype(), " ", given.sizes());
      check(!is_grad_enabled() || !given.requires_grad() || sample.requires_grad(), "argument ", i,
            " of a graphed callable requires gradients, but its sample did not, so none were captured for it");
    }
  }

  Tensors backward(const Tensors& gradients, std::uint64_t call) {
    check(call == calls_, "backward through call number ", call, " of a graphed callable, which was called ", calls_,
          " times: the last call has overwritten the results of earlier ones; call backward before the next call");
    backward_.wait_for_replays();
    for (std::size_t i = 0; i < gradients.size(); ++i) copy_unless_same(result_gradients_[i], gradients[i]);
    backward_.replay();
    return detached(gradients_);
  }

  const TensorFunction function_;
  Tensors arguments_;  // the tensors that the graphs read
  std::size_t argument_count_;
  Tensors leaves_;  // arguments, then parameters
  std::vector<std::size_t> trained_;
  CUDAGraph forward_, backward_;
  Tensors recorded_;  // the results with their history, until the backward pass is captured
  Tensors results_, result_gradients_, gradients_;
  std::vector<std::size_t> differentiable_;  // indices of results that require gradients
  std::uint64_t calls_ = 0;
};

class GraphedModule final : public nn::Module {
 public:
  GraphedModule(std::shared_ptr<nn::Module> module, TensorFunction graphed)
      : module_(add("module", std::move(module))),
        graphed_(std::move(graphed)),
        captured_training_(module_->is_training()) {
    train(captured_training_);
  }
  Tensor forward(const Tensor& input) override {
    return is_training() == captured_training_ ? graphed_({input})[0] : module_->forward(input);
  }

 private:
  std::shared_ptr<nn::Module> module_;
  TensorFunction graphed_;
  bool captured_training_;
};

}  // namespace

std::vector<TensorFunction> make_graphed_callables(const std::vector<Callable>& callables,
                                                   const std::vector<Tensors>& samples,
                                                   const GraphedCallablesOptions& options) {
  check(callables.size() == samples.size(), "make_graphed_callables: ", callables.size(),
        " functions and arguments for ", samples.size());
  const PoolHandle pool = options.pool ? options.pool : graph_pool_handle();
  std::vector<std::shared_ptr<Graphed>> all;
  for (std::size_t i = 0; i < callables.size(); ++i) all.push_back(std::make_shared<Graphed>(callables[i], samples[i]));
  for (const auto& graphed : all) graphed->warm_up(options);
  for (const auto& graphed : all) graphed->capture_forward(pool);
  for (auto graphed = all.rbegin(); graphed != all.rend(); ++graphed) (*graphed)->capture_backward(pool, options);
  std::vector<TensorFunction> functions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    functions.push_back([graphed = all[i], parameters = callables[i].parameters](const Tensors& arguments) {
      return graphed->call(graphed, arguments, parameters);
    });
  }
  return functions;
}

TensorFunction make_graphed_callable(const Callable& callable, const Tensors& sample,
                                     const GraphedCallablesOptions& options) {
  return make_graphed_callables({callable}, {sample}, options)[0];
}

std::vector<std::shared_ptr<nn::Module>> make_graphed_modules(const std::vector<std::shared_ptr<nn::Module>>& modules,
                                                              const Tensors& samples,
                                                              const GraphedCallablesOptions& options) {
  std::vector<Callable> callables;
  std::vector<Tensors> arguments;
  for (const auto& module : modules) {
    callables.push_back(
        {[module](const Tensors& in) { return Tensors{module->forward(in[0])}; }, module->parameters()});
  }
  for (const Tensor& sample : samples) arguments.push_back({sample});
  const std::vector<TensorFunction> functions = make_graphed_callables(callables, arguments, options);
  std::vector<std::shared_ptr<nn::Module>> graphed;
  for (std::size_t i = 0; i < modules.size(); ++i)
    graphed.push_back(std::make_shared<GraphedModule>(modules[i], functions[i]));
  return graphed;
}

std::shared_ptr<nn::Module> make_graphed_module(std::shared_ptr<nn::Module> module, const Tensor& sample,
                                                const GraphedCallablesOptions& options) {
  return make_graphed_modules({std::move(module)}, {sample}, options)[0];
}

}  // namespace reprise
