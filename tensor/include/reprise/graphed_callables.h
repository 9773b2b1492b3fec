// Functions whose forward and backward passes are graphs: a network in the middle of eager code trains at the speed of
// replay, while losses, data and control flow around it stay ordinary.
//
//   auto layer = make_graphed_module(module, sample);     // captured with what `sample` is: its shape, its type
//   loss(layer->forward(x), y).backward();                // two replays inside
//
// Each is one operation to autograd: its arguments and parameters get gradients from one replay of the backward graph.
// All graphs of one call share a pool. They are captured forwards in order and backwards in the opposite one, and must
// be called like that: where a call would read what another has overwritten, it is an error. Results stay until the
// next call; clone() what is to stay longer. Gradients of gradients are an error that says so.
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
  std::vector<Tensor> parameters;  // what it uses beside its arguments and is to be trained
};

struct GraphedCallablesOptions {
  int warm_up = 3;                  // runs before the capture, of which nothing is left
  bool allow_unused_input = false;  // an argument or parameter without influence on the results has no gradient
  PoolHandle pool;
};

// `samples` has the arguments of each function. An argument that is passed later is copied into its sample's memory,
// unless it is that memory; it must have the same shape and type, and may require gradients only if the sample did.
std::vector<TensorFunction> make_graphed_callables(const std::vector<Callable>& callables,
                                                   const std::vector<std::vector<Tensor>>& samples,
                                                   const GraphedCallablesOptions& options = {});
TensorFunction make_graphed_callable(const Callable& callable, const std::vector<Tensor>& sample,
                                     const GraphedCallablesOptions& options = {});

// The same for modules of one argument. What is returned has the module as its part "module", and calls it as it is
// while it is training where it was not when it was captured, or the other way round.
std::vector<std::shared_ptr<nn::Module>> make_graphed_modules(const std::vector<std::shared_ptr<nn::Module>>& modules,
                                                              const std::vector<Tensor>& samples,
                                                              const GraphedCallablesOptions& options = {});
std::shared_ptr<nn::Module> make_graphed_module(std::shared_ptr<nn::Module> module, const Tensor& sample,
                                                const GraphedCallablesOptions& options = {});

}  // namespace reprise
