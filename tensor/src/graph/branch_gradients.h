// The way back through a captured branch.
#pragma once

#include <reprise/control_flow.h>

#include <array>
#include <cstdint>

namespace reprise {

// Makes `results` those of one operation, whose gradients go back through the branch that `predicate` chose in the same
// replay. `branches` are what each gave, recorded since `begin` (autograd::sequence_now()).
void record_branches(const Tensor& predicate, const std::array<Tensors, 2>& branches, std::uint64_t begin,
                     Tensors& results);

// Makes `results` those of an operation that `inputs` and what they were computed from lead to, and that has no way
// back: an error says so.
void record_no_way_back(const char* name, const char* why, const Tensors& inputs, Tensors& results);

}  // namespace reprise
