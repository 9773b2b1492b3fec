#include <algorithm>

#include "gemm.h"

namespace reprise::cublas {

void choose_tiles(Gemm& gemm, int cores) {
  constexpr double least_work = 4e6;
  constexpr int least_side = 64, grain = 32;
  gemm.tile_m = std::max(gemm.m, 1);
  gemm.tile_n = std::max(gemm.n, 1);
  auto work = [&] { return 2.0 * gemm.tile_m * gemm.tile_n * gemm.k; };
  auto half = [](int side) { return ((side + 1) / 2 + grain - 1) / grain * grain; };
  while (gemm.tiles() * gemm.batch < 4u * static_cast<unsigned>(cores) && work() > least_work) {
    int& side = gemm.tile_m >= gemm.tile_n ? gemm.tile_m : gemm.tile_n;
    if (side <= least_side) return;
    side = half(side);
  }
}

}  // namespace reprise::cublas
