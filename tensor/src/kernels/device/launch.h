// Grids for kernels with one thread per element.
#pragma once

#include <reprise/current_stream.h>
#include <reprise/error.h>

#include <cstdint>

namespace reprise::kernels {

constexpr int threads_per_block = 256;

inline unsigned blocks_for(std::int64_t elements) {
  return static_cast<unsigned>((elements + threads_per_block - 1) / threads_per_block);
}

// If one block is enough, it has as few warps as needed.
inline unsigned threads_for(std::int64_t elements) {
  constexpr std::int64_t warp = 32;
  return elements >= threads_per_block ? threads_per_block : static_cast<unsigned>((elements + warp - 1) / warp * warp);
}

inline void check_launch(const char* operation) { check_cuda(cudaGetLastError(), operation); }

}  // namespace reprise::kernels
