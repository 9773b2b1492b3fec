// Handles to outputs of a graph that are valid for one replay.
#pragma once

#include <reprise/tensor.h>

namespace reprise {

// The same tensor; reading it throws once a later replay of its graph has overwritten it.
Tensor output_of_replay(const Tensor& output);

}  // namespace reprise
