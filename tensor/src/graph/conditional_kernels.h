#pragma once

#include <cuda_runtime_api.h>
#include <reprise/philox.h>
#include <reprise/tensor.h>

namespace reprise {

// Sets the conditional handle to 1 if the element of `condition` is not zero, otherwise to 0.
void launch_set_conditional(cudaGraphConditionalHandle handle, const Tensor& condition, cudaStream_t stream);
// Writes a seed derived from `state`, and the offset 0.
void launch_derive_position(std::uint64_t* position, PhiloxState state, cudaStream_t stream);

// The same seed on the host.
REPRISE_HOST_DEVICE inline std::uint64_t derived_seed(const PhiloxWords& words) {
  return static_cast<std::uint64_t>(words.at[0]) << 32 | words.at[1];
}

}  // namespace reprise
