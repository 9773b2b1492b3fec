// libcu++ as kernels use it.
#include <gtest/gtest.h>

#include <cuda/annotated_ptr>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>

namespace {

namespace cs = cuda::std;

// Runs a function of the device with one block, and returns what it wrote.
template <class Function>
__global__ void call(Function function, double* out) {
  function(out);
}
template <class Function>
double result_of(Function function, int threads = 1) {
  double* out;
  EXPECT_EQ(cudaMallocManaged(&out, sizeof(double)), cudaSuccess);
  *out = 0;
  call<<<1, threads>>>(function, out);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const double result = *out;
  cudaFree(out);
  return result;
}

TEST(LibCudaCxx, AtomicsOfTheDevice) {
  EXPECT_EQ(
      result_of([] __device__(double* out) { cuda::atomic_ref<double, cuda::thread_scope_device>(*out) += 2.0; }, 64),
      128.0);
}

TEST(LibCudaCxx, ArrayTupleAndPair) {
  EXPECT_EQ(result_of([] __device__(double* out) {
              cs::array<int, 3> numbers{1, 2, 3};
              const auto [a, b] = cs::make_pair(numbers[0], 0.5);
              const cs::tuple<int, float, double> t{4, 5.0f, 6.0};
              *out = a + b + cs::get<1>(t) + cs::get<2>(t) + numbers.back();
            }),
            15.5);
}

TEST(LibCudaCxx, OptionalAndVariant) {
  EXPECT_EQ(result_of([] __device__(double* out) {
              cs::optional<int> none, some = 3;
              cs::variant<int, double> either = 2.5;
              *out = none.value_or(10) + *some + cs::get<double>(either) + either.index();
            }),
            16.5);
}

TEST(LibCudaCxx, SpanAndMdspan) {
  EXPECT_EQ(result_of([] __device__(double* out) {
              int numbers[6] = {1, 2, 3, 4, 5, 6};
              const cs::span<int> all(numbers);
              const cs::mdspan<int, cs::extents<int, 2, 3>> matrix(numbers);
              *out = all.subspan(2).front() * 10 + matrix(1, 2);
            }),
            36.0);
}

TEST(LibCudaCxx, Complex) {
  EXPECT_EQ(result_of([] __device__(double* out) {
              const cs::complex<double> z(3, 4), w = z * cs::conj(z);
              *out = cs::abs(z) + w.real();
            }),
            30.0);
}

TEST(LibCudaCxx, BitsAndLimits) {
  EXPECT_EQ(result_of([] __device__(double* out) {
              *out = cs::popcount(0xf0fu) + cs::countl_zero(1u) + cs::bit_ceil(33u) +
                     (cs::numeric_limits<float>::max() == __FLT_MAX__);
            }),
            8.0 + 31 + 64 + 1);
}

TEST(LibCudaCxx, MathsOfIntegers) {
  EXPECT_EQ(result_of([] __device__(double* out) { *out = cuda::ceil_div(10, 3) + cs::sqrt(16.0); }), 8.0);
}

TEST(LibCudaCxx, ClockIsMonotonic) {
  EXPECT_EQ(result_of([] __device__(double* out) {
              const auto before = cs::chrono::system_clock::now(), after = cs::chrono::system_clock::now();
              *out = after >= before;
            }),
            1.0);
}

TEST(LibCudaCxx, SemaphoreGuardsACounter) {
  EXPECT_EQ(result_of(
                [] __device__(double* out) {
                  __shared__ cuda::binary_semaphore<cuda::thread_scope_block> semaphore;
                  if (threadIdx.x == 0) new (&semaphore) cuda::binary_semaphore<cuda::thread_scope_block>(1);
                  __syncthreads();
                  semaphore.acquire();
                  *out = *out + 1;
                  semaphore.release();
                },
                8),
            8.0);
}

TEST(LibCudaCxx, TraitsAndInvoke) {
  EXPECT_EQ(result_of([] __device__(double* out) {
              static_assert(cs::is_same_v<cs::common_type_t<int, double>, double>, "");
              static_assert(cs::is_trivially_copyable_v<cs::array<int, 2>>, "");
              const auto twice = cuda::proclaim_return_type<int>([](int x) { return 2 * x; });
              *out = twice(21);
            }),
            42.0);
}

// Both ask in which state space an address is.
TEST(LibCudaCxx, BarrierInSharedMemory) {
  EXPECT_EQ(result_of(
                [] __device__(double* out) {
                  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
                  __shared__ int numbers[8];
                  if (threadIdx.x == 0) init(&barrier, 8);
                  __syncthreads();
                  numbers[threadIdx.x] = static_cast<int>(threadIdx.x) + 1;
                  barrier.arrive_and_wait();
                  if (threadIdx.x == 0)
                    for (const int number : numbers) *out += number;
                },
                8),
            36.0);
}

TEST(LibCudaCxx, AnnotatedPointer) {
  EXPECT_EQ(result_of([] __device__(double* out) {
              cuda::annotated_ptr<double, cuda::access_property::persisting> annotated(out);
              annotated[0] = 5;
            }),
            5.0);
}

}  // namespace
