// cuda::barrier and cuda::pipeline, in kernels and on the host, and copies through the pipeline primitives.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <thread>

#include "device_array.h"

namespace {

#pragma GCC diagnostic ignored "-Wunknown-pragmas"  // the next pragma is for nvcc
#pragma nv_diag_suppress static_var_with_dynamic_init
using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

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

// A scan of the block, with one barrier per step; half of the threads arrive early.
__global__ void sums_with_a_barrier(const int* in, int* out) {
  __shared__ BlockBarrier ready;
  __shared__ int values[2][96];
  const int t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  if (t == 0) init(&ready, threads);
  __syncthreads();
  values[0][t] = in[t];
  int from = 0;
  for (int step = 1; step < threads; step *= 2, from ^= 1) {
    BlockBarrier::arrival_token token = ready.arrive();
    ready.wait(cuda::std::move(token));
    values[from ^ 1][t] = values[from][t] + (t >= step ? values[from][t - step] : 0);
  }
  ready.arrive_and_wait();
  out[t] = values[from][threads - 1 - t];
}

// One warp writes and the others read two buffers in turn; parities tell the phases apart.
__global__ void producer_and_consumers(const int* in, int* out, int rounds) {
  __shared__ BlockBarrier filled[2], emptied[2];
  __shared__ int buffer[2][32];
  const int t = static_cast<int>(threadIdx.x);
  if (t < 2) {
    init(&filled[t], blockDim.x);
    init(&emptied[t], blockDim.x);
  }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < rounds; ++i) {
      emptied[i % 2].arrive_and_wait();
      buffer[i % 2][t] = in[i * 32 + t];
      (void)filled[i % 2].arrive();
    }
  } else {
    (void)emptied[0].arrive();
    (void)emptied[1].arrive();
    for (int i = 0; i < rounds; ++i) {
      filled[i % 2].wait(filled[i % 2].arrive());
      if (t < 64) out[i * 32 + t - 32] = buffer[i % 2][63 - t] + 1;
      if (i + 2 < rounds) (void)emptied[i % 2].arrive();
    }
  }
}

struct CountPhases {
  int* phases;
  __host__ __device__ void operator()() const { ++*phases; }
};

__global__ void with_completion(int* out) {
  __shared__ int phases;
  __shared__ cuda::barrier<cuda::thread_scope_block, CountPhases> meeting;
  if (threadIdx.x == 0) {
    phases = 0;
    init(&meeting, blockDim.x, CountPhases{&phases});
  }
  __syncthreads();
  if (threadIdx.x % 2) {
    meeting.arrive_and_drop();
    return;
  }
  for (int i = 0; i < 3; ++i) meeting.arrive_and_wait();
  out[threadIdx.x] = phases;
}

__device__ cuda::barrier<cuda::thread_scope_device> whole_grid;

__global__ void set_up_barrier(int threads) { init(&whole_grid, threads); }

__global__ void around_the_grid(int* values, int rounds) {
  const int n = static_cast<int>(gridDim.x * blockDim.x), i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (int r = 0; r < rounds; ++r) {
    values[(r + 1) % 2 * n + i] = values[r % 2 * n + (i + 1) % n] + 1;
    whole_grid.arrive_and_wait();
  }
}

__global__ void copies_with_a_barrier(const int* in, int* out) {
  __shared__ BlockBarrier arrived;
  alignas(16) __shared__ int values[128], single[64];
  const auto block = cooperative_groups::this_thread_block();
  const unsigned t = block.thread_rank();
  if (t == 0) init(&arrived, block.size());
  block.sync();
  cuda::memcpy_async(block, values, in, cuda::aligned_size_t<16>(sizeof(int) * 128), arrived);
  cuda::memcpy_async(single + t, in + 128 + t, sizeof(int), arrived);
  arrived.arrive_and_wait();
  out[t] = values[127 - t] + values[t] + single[63 - t];
}

// The two-stage pipeline of the programming guide: the next batch is fetched while this one is used.
template <class Make>
__device__ void two_stages(Make make, const int* in, int* out, int batches) {
  __shared__ int buffer[2][64];
  const auto block = cooperative_groups::this_thread_block();
  const unsigned t = block.thread_rank(), threads = block.size();
  auto pipe = make(block);
  pipe.producer_acquire();
  cuda::memcpy_async(block, buffer[0], in, sizeof(int) * threads, pipe);
  pipe.producer_commit();
  for (int i = 1; i <= batches; ++i) {
    if (i < batches) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer[i % 2], in + i * threads, sizeof(int) * threads, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[(i - 1) * threads + t] = buffer[(i - 1) % 2][threads - 1 - t];
    pipe.consumer_release();
  }
}

struct MakeShared {
  cuda::pipeline_shared_state<cuda::thread_scope_block, 2>* state;
  template <class Block>
  __device__ auto operator()(const Block& block) const {
    return cuda::make_pipeline(block, state);
  }
};

__global__ void two_stages_shared(const int* in, int* out, int batches) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  two_stages(MakeShared{&state}, in, out, batches);
}

// The first warp loads, the others compute.
__global__ void divided_work(const int* in, int* out, int batches, bool by_role) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  __shared__ int buffer[3][64];
  const auto block = cooperative_groups::this_thread_block();
  const unsigned t = block.thread_rank();
  const bool producer = t < 32;
  auto pipe = by_role ? cuda::make_pipeline(block, &state,
                                            producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer)
                      : cuda::make_pipeline(block, &state, 32);
  for (int i = 0; i < batches; ++i) {
    if (producer) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[i % 3][t * 2], in + i * 64 + t * 2, cuda::aligned_size_t<8>(8), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      out[i * 64 + t - 32] = buffer[i % 3][95 - t];
      pipe.consumer_release();
    }
  }
}

__global__ void own_pipeline(const int* in, int* out) {
  __shared__ int buffer[2][32];
  auto pipe = cuda::make_pipeline();
  for (int i = 0; i < 2; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&buffer[i][threadIdx.x], &in[i * 32 + threadIdx.x], sizeof(int), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<1>(pipe);
  out[threadIdx.x] = buffer[0][threadIdx.x];
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  out[32 + threadIdx.x] = buffer[1][threadIdx.x];
  pipe.consumer_release();
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

TEST(CudaBarrier, SeparatesTheStepsOfAScan) {
  std::vector<int> in(96);
  for (int i = 0; i < 96; ++i) in[i] = i * i % 7;
  DeviceArray<int> device(in), out(96);
  sums_with_a_barrier<<<1, 96>>>(device, out);
  const auto host = out.host();
  int sum = 0;
  for (int i = 0; i < 96; ++i) {
    sum += in[i];
    EXPECT_EQ(host[95 - i], sum);
  }
}

TEST(CudaBarrier, ProducersAndConsumersTakeTurns) {
  std::vector<int> in(32 * 7);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
  DeviceArray<int> device(in), out(in.size());
  producer_and_consumers<<<1, 96>>>(device, out, 7);
  const auto host = out.host();
  for (int i = 0; i < 7; ++i)
    for (int t = 0; t < 32; ++t) EXPECT_EQ(host[i * 32 + t], i * 32 + 31 - t + 1);
}

TEST(CudaBarrier, CompletesEachPhaseOnceAndLetsThreadsGo) {
  DeviceArray<int> out(64, -1);
  with_completion<<<1, 64>>>(out);
  const auto host = out.host();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(host[i], i % 2 ? -1 : 3);
}

// More concurrent blocks than a small processor has cores.
TEST(CudaBarrier, HoldsTheBlocksOfACooperativeGrid) {
  constexpr int blocks = 24, threads = 32, n = blocks * threads;
  std::vector<int> start(2 * n);
  for (int i = 0; i < n; ++i) start[i] = i;
  DeviceArray<int> values(start);
  set_up_barrier<<<1, 1>>>(n);
  int* data = values;
  int rounds = 6;
  void* arguments[] = {&data, &rounds};
  ASSERT_CUDA(cudaLaunchCooperativeKernel(around_the_grid, dim3(blocks), dim3(threads), arguments, 0, nullptr));
  const auto host = values.host();
  for (int i = 0; i < n; ++i) EXPECT_EQ(host[i], (i + 6) % n + 6);
}

TEST(CudaBarrier, HoldsThreadsOfTheHostToo) {
  cuda::barrier<cuda::thread_scope_system> meeting(2);
  int value = 0, seen = 0;
  std::thread other([&] {
    meeting.arrive_and_wait();
    seen = value;
    meeting.arrive_and_wait();
  });
  value = 5;
  meeting.arrive_and_wait();
  meeting.wait_parity(false);
  meeting.arrive_and_wait();
  other.join();
  EXPECT_EQ(seen, 5);
}

TEST(CudaBarrier, CopiesArriveWithIt) {
  std::vector<int> in(192);
  for (int i = 0; i < 192; ++i) in[i] = i * 3;
  DeviceArray<int> device(in), out(64);
  copies_with_a_barrier<<<1, 64>>>(device, out);
  const auto host = out.host();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(host[i], 127 * 3 + (191 - i) * 3);
}

TEST(CudaPipeline, FetchesTheNextBatchWhileThisIsUsed) {
  std::vector<int> in(64 * 9);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
  DeviceArray<int> device(in), out(in.size()), divided(in.size()), roles(in.size()), own(64);
  two_stages_shared<<<1, 64>>>(device, out, 9);
  divided_work<<<1, 96>>>(device, divided, 9, false);
  divided_work<<<1, 96>>>(device, roles, 9, true);
  own_pipeline<<<1, 32>>>(device, own);
  const auto host = out.host(), host_divided = divided.host(), host_roles = roles.host(), host_own = own.host();
  for (int i = 0; i < 9; ++i)
    for (int t = 0; t < 64; ++t) {
      EXPECT_EQ(host[i * 64 + t], i * 64 + 63 - t);
      EXPECT_EQ(host_divided[i * 64 + t], i * 64 + 63 - t);
      EXPECT_EQ(host_roles[i * 64 + t], i * 64 + 63 - t);
    }
  for (int i = 0; i < 64; ++i) EXPECT_EQ(host_own[i], i);
}

}  // namespace
