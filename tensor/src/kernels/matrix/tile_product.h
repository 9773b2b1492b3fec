// Products of small matrices with what comes after them, in one launch: c = activation(a b + bias). For a GPU, where
// such products are too small for a library to fill the machine: the terms of a tile of c are divided among the blocks
// of a cluster, which add up through each other's shared memory, always in the same order. True single precision.
#pragma once

#include <cstdint>

namespace reprise::kernels {

enum class Activation { none, relu, gelu };

// Element (row, term) is at data[row * stride + term], or at data[term * stride + row] where the rows are neighbours.
struct Factor {
  const float* data;
  int stride;
  bool rows_are_neighbours;
};

struct TileProduct {
  Factor a;           // rows of c by terms
  Factor b;           // columns of c by terms
  float* c;           // dense
  const float* bias;  // one for each column of c, or null
  float* row_sums;    // the sums of a's rows over the terms, or null
  float* before;      // what the activation is applied to, as c, or null
  int rows, columns, terms;
  Activation activation;
};

// Whether the kernel takes it: whole groups of four neighbours at addresses of 16 bytes; and GELU, or `before`, only
// where the terms of both are neighbours.
bool fits_tiles(const TileProduct& product);
// `parts`: into how many the terms are divided (1, 2, 4 or 8; on the CPU device 1); 0 chooses.
void tile_product(const char* operation, const TileProduct& product, int parts = 0);

// A few rows (at most four) by a matrix whose terms are neighbours: a warp for each column of c.
bool fits_few_rows(const TileProduct& product);
void few_rows_product(const char* operation, const TileProduct& product);

}  // namespace reprise::kernels
