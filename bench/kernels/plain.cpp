// The algorithms of kernels.cu in idiomatic C++. Compiled twice: with the usual options, and as `plain_vector_maths`
// with the vector maths library that compiled kernels use too.
#include <cmath>
#include <cstring>

#include "problem.h"
#include "thread_pool.h"

#ifndef BENCH_PLAIN
#define BENCH_PLAIN plain
#endif

namespace bench {
namespace {

void saxpy(const Problem& p, int begin, int end) {
  const float* x = p.a;
  float* y = p.out;
  for (int i = begin; i < end; ++i) y[i] = factor * x[i] + y[i];
}

void sin_exp(const Problem& p, int begin, int end) {
  for (int i = begin; i < end; ++i) p.out[i] = std::sin(p.a[i]) * std::exp(p.a[i]);
}

void stencil(const Problem& p, int begin, int end) {
  const int n = p.n;
  const float* in = p.a;
  float* out = p.out;
  for (int y = begin; y < end; ++y) {
    if (y == 0 || y == n - 1) continue;
    for (int x = 1; x < n - 1; ++x)
      out[y * n + x] = 0.5f * in[y * n + x] +
                       0.125f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
  }
}

// Tree reduction: halves the line until one value is left.
void reduction(const Problem& p, int begin, int end) {
  for (int block = begin; block < end; ++block) {
    float sums[line];
    std::memcpy(sums, p.a + block * line, sizeof sums);
    for (int half = line / 2; half > 0; half /= 2)
      for (int t = 0; t < half; ++t) sums[t] += sums[t + half];
    p.out[block] = sums[0];
  }
}

// The same, first within each warp of 32.
void shuffle_reduction(const Problem& p, int begin, int end) {
  for (int block = begin; block < end; ++block) {
    float warps[warp] = {};
    for (int w = 0; w < line / warp; ++w) {
      float sums[warp];
      std::memcpy(sums, p.a + block * line + w * warp, sizeof sums);
      for (int half = warp / 2; half > 0; half /= 2)
        for (int t = 0; t < half; ++t) sums[t] += sums[t + half];
      warps[w] = sums[0];
    }
    for (int half = warp / 2; half > 0; half /= 2)
      for (int t = 0; t < half; ++t) warps[t] += warps[t + half];
    p.out[block] = warps[0];
  }
}

// Each round adds the value `distance` places before.
void scan(const Problem& p, int begin, int end) {
  for (int block = begin; block < end; ++block) {
    float sums[line], before[line];
    std::memcpy(sums, p.a + block * line, sizeof sums);
    for (int distance = 1; distance < line; distance *= 2) {
      std::memcpy(before, sums, sizeof sums);
      for (int t = distance; t < line; ++t) sums[t] += before[t - distance];
    }
    std::memcpy(p.out + block * line, sums, sizeof sums);
  }
}

void matmul(const Problem& p, int begin, int end) {
  const int n = p.n, tiles = n / tile;
  for (int block = begin; block < end; ++block) {
    const int row = block / tiles * tile, column = block % tiles * tile;
    float a[tile][tile], b[tile][tile], sums[tile][tile] = {};
    for (int k = 0; k < n; k += tile) {
      for (int y = 0; y < tile; ++y)
        for (int x = 0; x < tile; ++x) {
          a[y][x] = p.a[(row + y) * n + k + x];
          b[y][x] = p.b[(k + y) * n + column + x];
        }
      for (int y = 0; y < tile; ++y)
        for (int i = 0; i < tile; ++i)
          for (int x = 0; x < tile; ++x) sums[y][x] += a[y][i] * b[i][x];
    }
    for (int y = 0; y < tile; ++y)
      for (int x = 0; x < tile; ++x) p.out[(row + y) * n + column + x] = sums[y][x];
  }
}

// One step on a square with a fixed edge. The changes, summed over each patch, are stored after the square.
void jacobi(const Problem& p, int begin, int end) {
  const int n = p.n, across = n / patch_width;
  const float* in = p.a;
  for (int block = begin; block < end; ++block) {
    const int top = block / across * patch_height, left = block % across * patch_width;
    float changes[patch_height * patch_width] = {};
    for (int y = top; y < top + patch_height; ++y) {
      if (y == 0 || y == n - 1) continue;
      for (int x = left; x < left + patch_width; ++x) {
        if (x == 0 || x == n - 1) continue;
        const float value = 0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x] +
                                     p.b[y * n + x]);
        changes[(y - top) * patch_width + x - left] = std::fabs(value - in[y * n + x]);
        p.out[y * n + x] = value;
      }
    }
    for (int half = patch_height * patch_width / 2; half > 0; half /= 2)
      for (int t = 0; t < half; ++t) changes[t] += changes[t + half];
    p.out[n * n + block] = changes[0];
  }
}

// One step for a full matrix (a), x and the right-hand side (b, one after the other).
void dense_jacobi(const Problem& p, int begin, int end) {
  const int n = p.n;
  const float *x = p.b, *right = p.b + n;
  for (int row = begin; row < end; ++row) {
    float sums[warp] = {};
    for (int k = 0; k < n; k += warp)
      for (int t = 0; t < warp; ++t) sums[t] += p.a[row * n + k + t] * x[k + t];
    for (int half = warp / 2; half > 0; half /= 2)
      for (int t = 0; t < half; ++t) sums[t] += sums[t + half];
    const float diagonal = p.a[row * n + row];
    p.out[row] = (right[row] - (sums[0] - diagonal * x[row])) / diagonal;
  }
}

// One thread per core waits on behalf of all CUDA threads in its share.
void timed_wait(const Problem& p, int begin, int end) {
  const long long start = (long long)__builtin_ia32_rdtsc();
  while ((long long)__builtin_ia32_rdtsc() - start < wait_cycles) __builtin_ia32_pause();
  for (int i = begin; i < end; ++i) p.out[i] = 1;
}

// Sums of elements `line` apart within a chunk, or within its first half if b is negative. The last chunk is always
// summed in full.
void chosen_bound(const Problem& p, int begin, int end) {
  for (int block = begin; block < end; ++block) {
    const int last = block == p.n / chunk - 1 ? p.n : block * chunk + (p.b[block] < 0 ? chunk / 2 : chunk);
    float sums[line] = {};
    for (int i = block * chunk; i < last; i += line)
      for (int t = 0; t < line; ++t) sums[t] += p.a[i + line - 1 - t];
    std::memcpy(p.out + block * line, sums, sizeof sums);
  }
}

void volatile_counter(const Problem& p, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    float x = p.a[i];
    for (volatile int count = 0; count < counted; count = count + 1) x = x * factor + 1;
    p.out[i] = x;
  }
}

void run(const Problem& p) {
  static ThreadPool pool(thread_count());
  const auto each = [&](int count, void (*part)(const Problem&, int, int)) {
    pool.spread(count, [&](int begin, int end) { part(p, begin, end); });
  };
  switch (p.kind) {
    case Kind::saxpy:
    case Kind::grid_stride_saxpy:
      return each(p.n, saxpy);
    case Kind::sin_exp:
      return each(p.n, sin_exp);
    case Kind::stencil:
      return each(p.n, stencil);
    case Kind::reduction:
      return each(p.n / line, reduction);
    case Kind::shuffle_reduction:
      return each(p.n / line, shuffle_reduction);
    case Kind::scan:
      return each(p.n / line, scan);
    case Kind::matmul:
      return each(p.n / tile * (p.n / tile), matmul);
    case Kind::jacobi:
      return each(p.n / patch_width * (p.n / patch_height), jacobi);
    case Kind::dense_jacobi:
      return each(p.n, dense_jacobi);
    case Kind::timed_wait:
      return each(p.n, timed_wait);
    case Kind::chosen_bound:
      return each(p.n / chunk, chosen_bound);
    case Kind::volatile_counter:
      return each(p.n, volatile_counter);
    case Kind::empty:
      return;
  }
}

}  // namespace

const Contender BENCH_PLAIN{"plain C++", [](const Problem&) { return true; }, run};

}  // namespace bench
