#include "kernel/launch_shape.h"

#include <algorithm>
#include <string>

#include "base/devices.h"
#include "diagnose/refuse.h"

namespace reprise_runtime::kernel {
namespace {

bool within(const dim3& size, const uint32_t (&most)[3]) {
  return size.x - 1 < most[0] && size.y - 1 < most[1] && size.z - 1 < most[2];  // 0 wraps around and is refused too
}

uint64_t most_cooperative_blocks(const Function& function, const LaunchShape& shape) {
  return uint64_t{resident_blocks(function, shape.threads(), shape.dynamic_shared)} *
         static_cast<uint64_t>(core_count());
}

std::string text_of(const dim3& size) {
  return std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
}

std::string text_of(const uint32_t (&most)[3]) { return text_of(dim3(most[0], most[1], most[2])); }

std::string describe_shared(const Function& function, const reprise_kernel& code) {
  const uint32_t most = max_shared_opt_in - code.static_shared;
  std::string text =
      "at most " + std::to_string(function.max_dynamic_shared()) + " bytes of dynamic shared memory are allowed";
  if (function.max_dynamic_shared() < most) {
    text +=
        "; cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize allows up to " + std::to_string(most);
  }
  return text;
}

struct Problem {
  cudaError_t code;
  std::string text;
};

// Finds the first limit that a shape exceeds. CUDA documents cudaErrorInvalidConfiguration for shapes; NVIDIA's runtime
// returns cudaErrorInvalidValue.
Problem find_problem(const Function& function, const reprise_kernel& code, const LaunchShape& shape) {
  auto invalid = [](std::string text) { return Problem{cudaErrorInvalidValue, std::move(text)}; };
  const std::string threads = "the block has " + std::to_string(shape.threads()) + " threads; ";
  if (!within(shape.block, max_block)) {
    return invalid("each side of a block must be at least 1, and at most " + text_of(max_block));
  }
  if (!within(shape.grid, max_grid)) {
    return invalid("each side of a grid must be at least 1, and at most " + text_of(max_grid));
  }
  if (shape.threads() > max_block_threads)
    return invalid(threads + "the limit is " + std::to_string(max_block_threads));
  if (code.max_threads && shape.threads() > code.max_threads) {
    return invalid(threads + "the kernel's __launch_bounds__ allow " + std::to_string(code.max_threads));
  }
  if (const uint64_t most = most_cooperative_blocks(function, shape); shape.cooperative && shape.blocks() > most) {
    return {
        cudaErrorCooperativeLaunchTooLarge,
        "all blocks of a cooperative launch run at once, and the device holds " + std::to_string(most) + " of these"};
  }
  return invalid(describe_shared(function, code));
}

[[gnu::cold, gnu::noinline]] cudaError_t refuse_shape(const Function& function, const reprise_kernel& code,
                                                      const LaunchShape& shape) {
  const Problem problem = find_problem(function, code, shape);
  return diagnose::refuse(problem.code,
                          "kernel %s with a grid of %s, a block of %s and %u bytes of dynamic shared memory: %s",
                          function.readable_name().c_str(), text_of(shape.grid).c_str(), text_of(shape.block).c_str(),
                          shape.dynamic_shared, problem.text.c_str());
}

}  // namespace

cudaError_t validate(const Function& function, const reprise_kernel& code, const LaunchShape& shape) {
  const bool fits = within(shape.block, max_block) && within(shape.grid, max_grid) &&
                    shape.threads() <= max_block_threads &&
                    (!code.max_threads || shape.threads() <= code.max_threads) &&
                    (!shape.cooperative || shape.blocks() <= most_cooperative_blocks(function, shape)) &&
                    shape.dynamic_shared <= function.max_dynamic_shared();
  return fits ? cudaSuccess : refuse_shape(function, code, shape);
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
