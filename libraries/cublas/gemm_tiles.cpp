#include <algorithm>

#include "gemm.h"

namespace reprise_cublas {

double Gemm::tile_work() const {
  // Reading or writing an element costs as much as ten operations, which dominates in thin products.
  constexpr double operations_of_element = 10;
  const double rows = tile_m, columns = tile_n, terms = std::max(k, 1);
  return 2 * rows * columns * terms + operations_of_element * (rows * terms + columns * terms + rows * columns);
}

void choose_tiles(Gemm& gemm, int cores) {
  constexpr double least_work = 2.5e6;  // some 20 us
  constexpr int least_side = 64, grain = 32;
  gemm.tile_m = std::max(gemm.m, 1);
  gemm.tile_n = std::max(gemm.n, 1);
  auto half = [](int side) { return ((side + 1) / 2 + grain - 1) / grain * grain; };
  while (gemm.tiles() * gemm.batch < 4u * static_cast<unsigned>(cores) && gemm.tile_work() > least_work) {
    int& side = gemm.tile_m >= gemm.tile_n ? gemm.tile_m : gemm.tile_n;
    if (side <= least_side) return;
    side = half(side);
  }
}

}  // namespace reprise_cublas
