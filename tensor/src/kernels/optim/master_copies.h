// Copies in single precision of parameters that have 16 bits. Lists belong together element by element.
#pragma once

#include <reprise/tensor.h>

#include <vector>

namespace reprise::kernels {

// A master that does not round to its parameter takes the parameter's value: someone else has set that.
void follow(const std::vector<Tensor>& masters, const std::vector<Tensor>& parameters);
// Parameters become what the masters round to.
void round_to(const std::vector<Tensor>& parameters, const std::vector<Tensor>& masters);

}  // namespace reprise::kernels
