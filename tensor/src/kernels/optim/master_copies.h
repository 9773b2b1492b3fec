// Master copies in single precision of 16-bit parameters. Both lists have the same order.
#pragma once

#include <reprise/tensor.h>

#include <vector>

namespace reprise::kernels {

// A master that does not round to its parameter takes the parameter's value, which was changed elsewhere.
void follow(const std::vector<Tensor>& masters, const std::vector<Tensor>& parameters);
// Rounds the masters to the parameters.
void round_to(const std::vector<Tensor>& parameters, const std::vector<Tensor>& masters);

}  // namespace reprise::kernels
