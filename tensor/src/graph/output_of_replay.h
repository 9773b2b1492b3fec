// Handles to a graph's outputs that know which replay they are of.
#pragma once

#include <reprise/tensor.h>

namespace reprise {

// The same tensor, whose values can be read until the next replay of its graph overwrites them; then that is an error.
Tensor output_of_replay(const Tensor& output);

}  // namespace reprise
