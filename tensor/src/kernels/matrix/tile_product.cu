#include <cooperative_groups.h>

#include <algorithm>

#include "kernels/device/dependent_launch.h"
#include "kernels/matrix/activation.h"
#include "kernels/matrix/tile_product.h"

namespace reprise::kernels {
namespace {

namespace cg = cooperative_groups;

constexpr int side = 64;   // of a tile of c
constexpr int depth = 32;  // terms in shared memory at a time
constexpr int threads = 256;
constexpr int fours = side * depth / 4 / threads;  // groups of four numbers that a thread loads

// A part of a factor in shared memory, [term][row]. Groups of four rows are permuted within a line, so that threads
// that load different terms of the same rows write to different banks.
struct Panel {
  float numbers[depth * side];

  __device__ static int place(int term, int row) { return term * side + (row ^ ((term >> 2 & 7) << 2)); }
};

// The next panel that a thread loads while the previous ones are multiplied.
template <bool rows_are_neighbours>
struct Brought {
  float4 four[fours];

  // (row, term) of the first number of group i.
  __device__ static int row(int i) {
    const int group = threadIdx.x + i * threads;
    return rows_are_neighbours ? group % (side / 4) * 4 : group / (depth / 4);
  }
  __device__ static int term(int i) {
    const int group = threadIdx.x + i * threads;
    return rows_are_neighbours ? group / (side / 4) : group % (depth / 4) * 4;
  }

  __device__ void read(const Factor& factor, int first_row, int rows, int first_term, int end) {
    for (int i = 0; i < fours; ++i) {
      const int r = first_row + row(i), t = first_term + term(i);
      const std::int64_t at =
          rows_are_neighbours ? std::int64_t(t) * factor.stride + r : std::int64_t(r) * factor.stride + t;
      four[i] = r < rows && t < end ? *reinterpret_cast<const float4*>(factor.data + at) : make_float4(0, 0, 0, 0);
    }
  }

  __device__ void write(Panel& panel) const {
    for (int i = 0; i < fours; ++i) {
      if (rows_are_neighbours) {
        *reinterpret_cast<float4*>(&panel.numbers[Panel::place(term(i), row(i))]) = four[i];
      } else {
        panel.numbers[Panel::place(term(i), row(i))] = four[i].x;
        panel.numbers[Panel::place(term(i) + 1, row(i))] = four[i].y;
        panel.numbers[Panel::place(term(i) + 2, row(i))] = four[i].z;
        panel.numbers[Panel::place(term(i) + 3, row(i))] = four[i].w;
      }
    }
  }
};

__device__ float4 four_at(const Panel& panel, int term, int row) {
  return *reinterpret_cast<const float4*>(&panel.numbers[Panel::place(term, row)]);
}

__device__ void multiply(float (&sums)[4][4], const Panel& a, const Panel& b, int row, int column) {
#pragma unroll
  for (int term = 0; term < depth; ++term) {
    const float4 x = four_at(a, term, row), y = four_at(b, term, column);
    const float left[4] = {x.x, x.y, x.z, x.w}, right[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) sums[i][j] += left[i] * right[j];
    }
  }
}

// `full` also writes the argument of the activation, and may apply GELU. A separate instance, since it would slow down
// the others.
template <bool full>
__device__ float finished(const TileProduct& p, float sum, int column, std::int64_t at) {
  if (p.bias) sum += p.bias[column];
  if (!full) return p.activation == Activation::relu ? fmaxf(sum, 0) : sum;
  if (p.before) p.before[at] = sum;
  return activated(sum, p.activation);
}

template <bool full>
__device__ void store(const TileProduct& p, int row, int column, const float (&sums)[4]) {
  if (row >= p.rows) return;
  const std::int64_t at = std::int64_t(row) * p.columns + column;
  float* to = p.c + at;
  if (p.columns % 4 == 0 && column < p.columns) {
    *reinterpret_cast<float4*>(to) =
        make_float4(finished<full>(p, sums[0], column, at), finished<full>(p, sums[1], column + 1, at + 1),
                    finished<full>(p, sums[2], column + 2, at + 2), finished<full>(p, sums[3], column + 3, at + 3));
    return;
  }
  for (int j = 0; j < 4; ++j) {
    if (column + j < p.columns) to[j] = finished<full>(p, sums[j], column + j, at + j);
  }
}

union Shared {
  struct {
    Panel a[2], b[2];
  } panels;
  float tile[side][side];  // partial sums, for the other blocks of the cluster
};

// Block (x, y, z) computes tile (y, x) of c over part z of the terms. A thread computes 4 x 4 elements of the tile.
template <bool a_rows, bool b_rows, bool full = false>
__global__ void __launch_bounds__(threads) tile_product_kernel(TileProduct p, int terms_of_part) {
  __shared__ __align__(16) Shared shared;
  __shared__ float part_row_sums[side];
  const int first_row = blockIdx.y * side, first_column = blockIdx.x * side;
  const int begin = blockIdx.z * terms_of_part, end = min(begin + terms_of_part, p.terms);
  const int row = threadIdx.x / 16 * 4, column = threadIdx.x % 16 * 4;
  float sums[4][4] = {};
  float row_sum = 0;
  wait_for_prior_grids();

  Brought<a_rows> from_a;
  Brought<b_rows> from_b;
  from_a.read(p.a, first_row, p.rows, begin, end);
  from_b.read(p.b, first_column, p.columns, begin, end);
  from_a.write(shared.panels.a[0]);
  from_b.write(shared.panels.b[0]);
  __syncthreads();
  int now = 0;
  const bool sums_rows = p.row_sums && blockIdx.x == 0;
  for (int term = begin; term < end; term += depth) {
    const bool more = term + depth < end;
    if (more) {
      from_a.read(p.a, first_row, p.rows, term + depth, end);
      from_b.read(p.b, first_column, p.columns, term + depth, end);
    }
    multiply(sums, shared.panels.a[now], shared.panels.b[now], row, column);
    if (sums_rows && threadIdx.x < side) {
      for (int i = 0; i < depth; ++i) row_sum += shared.panels.a[now].numbers[Panel::place(i, threadIdx.x)];
    }
    if (more) {
      from_a.write(shared.panels.a[now ^ 1]);
      from_b.write(shared.panels.b[now ^ 1]);
    }
    __syncthreads();
    now ^= 1;
  }

  cg::cluster_group cluster = cg::this_cluster();
  const int parts = gridDim.z;
  if (parts == 1) {
    for (int i = 0; i < 4; ++i) store<full>(p, first_row + row + i, first_column + column, sums[i]);
    if (sums_rows && threadIdx.x < side && first_row + threadIdx.x < p.rows)
      p.row_sums[first_row + threadIdx.x] = row_sum;
    return;
  }
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<float4*>(&shared.tile[row + i][column]) =
        make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
  if (threadIdx.x < side) part_row_sums[threadIdx.x] = row_sum;
  cluster.sync();
  // Each block finishes some rows of the tile.
  const int own_rows = side / parts;
  for (int i = threadIdx.x; i < own_rows * side / 4; i += threads) {
    const int r = blockIdx.z * own_rows + i / (side / 4), c = i % (side / 4) * 4;
    float sum[4] = {};
    for (int part = 0; part < parts; ++part) {
      const float4 other = *reinterpret_cast<const float4*>(cluster.map_shared_rank(&shared.tile[r][c], part));
      sum[0] += other.x;
      sum[1] += other.y;
      sum[2] += other.z;
      sum[3] += other.w;
    }
    store<full>(p, first_row + r, first_column + c, sum);
  }
  if (sums_rows && threadIdx.x < own_rows) {
    const int r = blockIdx.z * own_rows + threadIdx.x;
    float sum = 0;
    for (int part = 0; part < parts; ++part) sum += *cluster.map_shared_rank(&part_row_sums[r], part);
    if (first_row + r < p.rows) p.row_sums[first_row + r] = sum;
  }
  // Keeps the shared memory of this block alive until the others have read it.
  cluster.sync();
}

constexpr int most_few_rows = 4, warps_of_few = 4;

template <bool full>
__global__ void __launch_bounds__(warps_of_few * 32) few_rows_kernel(TileProduct p) {
  const int column = blockIdx.x * warps_of_few + threadIdx.y, lane = threadIdx.x;
  wait_for_prior_grids();
  if (column >= p.columns) return;
  const float* weights = p.b.data + std::int64_t(column) * p.b.stride;
  float sums[most_few_rows] = {};
#pragma unroll 4
  for (int term = lane * 4; term < p.terms; term += 128) {
    const float4 w = *reinterpret_cast<const float4*>(weights + term);
    for (int i = 0; i < most_few_rows; ++i) {
      if (i >= p.rows) break;
      const float4 x = *reinterpret_cast<const float4*>(p.a.data + std::int64_t(i) * p.a.stride + term);
      sums[i] += x.x * w.x + x.y * w.y + x.z * w.z + x.w * w.w;
    }
  }
  for (int i = 0; i < most_few_rows; ++i) {
    if (i >= p.rows) break;
    float sum = sums[i];
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    const std::int64_t at = std::int64_t(i) * p.columns + column;
    if (lane == 0) p.c[at] = finished<full>(p, sum, column, at);
  }
}

bool is_full(const TileProduct& p) { return p.before || p.activation == Activation::gelu; }

bool is_aligned(const void* address) { return reinterpret_cast<std::uintptr_t>(address) % 16 == 0; }

bool has_whole_groups(const Factor& factor, int rows, int terms) {
  return is_aligned(factor.data) && factor.stride % 4 == 0 && (factor.rows_are_neighbours ? rows : terms) % 4 == 0;
}

// Enough parts for one block per multiprocessor, each with enough terms to pay off.
int choose_parts(const TileProduct& p) {
#ifdef REPRISE_GPU
  const std::int64_t tiles = std::int64_t((p.rows + side - 1) / side) * ((p.columns + side - 1) / side);
  int parts = 1;
  while (parts < 8 && tiles * parts * 2 <= 132 + 16 && p.terms / (parts * 2) >= depth) parts *= 2;
  return parts;
#else
  static_cast<void>(p);
  return 1;
#endif
}

}  // namespace

bool fits_tiles(const TileProduct& p) {
  return p.rows > 0 && p.columns > 0 && p.terms > 0 && has_whole_groups(p.a, p.rows, p.terms) &&
         has_whole_groups(p.b, p.columns, p.terms) && is_aligned(p.c) && is_aligned(p.before) &&
         !(is_full(p) && (p.a.rows_are_neighbours || p.b.rows_are_neighbours));
}

void tile_product(const char* operation, const TileProduct& p, int parts) {
  if (parts == 0) parts = choose_parts(p);
  // Whole panels, except for the last part.
  const int terms_of_part = ((p.terms + parts - 1) / parts + depth - 1) / depth * depth;
  const dim3 grid(static_cast<unsigned>((p.columns + side - 1) / side),
                  static_cast<unsigned>((p.rows + side - 1) / side), static_cast<unsigned>(parts));
  auto kernel = p.a.rows_are_neighbours
                    ? (p.b.rows_are_neighbours ? tile_product_kernel<true, true> : tile_product_kernel<true, false>)
                    : (p.b.rows_are_neighbours ? tile_product_kernel<false, true> : tile_product_kernel<false, false>);
  if (is_full(p)) kernel = tile_product_kernel<false, false, true>;
  launch_dependent(operation, kernel, {grid, threads, 0, dim3(1, 1, static_cast<unsigned>(parts))}, p, terms_of_part);
}

bool fits_few_rows(const TileProduct& p) {
  return p.rows <= most_few_rows && !p.a.rows_are_neighbours && !p.b.rows_are_neighbours && !p.row_sums &&
         p.terms > 0 && has_whole_groups(p.a, p.rows, p.terms) && has_whole_groups(p.b, p.columns, p.terms);
}

void few_rows_product(const char* operation, const TileProduct& p) {
  const unsigned blocks = static_cast<unsigned>((p.columns + warps_of_few - 1) / warps_of_few);
  launch_dependent(operation, is_full(p) ? few_rows_kernel<true> : few_rows_kernel<false>,
                   {blocks, dim3(32, warps_of_few)}, p);
}

}  // namespace reprise::kernels
