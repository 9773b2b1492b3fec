// Matrix products C = alpha op(A) op(B) + beta C, single or batched, in column-major order as in BLAS.
#pragma once

#include "kernel.h"

namespace reprise_cublas {

enum class Element : uint8_t { f32, f16, bf16, f64 };

// The address of the ith matrix of a batch: base + i * stride elements, or array[i].
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

  double tile_work() const;  // cost in floating-point operations, including memory accesses
  uint64_t tiles() const { return uint64_t{rows()} * columns(); }
  uint32_t rows() const { return static_cast<uint32_t>((int64_t{m} + tile_m - 1) / tile_m); }
  uint32_t columns() const { return static_cast<uint32_t>((int64_t{n} + tile_n - 1) / tile_n); }
};

// Divides C into tiles: enough for all cores, but none so small that the call dominates its work.
void choose_tiles(Gemm& gemm, int cores);

}  // namespace reprise_cublas
