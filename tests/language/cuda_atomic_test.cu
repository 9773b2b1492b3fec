// cuda::atomic, latches, semaphores and cuda::functional, in kernels and on the host.

#include <cuda/atomic>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <nv/target>

#include "device_array.h"

namespace {

#pragma GCC diagnostic ignored "-Wunknown-pragmas"  // the next pragma is for nvcc
#pragma nv_diag_suppress static_var_with_dynamic_init

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

__global__ void count_down_and_take(int* out) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  alignas(Latch) __shared__ unsigned char memory[sizeof(Latch)];
  Latch& all_there = *reinterpret_cast<Latch*>(memory);
  __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 4> permissions;
  __shared__ cuda::binary_semaphore<cuda::thread_scope_block> lock;
  __shared__ int sum, most, inside;
  if (threadIdx.x == 0) {
    new (memory) Latch(blockDim.x);
    new (&permissions) cuda::counting_semaphore<cuda::thread_scope_block, 4>(4);
    new (&lock) cuda::binary_semaphore<cuda::thread_scope_block>(1);
    sum = most = inside = 0;
  }
  __syncthreads();
  if (threadIdx.x % 8 == 0) {
    permissions.acquire();
    lock.acquire();
    sum += static_cast<int>(threadIdx.x);
    most = ++inside > most ? inside : most;
    lock.release();
    lock.acquire();
    --inside;
    lock.release();
    permissions.release();
  }
  all_there.count_down();
  all_there.wait();
  out[threadIdx.x] = sum * 10 + (most >= 1 && most <= 4);
}

__global__ void wait_for_values(int* data, int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> turn;
  if (threadIdx.x == 0) turn.store(0);
  __syncthreads();
  if (threadIdx.x == 32) {
    *data = 41;
    turn.store(1, cuda::std::memory_order_release);
    turn.notify_all();
  } else if (threadIdx.x == 0) {
    turn.wait(0, cuda::std::memory_order_acquire);
    *out = *data + 1;
  }
}

__global__ void take_room(cuda::atomic<int*, cuda::thread_scope_device>* next) {
  *next->fetch_add(2) = static_cast<int>(threadIdx.x);
  (*next)++;
  *next -= 1;
}

template <class F>
__global__ void call(F f, int* out) {
  *out = f(static_cast<int>(threadIdx.x) + 3) + cuda::maximum<>()(2, 7) * 100 + cuda::minimum<int>()(2, 7) * 1000 +
         cuda::ceil_div(10, 4) * 10000;
}

void call_square(int* out) {
  call<<<1, 1>>>(cuda::proclaim_return_type<int>([] __device__(int x) { return x * x; }), out);
}

__device__ int of_the_device[2] = {5, 6};

__global__ void locate(int** out) { *out = *cuda::get_device_address(of_the_device); }

__host__ __device__ int chosen() {
  NV_IF_ELSE_TARGET(NV_IS_HOST, (return 1;), (NV_IF_TARGET(NV_PROVIDES_SM_60, (int a = 2, b = 0; return a + b;))))
  return 3;
}

__global__ void choose(int* out) {
  *out = chosen();
  NV_DISPATCH_TARGET(NV_PROVIDES_SM_60, (*out += 10;), NV_IS_DEVICE, (*out += 20;), NV_IS_HOST, (*out += 40;))
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

TEST(CudaAtomic, ReleaseAndAcquireBetweenBlocks) {
  cuda::atomic<int, cuda::thread_scope_device>* turn = nullptr;
  ASSERT_CUDA(cudaMallocManaged(&turn, sizeof *turn));
  new (turn) cuda::atomic<int, cuda::thread_scope_device>(0);
  DeviceArray<int> data(1), out(1);
  hand_over<<<2, 32>>>(data, turn, out);
  EXPECT_EQ(out.host()[0], 42);
  EXPECT_CUDA(cudaFree(turn));
}

TEST(CudaSemaphore, LetsFewInAndALatchWaitsForAll) {
  DeviceArray<int> out(64);
  count_down_and_take<<<1, 64>>>(out);
  for (int value : out.host()) EXPECT_EQ(value, (8 + 16 + 24 + 32 + 40 + 48 + 56) * 10 + 1);
}

TEST(CudaAtomic, PointersMoveByElements) {
  DeviceArray<int> out(130, -1);
  cuda::atomic<int*, cuda::thread_scope_device>* next = nullptr;
  ASSERT_CUDA(cudaMallocManaged(&next, sizeof *next));
  new (next) cuda::atomic<int*, cuda::thread_scope_device>(out.get());
  take_room<<<1, 1>>>(next);
  take_room<<<1, 1>>>(next);
  EXPECT_EQ(out.host()[0], 0);
  EXPECT_EQ(out.host()[1], -1);
  EXPECT_EQ(out.host()[2], 0);
  EXPECT_EQ(next->load() - out.get(), 4);
  EXPECT_CUDA(cudaFree(next));
}

TEST(CudaAtomic, WaitsForAnotherValue) {
  DeviceArray<int> data(1), out(1);
  wait_for_values<<<1, 64>>>(data, out);
  EXPECT_EQ(out.host()[0], 42);
  cuda::std::atomic_flag flag{};
  flag.clear();
  EXPECT_FALSE(flag.test_and_set());
  EXPECT_TRUE(flag.test());
}

TEST(CudaFunctional, ProclaimsResultsAndRounds) {
  DeviceArray<int> out(1);
  call_square(out);
  EXPECT_EQ(out.host()[0], 32709);
  EXPECT_EQ(cuda::ceil_div(9u, 3u), 3u);
  EXPECT_EQ(cuda::round_up(10, 8), 16);
  EXPECT_EQ(cuda::round_down(10, 8), 8);
  EXPECT_EQ(cuda::ilog2(33), 5);
}

TEST(CudaFunctional, FindsVariablesOfTheDevice) {
  DeviceArray<int*> out(1);
  locate<<<1, 1>>>(out);
  int(*found)[2] = cuda::get_device_address(of_the_device);
  EXPECT_EQ(out.host()[0], *found);
  int here = 0;
  EXPECT_CUDA(cudaMemcpy(&here, *found + 1, sizeof here, cudaMemcpyDefault));
  EXPECT_EQ(here, 6);
  EXPECT_ANY_THROW((void)cuda::get_device_address(here));
  (void)cudaGetLastError();
}

TEST(NvTarget, ChoosesByPass) {
  DeviceArray<int> out(1);
  choose<<<1, 1>>>(out);
  EXPECT_EQ(out.host()[0], 12);
  EXPECT_EQ(chosen(), 1);
}

}  // namespace
