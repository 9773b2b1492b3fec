// Philox 4x32, ten rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): random numbers as a
// function of a seed and a counter, for kernels and for the host.
//
// The convention of this library: an operation takes a PhiloxState from a Generator and draws four words for each
// `group`, which is the index of the first of four elements divided by four. So the numbers do not depend on how a
// kernel is divided into blocks, and are the same on every device.
//
//   __global__ void fill(float* out, int n, PhiloxState state) {
//     for (int group = thread; group * 4 < n; group += threads) {
//       PhiloxWords words = state.draw(group);       // words.at[0..3]
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define REPRISE_HOST_DEVICE __host__ __device__
#else
#define REPRISE_HOST_DEVICE
#endif

namespace reprise {

struct PhiloxWords {
  std::uint32_t at[4];
};

REPRISE_HOST_DEVICE inline PhiloxWords philox(std::uint64_t seed, std::uint64_t offset, std::uint64_t group) {
  std::uint32_t c0 = static_cast<std::uint32_t>(offset), c1 = static_cast<std::uint32_t>(offset >> 32);
  std::uint32_t c2 = static_cast<std::uint32_t>(group), c3 = static_cast<std::uint32_t>(group >> 32);
  std::uint32_t k0 = static_cast<std::uint32_t>(seed), k1 = static_cast<std::uint32_t>(seed >> 32);
  // Unrolled, so that the CPU compiler can vectorise over groups.
#if defined(__CUDACC__)
#pragma unroll
#endif
  for (int round = 0; round < 10; ++round) {
    std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c0;
    std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * c2;
    c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(p1);
    c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(p0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

// Maps a word to a float in [0, 1).
REPRISE_HOST_DEVICE inline float uniform(std::uint32_t word) {
  return static_cast<float>(word >> 8) * (1.0f / 16777216.0f);
}

// The position of a generator, which an operation passes to its kernel by value. In a graph, each replay reads the seed
// and the base offset from device memory; `offset` is then relative to the base, and `seed` is 0.
struct PhiloxState {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
  const std::uint64_t* in_graph = nullptr;  // seed, offset

  // `draw` distinguishes several draws of one operation for one group; it must be less than the count passed to next().
  REPRISE_HOST_DEVICE PhiloxWords draw(std::uint64_t group, std::uint64_t draw = 0) const {
    // Adds instead of selecting: a select between addresses would prevent vectorisation.
    std::uint64_t graph_seed = 0, graph_offset = 0;
    if (in_graph) {
      graph_seed = in_graph[0];
      graph_offset = in_graph[1];
    }
    return philox(seed + graph_seed, offset + graph_offset + draw, group);
  }
};

}  // namespace reprise
