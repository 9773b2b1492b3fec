// Activation checkpointing: saves memory by computing the forward pass again during backward.
//
//   Tensor y = checkpoint([&](const Tensor& x) { return block(x); }, x);
//
// The intermediate results of `function` are not kept. Backward runs it again with the same random numbers and
// differentiates that run. Gradients are bitwise equal to those without a checkpoint, also for parameters and other
// tensors that the function uses besides its arguments. Whatever the function captures must live until backward, and it
// must do the same in both runs. In a capture both runs become part of the graph; if random numbers are drawn, it must
// be the same graph.
#pragma once

#include <reprise/tensor.h>

#include <functional>
#include <vector>

namespace reprise {

std::vector<Tensor> checkpoint(std::function<std::vector<Tensor>(const std::vector<Tensor>&)> function,
                               const std::vector<Tensor>& inputs);
Tensor checkpoint(std::function<Tensor(const Tensor&)> function, const Tensor& input);

}  // namespace reprise
