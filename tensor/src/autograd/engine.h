// Walks backwards over a part of what was recorded.
#pragma once

#include <reprise/autograd.h>

namespace reprise::autograd {

// Where what was recorded since `begin` (sequence_now()) and led to `results` begins: edges to what was recorded
// before, or to leaves. Those that are not among `ends` are added to them.
void add_ends(const std::vector<Tensor>& results, std::uint64_t begin, std::vector<Edge>& ends);

// The gradients of `outputs`, weighted by `gradients`, that reach each of `ends`, whose nodes do not run; undefined
// where none does. Grads of leaves stay as they are.
std::vector<Tensor> gradients_at(const std::vector<Edge>& ends, const std::vector<Tensor>& outputs,
                                 const std::vector<Tensor>& gradients, BackwardOptions options);

}  // namespace reprise::autograd
