// Matrix products C = alpha op(A) op(B) + beta C, single or batched, in column-major order as in BLAS.
#pragma once

#include <cstring>

#include "kernel.h"

namespace reprise_cublas {

enum class Element : uint8_t { f32, f16, bf16, f64, c32, c64 };

// The address of the ith matrix of a batch: base + i * stride elements, or array[i].
struct Matrices {
  const void* base;
  const void* const* array;
  int64_t stride;
  int leading;
  Element element;
  bool transposed, conjugated;
};

// A scalar of any type, by value or by an address that the kernel reads.
struct AnyScalar {
  alignas(16) unsigned char bytes[16];
  const void* address;

  template <class Value>
  static AnyScalar of(const Value* pointer, bool on_host) {
    AnyScalar made{{}, on_host ? nullptr : pointer};
    if (on_host) std::memcpy(made.bytes, pointer, sizeof *pointer);
    return made;
  }
  template <class Value>
  Value get() const {
    Value value;
    std::memcpy(&value, address ? address : bytes, sizeof value);
    return value;
  }
};

struct Gemm {
  int m, n, k, batch;
  int tile_m, tile_n;  // of C, for a block
  Element compute;     // f32, f64, c32 or c64
  AnyScalar alpha, beta;
  bool half_scalars;  // alpha and beta are halves in device memory
  Matrices a, b, c;

  double tile_work() const;  // cost in floating-point operations, including memory accesses
  uint64_t tiles() const { return uint64_t{rows()} * columns(); }
  uint32_t rows() const { return static_cast<uint32_t>((int64_t{m} + tile_m - 1) / tile_m); }
  uint32_t columns() const { return static_cast<uint32_t>((int64_t{n} + tile_n - 1) / tile_n); }
};

// Divides C into tiles: enough for all cores, but none so small that the call dominates its work.
void choose_tiles(Gemm& gemm, int cores);

void run_blocks(const Gemm& gemm, const reprise_launch& launch);

}  // namespace reprise_cublas
