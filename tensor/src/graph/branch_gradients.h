// The backward pass of captured branches and loops.
#pragma once

#include <reprise/control_flow.h>

#include <array>
#include <cstdint>

namespace reprise {

// Makes `results` the results of one operation whose backward differentiates the branch that `predicate` selected in
// the same replay. `branches` are the results of each branch, recorded since `begin` (autograd::sequence_now()).
void record_branches(const Tensor& predicate, const std::array<Tensors, 2>& branches, std::uint64_t begin,
                     Tensors& results);

// Makes `results` the results of an operation on `inputs` whose backward throws an error with the reason `why`.
void record_not_differentiable(const char* name, const char* why, const Tensors& inputs, Tensors& results);

}  // namespace reprise
