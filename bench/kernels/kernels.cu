// The CUDA kernels, as written for a GPU. Compiled twice: for this processor, and for any processor with AVX2.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "problem.h"

namespace bench {
namespace {

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void grid_stride_saxpy(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}

__global__ void sin_exp(int n, const float* x, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sinf(x[i]) * expf(x[i]);
}

__global__ void stencil(int n, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  out[y * n + x] = 0.5f * in[y * n + x] +
                   0.125f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

__global__ void reduction(const float* in, float* out) {
  __shared__ float sums[line];
  const int t = threadIdx.x;
  sums[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

__global__ void shuffle_reduction(const float* in, float* out) {
  __shared__ float warps[warp];
  const int t = threadIdx.x;
  float sum = in[blockIdx.x * blockDim.x + t];
  for (int half = warp / 2; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffffu, sum, half);
  if (t % warp == 0) warps[t / warp] = sum;
  __syncthreads();
  if (t < warp) {
    sum = t < line / warp ? warps[t] : 0.0f;
    for (int half = warp / 2; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffffu, sum, half);
    if (t == 0) out[blockIdx.x] = sum;
  }
}

__global__ void scan(const float* in, float* out) {
  __shared__ float sums[line];
  const int t = threadIdx.x;
  sums[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int distance = 1; distance < blockDim.x; distance *= 2) {
    const float before = t >= distance ? sums[t - distance] : 0.0f;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sums[t];
}

__global__ void matmul(int n, const float* a, const float* b, float* out) {
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    a_tile[y][x] = a[row * n + k + x];
    b_tile[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  out[row * n + column] = sum;
}

__global__ void jacobi(int n, const float* in, const float* right, float* out) {
  __shared__ float cells[patch_height + 2][patch_width + 2];
  __shared__ float changes[patch_height * patch_width];
  const int x = blockIdx.x * patch_width + threadIdx.x, y = blockIdx.y * patch_height + threadIdx.y;
  const int cx = threadIdx.x + 1, cy = threadIdx.y + 1, t = threadIdx.y * patch_width + threadIdx.x;
  cells[cy][cx] = in[y * n + x];
  if (threadIdx.x == 0 && x > 0) cells[cy][0] = in[y * n + x - 1];
  if (threadIdx.x == patch_width - 1 && x < n - 1) cells[cy][patch_width + 1] = in[y * n + x + 1];
  if (threadIdx.y == 0 && y > 0) cells[0][cx] = in[(y - 1) * n + x];
  if (threadIdx.y == patch_height - 1 && y < n - 1) cells[patch_height + 1][cx] = in[(y + 1) * n + x];
  __syncthreads();
  float change = 0;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    const float value =
        0.25f * (cells[cy][cx - 1] + cells[cy][cx + 1] + cells[cy - 1][cx] + cells[cy + 1][cx] + right[y * n + x]);
    change = fabsf(value - cells[cy][cx]);
    out[y * n + x] = value;
  }
  changes[t] = change;
  __syncthreads();
  for (int half = patch_height * patch_width / 2; half > 0; half /= 2) {
    if (t < half) changes[t] += changes[t + half];
    __syncthreads();
  }
  if (t == 0) out[n * n + blockIdx.y * gridDim.x + blockIdx.x] = changes[0];
}

__global__ void dense_jacobi(int n, const float* a, const float* x, const float* right, float* out) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warp, lane = threadIdx.x % warp;
  if (row >= n) return;
  float sum = 0;
  for (int k = lane; k < n; k += warp) sum += a[row * n + k] * x[k];
  for (int half = warp / 2; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffffu, sum, half);
  if (lane == 0) {
    const float diagonal = a[row * n + row];
    out[row] = (right[row] - (sum - diagonal * x[row])) / diagonal;
  }
}

__global__ void timed_wait(float* out) {
  const long long start = clock64();
  while (clock64() - start < wait_cycles) {
  }
  out[threadIdx.x] = 1;
}

__global__ void chosen_bound(int n, const float* in, const float* b, float* out) {
  __shared__ float values[line];
  int end;
  if (blockIdx.x == gridDim.x - 1)
    end = n;
  else
    end = blockIdx.x * chunk + (b[blockIdx.x] < 0 ? chunk / 2 : chunk);
  float sum = 0;
  for (int i = blockIdx.x * chunk; i < end; i += line) {
    values[threadIdx.x] = in[i + threadIdx.x];
    __syncthreads();
    sum += values[line - 1 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * line + threadIdx.x] = sum;
}

__global__ void volatile_counter(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (volatile int count = 0; count < counted; count = count + 1) x = x * factor + 1;
  out[i] = x;
}

__global__ void empty() {}

void launch(const Problem& p) {
  const int n = p.n, blocks = (n + line - 1) / line;
  const dim3 patch(patch_width, patch_height), patches(n / patch_width, n / patch_height);
  switch (p.kind) {
    case Kind::saxpy:
      return saxpy<<<blocks, line>>>(n, factor, p.a, p.out);
    case Kind::grid_stride_saxpy:
      return grid_stride_saxpy<<<32 * thread_count(), line>>>(n, factor, p.a, p.out);
    case Kind::sin_exp:
      return sin_exp<<<blocks, line>>>(n, p.a, p.out);
    case Kind::stencil:
      return stencil<<<patches, patch>>>(n, p.a, p.out);
    case Kind::reduction:
      return reduction<<<blocks, line>>>(p.a, p.out);
    case Kind::shuffle_reduction:
      return shuffle_reduction<<<blocks, line>>>(p.a, p.out);
    case Kind::scan:
      return scan<<<blocks, line>>>(p.a, p.out);
    case Kind::matmul:
      return matmul<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(n, p.a, p.b, p.out);
    case Kind::jacobi:
      return jacobi<<<patches, patch>>>(n, p.a, p.b, p.out);
    case Kind::dense_jacobi:
      return dense_jacobi<<<(n * warp + line - 1) / line, line>>>(n, p.a, p.b, p.b + n, p.out);
    case Kind::timed_wait:
      return timed_wait<<<1, p.n>>>(p.out);
    case Kind::chosen_bound:
      return chosen_bound<<<p.n / chunk, line>>>(p.n, p.a, p.b, p.out);
    case Kind::volatile_counter:
      return volatile_counter<<<p.n / line, line>>>(p.n, p.a, p.out);
    case Kind::empty:
      return empty<<<1, 1>>>();
  }
}

void run(const Problem& p) {
  launch(p);
  const cudaError_t error = cudaStreamSynchronize(nullptr);
  if (error == cudaSuccess) return;
  std::printf("kernel failed: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

}  // namespace

const Contender BENCH_CUDA{BENCH_CUDA_NAME, [](const Problem&) { return true; }, run};

}  // namespace bench
