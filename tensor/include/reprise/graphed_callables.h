// Functions whose forward and backward passes are graphs, for use within eager training code.
//
//   auto layer = make_graphed_module(module, sample);     // captured for the shape and type of `sample`
//   loss(layer->forward(x), y).backward();                // two replays inside
//
// Each is one operation for autograd: one replay of the backward graph computes the gradients of its arguments and
// parameters. All graphs of one call share a pool: forward passes are captured in order, backward passes in reverse
// order, and they must be called in that order. A call that would read overwritten memory throws. Results are valid
// until the next call; clone() them to keep them. Differentiating twice throws.
#pragma once

#include <reprise/mem_pool.h>
#include <reprise/nn/module.h>
#include <reprise/tensor.h>

#include <functional>
#include <memory>
#include <vector>

namespace reprise {

using TensorFunction = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

struct Callable {
  TensorFunction function;
  std::vector<Tensor> parameters;  // trained tensors that it uses besides its arguments
};

struct GraphedCallablesOptions {
  int warm_up = 3;                  // runs before the capture; their effects are undone
  bool allow_unused_input = false;  // permits arguments and parameters that do not affect the results
  PoolHandle pool;
};

// `samples` has the arguments of each function. A later argument is copied into the memory of its sample unless it
// already is that memory. It must have the same shape and type, and may require gradients only if the sample does.
std::vector<TensorFunction> make_graphed_callables(const std::vector<Callable>& callables,
                                                   const std::vector<std::vector<Tensor>>& samples,
                                                   const GraphedCallablesOptions& options = {});
TensorFunction make_graphed_callable(const Callable& callable, const std::vector<Tensor>& sample,
                                     const GraphedCallablesOptions& options = {});

// The same for modules of one argument. The returned module has the original as its child "module", and runs it eagerly
// while its training mode differs from that of the capture.
std::vector<std::shared_ptr<nn::Module>> make_graphed_modules(const std::vector<std::shared_ptr<nn::Module>>& modules,
                                                              const std::vector<Tensor>& samples,
                                                              const GraphedCallablesOptions& options = {});
std::shared_ptr<nn::Module> make_graphed_module(std::shared_ptr<nn::Module> module, const Tensor& sample,
                                                const GraphedCallablesOptions& options = {});

}  // namespace reprise
