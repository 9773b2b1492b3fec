#include <cuda_runtime.h>
#include <reprise/error.h>

#include "graph/conditional_kernels.h"
#include "kernels/device/element.h"

namespace reprise {
namespace {

__global__ void set_conditional(cudaGraphConditionalHandle handle, const void* condition, DType dtype) {
  cudaGraphSetConditional(handle, kernels::load<float>(condition, dtype, 0) != 0.0f ? 1u : 0u);
}

__global__ void derive_position(std::uint64_t* position, PhiloxState state) {
  position[0] = derived_seed(state.draw(0));
  position[1] = 0;
}

}  // namespace

void launch_set_conditional(cudaGraphConditionalHandle handle, const Tensor& condition, cudaStream_t stream) {
  set_conditional<<<1, 1, 0, stream>>>(handle, condition.data(), condition.dtype());
  check_cuda(cudaGetLastError(), "setting the condition of a captured branch or loop");
}

void launch_derive_position(std::uint64_t* position, PhiloxState state, cudaStream_t stream) {
  derive_position<<<1, 1, 0, stream>>>(position, state);
  check_cuda(cudaGetLastError(), "deriving the random numbers of a captured branch or loop");
}

}  // namespace reprise
