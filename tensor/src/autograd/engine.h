// Backward passes over a part of the recorded graph.
#pragma once

#include <reprise/autograd.h>

namespace reprise::autograd {

// Adds to `ends` the edges by which the part of the graph that was recorded since `begin` (sequence_now()) and leads to
// `results` refers to earlier nodes and leaves. Edges already in `ends` are not repeated.
void add_ends(const std::vector<Tensor>& results, std::uint64_t begin, std::vector<Edge>& ends);

// The gradients of `outputs`, weighted by `gradients`, at each of `ends`; undefined where none arrives. The nodes of
// `ends` do not run, and grads of leaves do not change.
std::vector<Tensor> gradients_at(const std::vector<Edge>& ends, const std::vector<Tensor>& outputs,
                                 const std::vector<Tensor>& gradients, BackwardOptions options);

}  // namespace reprise::autograd
