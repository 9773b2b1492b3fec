#include "kernels.h"

#include <algorithm>

#include "host_kernel/host_kernels.h"

namespace reprise_cudnn {
namespace {

using reprise_host_kernel::kernel;

void convolve(const void* arguments, const reprise_launch* launch) {
  const auto& work = *static_cast<const Convolve*>(arguments);
  for (uint64_t i = launch->block_begin; i < launch->block_end; ++i) {
    const Piece& piece = work.plan->pieces[i];
    piece.primitive->execute(work.a + piece.a, work.b + piece.b, work.bias ? work.bias + piece.bias : nullptr,
                             work.to + piece.to);
  }
}

void add(const void* arguments, const reprise_launch* launch) {
  const auto& work = *static_cast<const Add*>(arguments);
  const int64_t begin = static_cast<int64_t>(launch->block_begin) * Add::block,
                end = std::min(work.length, static_cast<int64_t>(launch->block_end) * Add::block);
  float* __restrict__ to = work.to;
  for (int64_t i = begin; i < end; ++i) to[i] = work.parts[i];
  for (int part = 1; part < work.count; ++part) {
    const float* __restrict__ from = work.parts + part * work.length;
    for (int64_t i = begin; i < end; ++i) to[i] += from[i];
  }
}

// The first three in the order of Direction.
const reprise_kernel kernels[] = {
    kernel<Convolve>("cudnn_convolution", convolve), kernel<Convolve>("cudnn_convolution_backward_data", convolve),
    kernel<Convolve>("cudnn_convolution_backward_filter", convolve), kernel<Add>("cudnn_sum_of_filter_gradients", add)};
constexpr int add_kernel = 3;

const reprise_host_kernel::HostKernels<4> registered("reprise cudnn", kernels);

cudnnStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}

}  // namespace

cudnnStatus_t launch(const Convolve& work, Direction direction, cudaStream_t stream) {
  Convolve arguments = work;
  return status_of(
      registered.launch(static_cast<int>(direction), work.plan->pieces.size(), work.plan->work, &arguments, stream));
}

cudnnStatus_t launch(const Add& work, cudaStream_t stream) {
  Add arguments = work;
  const auto blocks = static_cast<uint64_t>((work.length + Add::block - 1) / Add::block);
  return status_of(registered.launch(add_kernel, blocks, 4.0 * Add::block * work.count, &arguments, stream));
}

}  // namespace reprise_cudnn
