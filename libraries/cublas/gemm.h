// The product of matrices, C = alpha op(A) op(B) + beta C, for one matrix or a batch; column by column as in BLAS.
#pragma once

#include "kernel.h"

namespace reprise_cublas {

enum class Element : uint8_t { f32, f16, bf16, f64 };

// Where the ith matrix of a batch is: at base + i * stride elements, or at what the ith of `array` says.
struct Matrices {
  const void* base;
  const void* const* array;
  int64_t stride;
  int leading;
  Element element;
  bool transposed;
};

struct Gemm {
  int m, n, k, batch;
  int tile_m, tile_n;  // of C, for a block
  bool f64;
  Scalar<float> alpha, beta;
  Scalar<double> alpha64, beta64;
  bool half_scalars;  // alpha and beta are halves in device memory: alpha64.address, beta64.address
  Matrices a, b, c;

  double tile_work() const;  // in floating-point operations, or what takes as long
  uint64_t tiles() const { return uint64_t{rows()} * columns(); }
  uint32_t rows() const { return static_cast<uint32_t>((int64_t{m} + tile_m - 1) / tile_m); }
  uint32_t columns() const { return static_cast<uint32_t>((int64_t{n} + tile_n - 1) / tile_n); }
};

// Cuts C into tiles: enough of them for the cores to share evenly, none so small that a call costs more than its work.
void choose_tiles(Gemm& gemm, int cores);

}  // namespace reprise_cublas
