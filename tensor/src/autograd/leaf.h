// The end of the way back: the gradient of a leaf is added to its grad.
#pragma once

#include <memory>

#include <reprise/autograd.h>

namespace reprise::autograd {

// The one node that adds to the grad of `leaf`; it keeps the leaf, which knows it for as long as somebody has it.
std::shared_ptr<Node> accumulator_of(const Tensor& leaf);

}  // namespace reprise::autograd
