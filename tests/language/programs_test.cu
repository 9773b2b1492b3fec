// Whole kernels of the kind that programs have: several features at once, where a compiler that knows each may still
// put them together wrongly.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "device_array.h"

namespace {

namespace cg = cooperative_groups;

std::vector<int> some_integers(std::size_t count, int limit) {
  std::mt19937 random(11);
  std::vector<int> values(count);
  for (int& value : values) value = int(random() % unsigned(limit));
  return values;
}

// ---- a row of a matrix for each warp, of any length ----

__global__ void sum_rows(const int* in, int width, int* out) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int sum = 0, last = -1;
  for (int k = lane; k < width; k += 32) {
    sum += in[row * width + k] * (k + 1);
    last = k;
  }
  for (int half = 16; half > 0; half /= 2) {
    sum += __shfl_down_sync(~0u, sum, half);
    last = max(last, __shfl_down_sync(~0u, last, half));
  }
  if (lane == 0) out[row] = sum + last;
}

TEST(Programs, RowsOfWarps) {
  for (int width : {0, 1, 31, 32, 33, 63, 64, 65, 200}) {
    const auto in = some_integers(std::size_t(16 * width + 1), 1000);
    DeviceArray<int> device(in);
    DeviceArray<int> out(16);
    sum_rows<<<2, 256>>>(device, width, out);
    std::vector<int> expected(16);
    for (int row = 0; row < 16; ++row) {
      expected[row] = width - 1;
      for (int k = 0; k < width; ++k) expected[row] += in[row * width + k] * (k + 1);
    }
    EXPECT_EQ(out.host(), expected) << width;
  }
}

// ---- counting in shared memory, added up at the end ----

__global__ void histogram(const int* in, int count, unsigned* bins) {
  __shared__ unsigned mine[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (mine[i]) atomicAdd(&bins[i], mine[i]);
}

TEST(Programs, AHistogram) {
  const auto in = some_integers(50000, 256);
  DeviceArray<int> device(in);
  DeviceArray<unsigned> bins(256);
  histogram<<<13, 192>>>(device, int(in.size()), bins);
  std::vector<unsigned> expected(256);
  for (int value : in) ++expected[value];
  EXPECT_EQ(bins.host(), expected);
}

// ---- a scan in one pass: a block waits for the sum of the one before ----

__device__ unsigned next_block;

__global__ void scan(const int* in, int* out, volatile int* done, volatile int* totals, int count) {
  __shared__ unsigned block;
  __shared__ int sums[256], before;
  const int t = threadIdx.x;
  if (t == 0) block = atomicAdd(&next_block, 1u);
  __syncthreads();
  const int i = block * 256 + t;
  sums[t] = i < count ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    const int left = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }
  if (t == 255) {
    before = 0;
    if (block > 0) {
      while (done[block - 1] == 0) {
      }
      __threadfence();
      before = totals[block - 1];
    }
    totals[block] = before + sums[255];
    __threadfence();
    done[block] = 1;
  }
  __syncthreads();
  if (i < count) out[i] = before + sums[t];
}

TEST(Programs, AScanWhoseBlocksWaitForTheOneBefore) {
  const auto in = some_integers(20000, 9);
  DeviceArray<int> device(in), out(in.size()), done(100), totals(100);
  const unsigned zero = 0;
  ASSERT_CUDA(cudaMemcpyToSymbol(next_block, &zero, sizeof zero));
  scan<<<79, 256>>>(device, out, done, totals, int(in.size()));
  std::vector<int> expected(in.size());
  std::partial_sum(in.begin(), in.end(), expected.begin());
  EXPECT_EQ(out.host(), expected);
}

// ---- sorting in shared memory: every step's partner and direction are computed ----

__device__ void exchange(int& a, int& b, bool up) {
  if ((a > b) == up) {
    const int t = a;
    a = b;
    b = t;
  }
}

__global__ void sort_blocks(int* data) {
  __shared__ int values[512];
  data += blockIdx.x * 512;
  const unsigned t = threadIdx.x;
  values[t] = data[t];
  values[t + 256] = data[t + 256];
  for (unsigned size = 2; size <= 512; size *= 2) {
    const bool up = size == 512 || (t & (size / 2)) == 0;
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned at = 2 * t - (t & (stride - 1));
      exchange(values[at], values[at + stride], up);
    }
  }
  __syncthreads();
  data[t] = values[t];
  data[t + 256] = values[t + 256];
}

TEST(Programs, ABitonicSort) {
  auto values = some_integers(512 * 5, 1 << 30);
  DeviceArray<int> device(values);
  sort_blocks<<<5, 256>>>(device);
  for (int block = 0; block < 5; ++block) std::sort(values.begin() + block * 512, values.begin() + (block + 1) * 512);
  EXPECT_EQ(device.host(), values);
}

// ---- blocks that fetch their work from a counter until there is none ----

__device__ unsigned next_tile;

__host__ __device__ int steps_to_escape(int x, int y) {
  // In whole numbers, so that no rounding differs.
  int a = 0, b = 0, steps = 0;
  while (steps < 100 && a * a + b * b < 4 * 4096 * 4096 / 16) {
    const int c = (a * a - b * b) / 1024 + x;
    b = 2 * a * b / 1024 + y;
    a = c;
    ++steps;
  }
  return steps;
}

__global__ void draw(int* picture, int width, int height, unsigned tiles_across, unsigned tiles) {
  __shared__ unsigned tile;
  while (true) {
    if (threadIdx.x == 0 && threadIdx.y == 0) tile = atomicAdd(&next_tile, 1u);
    __syncthreads();
    if (tile >= tiles) break;
    const int x = tile % tiles_across * blockDim.x + threadIdx.x, y = tile / tiles_across * blockDim.y + threadIdx.y;
    if (x < width && y < height) picture[y * width + x] = steps_to_escape(x * 20 - 2048, y * 20 - 1024);
    __syncthreads();
  }
}

TEST(Programs, BlocksThatFetchTheirWork) {
  const int width = 150, height = 100;
  DeviceArray<int> picture(width * height);
  const unsigned zero = 0;
  ASSERT_CUDA(cudaMemcpyToSymbol(next_tile, &zero, sizeof zero));
  draw<<<4, dim3(16, 8)>>>(picture, width, height, 10, 130);
  const auto drawn = picture.host();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      ASSERT_EQ(drawn[y * width + x], steps_to_escape(x * 20 - 2048, y * 20 - 1024)) << x << " " << y;
}

// ---- the last block to finish adds up what the others left ----

__global__ void sum_by_last_block(const int* in, int count, volatile int* partial, unsigned* finished, int* out) {
  __shared__ bool is_last;
  __shared__ int sums[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  const auto add_up = [&] {
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
      if (t < half) sums[t] += sums[t + half];
      __syncthreads();
    }
  };
  sums[t] = i < count ? in[i] : 0;
  add_up();
  if (t == 0) {
    partial[blockIdx.x] = sums[0];
    __threadfence();
    is_last = atomicInc(finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  int sum = 0;
  for (unsigned block = t; block < gridDim.x; block += 128) sum += partial[block];
  sums[t] = sum;
  add_up();
  if (t == 0) *out = sums[0];
}

TEST(Programs, TheLastBlockAddsUp) {
  const auto in = some_integers(30000, 1000);
  DeviceArray<int> device(in), partial(300), out(1);
  DeviceArray<unsigned> finished(1);
  sum_by_last_block<<<235, 128>>>(device, int(in.size()), partial, finished, out);
  EXPECT_EQ(out.host()[0], std::accumulate(in.begin(), in.end(), 0));
}

// ---- bodies that attract each other, through tiles of shared memory of a type that a template chooses ----

template <class T>
struct Body;
template <>
struct Body<float> {
  using Type = float4;
};
template <>
struct Body<double> {
  using Type = double4_16a;
};

template <class T>
struct SharedMemory {
  __device__ operator T*() {
    extern __shared__ int memory[];
    return reinterpret_cast<T*>(memory);
  }
};

template <class T>
__global__ void attract(const typename Body<T>::Type* bodies, T* pulls, int count) {
  typename Body<T>::Type* tile = SharedMemory<typename Body<T>::Type>();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto me = bodies[i];
  T pull = 0;
  for (int start = 0; start < count; start += blockDim.x) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
    for (unsigned k = 0; k < blockDim.x; ++k) {
      const T x = tile[k].x - me.x, y = tile[k].y - me.y, z = tile[k].z - me.z;
      const T inverse = rsqrt(x * x + y * y + z * z + T(0.01));
      pull += x * tile[k].w * inverse * inverse * inverse;
    }
    __syncthreads();
  }
  pulls[i] = pull;
}

template <class T>
void check_attraction(double tolerance) {
  const int count = 256;
  std::vector<typename Body<T>::Type> bodies(count);
  for (int i = 0; i < count; ++i) {
    bodies[i].x = T(std::sin(i));
    bodies[i].y = T(std::cos(i * 1.3));
    bodies[i].z = T(std::sin(i * 0.7 + 1));
    bodies[i].w = T(1 + i % 3);
  }
  DeviceArray<typename Body<T>::Type> device(bodies);
  DeviceArray<T> pulls(count);
  attract<T><<<count / 64, 64, 64 * sizeof bodies[0]>>>(device, pulls, count);
  const auto got = pulls.host();
  for (int i = 0; i < count; ++i) {
    double expected = 0;
    for (const auto& body : bodies) {
      const double x = double(body.x) - bodies[i].x, y = double(body.y) - bodies[i].y, z = double(body.z) - bodies[i].z;
      expected += x * body.w / std::pow(x * x + y * y + z * z + 0.01, 1.5);
    }
    EXPECT_NEAR(got[i], expected, tolerance * 1000) << i;
  }
}

TEST(Programs, BodiesThatAttractEachOther) {
  check_attraction<float>(1e-6);
  check_attraction<double>(1e-14);
}

// ---- conjugate gradients in one kernel, whose blocks wait for the whole grid ----

__device__ void multiply(const float* diagonal, const float* x, float* y, int count, const cg::grid_group& grid) {
  for (int i = int(grid.thread_rank()); i < count; i += int(grid.size()))
    y[i] = diagonal[i] * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < count ? x[i + 1] : 0);
}

__device__ void add_dot_product(const float* a, const float* b, double* result, int count,
                                const cg::thread_block& block, const cg::grid_group& grid) {
  extern __shared__ double of_warps[];
  double sum = 0;
  for (int i = int(grid.thread_rank()); i < count; i += int(grid.size())) sum += double(a[i]) * b[i];
  const auto warp = cg::tiled_partition<32>(block);
  sum = cg::reduce(warp, sum, cg::plus<double>());
  if (warp.thread_rank() == 0) of_warps[warp.meta_group_rank()] = sum;
  cg::sync(block);
  if (warp.meta_group_rank() == 0) {
    sum = warp.thread_rank() < warp.meta_group_size() ? of_warps[warp.thread_rank()] : 0;
    sum = cg::reduce(warp, sum, cg::plus<double>());
    if (warp.thread_rank() == 0) atomicAdd(result, sum);
  }
  cg::sync(grid);
}

__global__ void solve(const float* diagonal, float* x, float* r, float* p, float* ap, double* dots, int count) {
  const auto grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  for (int i = int(grid.thread_rank()); i < count; i += int(grid.size())) p[i] = r[i];
  add_dot_product(r, r, &dots[0], count, block, grid);
  double old = dots[0];
  for (int step = 1; step < 60 && old > 1e-12; ++step) {
    multiply(diagonal, p, ap, count, grid);
    grid.sync();
    add_dot_product(p, ap, &dots[2 * step], count, block, grid);
    const float a = float(old / dots[2 * step]);
    for (int i = int(grid.thread_rank()); i < count; i += int(grid.size())) {
      x[i] += a * p[i];
      r[i] -= a * ap[i];
    }
    grid.sync();
    add_dot_product(r, r, &dots[2 * step + 1], count, block, grid);
    const double now = dots[2 * step + 1];
    for (int i = int(grid.thread_rank()); i < count; i += int(grid.size())) p[i] = r[i] + float(now / old) * p[i];
    old = now;
    grid.sync();
  }
}

TEST(Programs, ConjugateGradientsInOneKernel) {
  int count = 1000;
  std::vector<float> diagonal(count);
  for (int i = 0; i < count; ++i) diagonal[i] = 4.0f + float(i % 3);
  DeviceArray<float> d(diagonal), x(count), r(std::vector<float>(count, 1.0f)), p(count), ap(count);
  DeviceArray<double> dots(128);
  float *d_ = d, *x_ = x, *r_ = r, *p_ = p, *ap_ = ap;
  double* dots_ = dots;
  void* arguments[] = {&d_, &x_, &r_, &p_, &ap_, &dots_, &count};
  ASSERT_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(solve), dim3(4), dim3(128), arguments,
                                          32 * sizeof(double), nullptr));
  const auto solution = x.host();
  for (int i = 0; i < count; ++i)
    EXPECT_NEAR(diagonal[i] * solution[i] - (i ? solution[i - 1] : 0) - (i + 1 < count ? solution[i + 1] : 0), 1.0f,
                1e-4f)
        << i;
}

// ---- one lock for all threads of all blocks, taken in a loop that ends when it was ----

__global__ void count_under_lock(int* lock, volatile int* count) {
  bool done = false;
  while (!done)
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *count = *count + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
}

TEST(Programs, ALockThatEveryThreadTakes) {
  DeviceArray<int> lock(1), count(1);
  count_under_lock<<<4, 64>>>(lock, count.get());
  EXPECT_EQ(count.host()[0], 256);
}

}  // namespace
