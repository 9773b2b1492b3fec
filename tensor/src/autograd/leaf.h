// Accumulation of gradients in leaves.
#pragma once

#include <reprise/autograd.h>

#include <memory>

namespace reprise::autograd {

// The node that accumulates into the grad of `leaf`. It keeps the leaf alive; the leaf refers to it weakly.
std::shared_ptr<Node> accumulator_of(const Tensor& leaf);

// Called before the grad of `leaf` is replaced, so that a warm-up or a discarded capture can restore it.
void about_to_set_grad(const Tensor& leaf);

}  // namespace reprise::autograd
