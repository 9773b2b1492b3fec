#pragma once

#include <reprise/tensor.h>

#include <vector>

namespace reprise {

// Scales all grads so that together, as one vector, they are no longer than `max_norm`. Returns how long they were, on
// the device; nothing is read on the host.
Tensor clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm);

}  // namespace reprise
