// The end of the way back: the gradient of a leaf is added to its grad.
#pragma once

#include <reprise/autograd.h>

#include <memory>

namespace reprise::autograd {

// The one node that adds to the grad of `leaf`; it keeps the leaf, which knows it for as long as somebody has it.
std::shared_ptr<Node> accumulator_of(const Tensor& leaf);

// Its grad as it is comes back after a warm-up, or a capture that is thrown away.
void about_to_set_grad(const Tensor& leaf);

}  // namespace reprise::autograd
