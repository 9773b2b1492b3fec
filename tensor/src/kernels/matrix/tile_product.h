// Products of small matrices with fused bias and activation: c = activation(a b + bias). For GPUs, where such products
// are too small for cuBLAS to use the whole machine: the terms of a tile of c are divided among the blocks of a
// cluster, which combine their sums through distributed shared memory in a fixed order. Full single precision.
#pragma once

#include <cstdint>

namespace reprise::kernels {

enum class Activation { none, relu, gelu };

// Element (row, term) is at data[row * stride + term], or at data[term * stride + row] if rows are adjacent in memory.
struct Factor {
  const float* data;
  int stride;
  bool rows_are_neighbours;
};

struct TileProduct {
  Factor a;           // rows of c by terms
  Factor b;           // columns of c by terms
  float* c;           // contiguous
  const float* bias;  // one per column of c, or null
  float* row_sums;    // the sums of the rows of a over the terms, or null
  float* before;      // the argument of the activation, with the layout of c, or null
  int rows, columns, terms;
  Activation activation;
};

// Whether the kernel supports the product: sizes and addresses allow loads of four floats; and GELU or `before` only if
// the terms of both factors are adjacent in memory.
bool fits_tiles(const TileProduct& product);
// Divides the terms into `parts` parts: 1, 2, 4 or 8 (on the CPU device 1); 0 means automatic.
void tile_product(const char* operation, const TileProduct& product, int parts = 0);

// At most four rows times a matrix whose terms are adjacent in memory: one warp per column of c.
bool fits_few_rows(const TileProduct& product);
void few_rows_product(const char* operation, const TileProduct& product);

}  // namespace reprise::kernels
