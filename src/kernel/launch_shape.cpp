#include "kernel/launch_shape.h"

#include <algorithm>

#include "base/devices.h"

namespace reprise_runtime::kernel {
namespace {

bool within(const dim3& size, const uint32_t (&most)[3]) {
  return size.x - 1 < most[0] && size.y - 1 < most[1] && size.z - 1 < most[2];  // 0 wraps around and is refused too
}

}  // namespace

cudaError_t validate(const Function& function, const reprise_kernel& code, const LaunchShape& shape) {
  // CUDA documents cudaErrorInvalidConfiguration for shapes; NVIDIA's runtime gives this one.
  if (!within(shape.block, max_block) || !within(shape.grid, max_grid)) return cudaErrorInvalidValue;
  if (shape.threads() > max_block_threads) return cudaErrorInvalidValue;
  if (code.max_threads && shape.threads() > code.max_threads) return cudaErrorInvalidValue;
  if (shape.cooperative) {
    uint64_t most = uint64_t{resident_blocks(function, shape.threads(), shape.dynamic_shared)} *
                    static_cast<uint64_t>(core_count());
    if (shape.blocks() > most) return cudaErrorCooperativeLaunchTooLarge;
  }
  return shape.dynamic_shared > function.max_dynamic_shared() ? cudaErrorInvalidValue : cudaSuccess;
}

const char* describe_fault(const reprise_kernel& code, const LaunchShape& shape) {
  if (!within(shape.block, max_block)) return "the block has a side of 0 or beyond the limit";
  if (!within(shape.grid, max_grid)) return "the grid has a side of 0 or beyond the limit";
  if (shape.threads() > max_block_threads) return "the block has too many threads";
  if (code.max_threads && shape.threads() > code.max_threads)
    return "the block has more threads than __launch_bounds__";
  return "the shared memory, or the grid of a cooperative kernel, is too large";
}

uint32_t resident_blocks(const Function& function, uint32_t threads, uint32_t dynamic_shared) {
  const reprise_kernel* code = function.code();
  if (!code || threads == 0 || threads > max_block_threads) return 0;
  if (dynamic_shared > function.max_dynamic_shared()) return 0;
  uint32_t rounded = (threads + warp_size - 1) / warp_size * warp_size;
  uint32_t blocks = std::min(multiprocessor_blocks, multiprocessor_threads / rounded);
  uint32_t shared = code->static_shared + dynamic_shared;
  return std::min(blocks, multiprocessor_shared / (shared + reserved_shared));
}

}  // namespace reprise_runtime::kernel
