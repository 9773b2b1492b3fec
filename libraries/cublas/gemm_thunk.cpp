// Each block computes one tile of one matrix by a call of OpenBLAS on the calling thread.
#include <algorithm>
#include <utility>
#include <vector>

#include "blas.h"
#include "gemm.h"
#include "small_float.h"

namespace reprise_cublas {
namespace {

struct Tile {
  int batch, row, column, rows, columns;
};

Tile tile_of(const Gemm& gemm, uint64_t block) {
  const uint64_t tile = block % gemm.tiles();
  const int row = static_cast<int>(tile % gemm.rows()) * gemm.tile_m;
  const int column = static_cast<int>(tile / gemm.rows()) * gemm.tile_n;
  return {static_cast<int>(block / gemm.tiles()), row, column, std::min(gemm.tile_m, gemm.m - row),
          std::min(gemm.tile_n, gemm.n - column)};
}

// The address of element (row, column) of op(matrix).
const char* address(const Matrices& matrices, int batch, int64_t row, int64_t column) {
  const char* base = static_cast<const char*>(matrices.array ? matrices.array[batch] : matrices.base);
  if (matrices.transposed) std::swap(row, column);
  const int64_t index = row + column * matrices.leading + (matrices.array ? 0 : batch * matrices.stride);
  return base + index * static_cast<int64_t>(size_of(matrices.element));
}

// A part of a matrix as floats: in place if it has floats, otherwise a converted copy.
struct Floats {
  const float* data;
  int leading;
};

Floats floats(const Matrices& matrices, const char* first, int rows, int columns, std::vector<float>& copy) {
  if (matrices.element == Element::f32) return {reinterpret_cast<const float*>(first), matrices.leading};
  if (matrices.transposed) std::swap(rows, columns);
  copy.resize(static_cast<size_t>(rows) * columns);
  for (int column = 0; column < columns; ++column)
    widen(matrices.element, first + static_cast<int64_t>(column) * matrices.leading * 2, rows,
          copy.data() + static_cast<size_t>(column) * rows);
  return {copy.data(), rows};
}

CBLAS_TRANSPOSE transposition(const Matrices& matrices) {
  return matrices.conjugated ? CblasConjTrans : matrices.transposed ? CblasTrans : CblasNoTrans;
}

void multiply(const Gemm& gemm, const Tile& tile, Floats a, Floats b, float alpha, float beta, float* c, int leading) {
  // A matrix times a vector uses gemv, which reads the matrix once and copies nothing.
  if (tile.columns == 1 && !gemm.b.transposed) {
    const bool t = gemm.a.transposed;
    cblas_sgemv(CblasColMajor, transposition(gemm.a), t ? gemm.k : tile.rows, t ? tile.rows : gemm.k, alpha, a.data,
                a.leading, b.data, 1, beta, c, 1);
    return;
  }
  cblas_sgemm(CblasColMajor, transposition(gemm.a), transposition(gemm.b), tile.rows, tile.columns, gemm.k, alpha,
              a.data, a.leading, b.data, b.leading, beta, c, leading);
}

struct Scalars {
  float alpha, beta;
};

Scalars scalars(const Gemm& gemm) {
  if (!gemm.half_scalars) return {gemm.alpha.get<float>(), gemm.beta.get<float>()};
  return {widened(Element::f16, gemm.alpha.address), widened(Element::f16, gemm.beta.address)};
}

void run_f32(const Gemm& gemm, const Tile& tile) {
  static thread_local std::vector<float> copy_a, copy_b, copy_c;
  const auto [alpha, beta] = scalars(gemm);
  const Floats a = floats(gemm.a, address(gemm.a, tile.batch, tile.row, 0), tile.rows, gemm.k, copy_a);
  const Floats b = floats(gemm.b, address(gemm.b, tile.batch, 0, tile.column), gemm.k, tile.columns, copy_b);
  char* c = const_cast<char*>(address(gemm.c, tile.batch, tile.row, tile.column));
  if (gemm.c.element == Element::f32) {
    multiply(gemm, tile, a, b, alpha, beta, reinterpret_cast<float*>(c), gemm.c.leading);
    return;
  }
  // With beta 0, C must not be read, since it may contain NaN: the copy starts with zeros.
  copy_c.assign(static_cast<size_t>(tile.rows) * tile.columns, 0);
  if (beta != 0) floats(gemm.c, c, tile.rows, tile.columns, copy_c);
  multiply(gemm, tile, a, b, alpha, beta, copy_c.data(), tile.rows);
  for (int column = 0; column < tile.columns; ++column)
    narrow(gemm.c.element, copy_c.data() + static_cast<size_t>(column) * tile.rows, tile.rows,
           c + static_cast<int64_t>(column) * gemm.c.leading * 2);
}

// For matrices of the type of the computation.
template <class Value>
void run_plain(const Gemm& gemm, const Tile& tile) {
  auto at = [&](const Matrices& matrices, int row, int column) {
    return const_cast<Value*>(reinterpret_cast<const Value*>(address(matrices, tile.batch, row, column)));
  };
  reprise_cublas::gemm(transposition(gemm.a), transposition(gemm.b), tile.rows, tile.columns, gemm.k,
                       gemm.alpha.get<Value>(), at(gemm.a, tile.row, 0), gemm.a.leading, at(gemm.b, 0, tile.column),
                       gemm.b.leading, gemm.beta.get<Value>(), at(gemm.c, tile.row, tile.column), gemm.c.leading);
}

void run(const Gemm& gemm, const Tile& tile) {
  switch (gemm.compute) {
    case Element::f64:
      return run_plain<double>(gemm, tile);
    case Element::c32:
      return run_plain<Complex>(gemm, tile);
    case Element::c64:
      return run_plain<DoubleComplex>(gemm, tile);
    default:
      return run_f32(gemm, tile);
  }
}

}  // namespace

void run_blocks(const Gemm& gemm, const reprise_launch& launch) {
  for (uint64_t block = launch.block_begin; block < launch.block_end; ++block) run(gemm, tile_of(gemm, block));
}

}  // namespace reprise_cublas
