// cuda::atomic and cuda::atomic_ref in kernels and on the host; copies through the pipeline primitives.
#include <cuda/atomic>
#include <cuda_pipeline.h>

#include "device_array.h"

namespace {

struct Counters {
  cuda::atomic<int, cuda::thread_scope_device> total;
  cuda::atomic<unsigned, cuda::thread_scope_system> largest;
  cuda::atomic<unsigned long long, cuda::thread_scope_block> bits;
};

__global__ void count(Counters* counters, float* sum) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  counters->total.fetch_add(2, cuda::std::memory_order_relaxed);
  counters->largest.fetch_max(i * 7 % 1000, cuda::std::memory_order_relaxed);
  counters->bits.fetch_or(1ull << (i % 64));
  cuda::atomic_ref<float, cuda::thread_scope_device> shared_sum(*sum);
  shared_sum.fetch_add(0.5f, cuda::std::memory_order_relaxed);
  counters->total++;
}

TEST(CudaAtomic, CountsFromEveryThread) {
  Counters* counters = nullptr;
  ASSERT_CUDA(cudaMallocManaged(&counters, sizeof(Counters)));
  new (counters) Counters{{0}, {0u}, {0ull}};
  DeviceArray<float> sum(1);
  count<<<5, 100>>>(counters, sum);
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(counters->total.load(), 1500);
  unsigned largest = 0;
  for (unsigned i = 0; i < 500; ++i) largest = std::max(largest, i * 7 % 1000);
  EXPECT_EQ(counters->largest.load(cuda::std::memory_order_acquire), largest);
  EXPECT_EQ(counters->bits.load(), ~0ull);
  EXPECT_EQ(sum.host()[0], 250.0f);
  counters->total = 5;
  EXPECT_EQ(counters->total.exchange(6), 5);
  int expected = 7;
  EXPECT_FALSE(counters->total.compare_exchange_strong(expected, 8));
  EXPECT_EQ(expected, 6);
  EXPECT_TRUE(counters->total.compare_exchange_strong(expected, 8));
  EXPECT_EQ(counters->total.load(), 8);
  EXPECT_CUDA(cudaFree(counters));
}

__global__ void hand_over(int* data, cuda::atomic<int, cuda::thread_scope_device>* turn, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 41;
    turn->store(1, cuda::std::memory_order_release);
  } else {
    while (turn->load(cuda::std::memory_order_acquire) != 1) {
    }
    *out = *data + 1;
  }
}

TEST(CudaAtomic, ReleaseAndAcquireBetweenBlocks) {
  cuda::atomic<int, cuda::thread_scope_device>* turn = nullptr;
  ASSERT_CUDA(cudaMallocManaged(&turn, sizeof *turn));
  new (turn) cuda::atomic<int, cuda::thread_scope_device>(0);
  DeviceArray<int> data(1), out(1);
  hand_over<<<2, 32>>>(data, turn, out);
  EXPECT_EQ(out.host()[0], 42);
  EXPECT_CUDA(cudaFree(turn));
}

__global__ void staged_copy(const int4* in, int4* out) {
  __shared__ int4 stage[2][32];
  const int t = static_cast<int>(threadIdx.x);
  __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(int4));
  __pipeline_commit();
  __pipeline_memcpy_async(&stage[1][t], &in[32 + t], sizeof(int4), 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = stage[0][31 - t];
  out[32 + t] = stage[1][31 - t];
}

TEST(CudaPipeline, CopiesArriveWithTheirZeros) {
  std::vector<int4> in;
  for (int i = 0; i < 64; ++i) in.push_back(make_int4(i, i + 100, i + 200, i + 300));
  DeviceArray<int4> device(in), out(64);
  staged_copy<<<1, 32>>>(device, out);
  const auto host = out.host();
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(host[i].w, in[31 - i].w);
    EXPECT_EQ(host[32 + i].y, in[63 - i].y);
    EXPECT_EQ(host[32 + i].z, 0);
  }
}

}  // namespace
