#pragma once

#include <reprise/tensor.h>

#include <vector>

namespace reprise {

// Scales all grads so that their total norm is at most `max_norm`. Returns the previous norm as a device tensor; the
// host reads nothing.
Tensor clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm);

}  // namespace reprise
