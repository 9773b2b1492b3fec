// Less memory for gradients, at the price of computing twice.
//
//   Tensor y = checkpoint([&](const Tensor& x) { return block(x); }, x);
//
// What `function` computes on the way to its results is not kept; backward runs it again, with the same random numbers,
// and goes back through that. Gradients are those without a checkpoint, bit by bit, also of parameters and other
// tensors that the function uses beside its arguments. It is called once more later, so what it holds must still be
// there then, and it must do the same both times. Captured, both runs are in the graph; they must be in the same one if
// random numbers are drawn.
#pragma once

#include <reprise/tensor.h>

#include <functional>
#include <vector>

namespace reprise {

std::vector<Tensor> checkpoint(std::function<std::vector<Tensor>(const std::vector<Tensor>&)> function,
                               const std::vector<Tensor>& inputs);
Tensor checkpoint(std::function<Tensor(const Tensor&)> function, const Tensor& input);

}  // namespace reprise
