// curand_kernel.h: the same numbers as on a GPU.
#include <curand.h>
#include <curand_kernel.h>

#include "device_array.h"

namespace {

struct Sequence {
  unsigned long long seed, subsequence, offset;
  unsigned expected[4];
};

template <class State>
__global__ void begin(const Sequence* sequences, unsigned* out) {
  const Sequence& s = sequences[threadIdx.x];
  State state;
  curand_init(s.seed, s.subsequence, s.offset, &state);
  out[threadIdx.x * 4] = curand(&state);
  out[threadIdx.x * 4 + 1] = curand(&state);
  skipahead(1000003ull, &state);
  out[threadIdx.x * 4 + 2] = curand(&state);
  skipahead_sequence(77ull, &state);
  out[threadIdx.x * 4 + 3] = curand(&state);
}

template <class State>
void expect_sequences(const std::vector<Sequence>& sequences) {
  DeviceArray<Sequence> device(sequences);
  DeviceArray<unsigned> out(sequences.size() * 4);
  begin<State><<<1, static_cast<unsigned>(sequences.size())>>>(device, out);
  const auto host = out.host();
  for (std::size_t i = 0; i < sequences.size() * 4; ++i) EXPECT_EQ(host[i], sequences[i / 4].expected[i % 4]) << i;
}

TEST(Random, XorwowSkipsAhead) {
  expect_sequences<curandStateXORWOW_t>(
      {{0, 0, 0, {3179217846u, 1883133293u, 441615271u, 4193147781u}},
       {1234, 1, 0, {3522650202u, 3978931785u, 3632541738u, 3966488779u}},
       {81985529216486895u, 1000, 3, {30095727u, 2194767593u, 236979061u, 1140799081u}},
       {7, 1099511627776u, 5, {3876701222u, 2283574677u, 1814618210u, 2667166126u}}});
}

TEST(Random, PhiloxSkipsAhead) {
  expect_sequences<curandStatePhilox4_32_10_t>(
      {{0, 0, 0, {1713891541u, 3781805453u, 1997226654u, 3373205985u}},
       {1234, 1, 0, {3507855656u, 1392278645u, 2498501720u, 1888071165u}},
       {81985529216486895u, 1000, 3, {3009687700u, 4033526049u, 1954223064u, 3273406332u}}});
}

__global__ void distributions(double* out) {
  curandState state;
  curand_init(42, 3, 0, &state);
  *out++ = curand_uniform(&state);
  *out++ = curand_uniform_double(&state);
  *out++ = curand_normal(&state);
  *out++ = curand_normal(&state);
  *out++ = curand_normal_double(&state);
  *out++ = curand_log_normal(&state, 0.5f, 0.25f);
  curandStatePhilox4_32_10_t philox;
  curand_init(42, 3, 1, &philox);
  const uint4 words = curand4(&philox);
  *out++ = words.x;
  *out++ = words.w;
  *out++ = curand_uniform4(&philox).w;
  *out++ = curand_normal4(&philox).z;
}

TEST(Random, Distributions) {
  DeviceArray<double> out(10);
  distributions<<<1, 1>>>(out);
  const auto host = out.host();
  const double expected[] = {0.576370835, 0.043873741512327757, 0.522556961, 0.959001362, 1.2991928413100831,
                             2.35900903,  1913948817,           2242436924,  0.320949644, 0.976011038};
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(host[i], expected[i], 3e-6 * std::abs(expected[i])) << i;
  EXPECT_NEAR(host[1], expected[1], 1e-16);
  EXPECT_NEAR(host[4], expected[4], 1e-14);
}

// Each kind of number is what pairs of numbers give, from the same state.
template <class State>
__global__ void pairs(double* out) {
  State state, same;
  curand_init(7, 1, 0, &state);
  same = state;
  const float2 two = curand_log_normal2(&same, 0.5f, 0.25f);
  *out++ = curand_log_normal(&state, 0.5f, 0.25f) - two.x;
  *out++ = curand_log_normal(&state, 100.0f, 3.0f) - two.y;  // kept since the call before
  const double2 two_doubles = curand_log_normal2_double(&same, 0.5, 0.25);
  *out++ = curand_log_normal_double(&state, 0.5, 0.25) - two_doubles.x;
  *out++ = curand_log_normal_double(&state, 100.0, 3.0) - two_doubles.y;
  const float2 normal = curand_normal2(&same);
  const float2 raised = curand_log_normal2(&state, 1.0f, 2.0f);
  *out++ = logf(raised.x) - (1.0f + 2.0f * normal.x);
  *out++ = logf(raised.y) - (1.0f + 2.0f * normal.y);
}
__global__ void fours(double* out) {
  curandStatePhilox4_32_10_t state, same;
  curand_init(7, 1, 2, &state);
  same = state;
  const auto uniform = curand_uniform4_double(&state);
  const double2 low = curand_uniform2_double(&same), high = curand_uniform2_double(&same);
  *out++ = uniform.x - low.x + uniform.y - low.y + uniform.z - high.x + uniform.w - high.y;
  const auto normal = curand_normal4_double(&state);
  const double2 first = curand_normal2_double(&same), second = curand_normal2_double(&same);
  *out++ = normal.x - first.x + normal.y - first.y + normal.z - second.x + normal.w - second.y;
  const float4 raised = curand_log_normal4(&state, 0.5f, 0.25f), plain = curand_normal4(&same);
  *out++ = logf(raised.x) + logf(raised.y) + logf(raised.z) + logf(raised.w) -
           (2.0f + 0.25f * (plain.x + plain.y + plain.z + plain.w));
}
TEST(Random, PairsAndFours) {
  DeviceArray<double> out(15);
  pairs<curandState><<<1, 1>>>(out);
  pairs<curandStatePhilox4_32_10_t><<<1, 1>>>(out.get() + 6);
  fours<<<1, 1>>>(out.get() + 12);
  const auto host = out.host();
  for (int i = 0; i < 15; ++i) EXPECT_NEAR(host[i], 0, 5e-6) << i;
}

// As in typical programs: a state for each thread, kept in memory between kernels.
__global__ void set_up(curandState_t* states) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(2024, i, 0, &states[i]);
}
__global__ void throw_darts(curandState_t* states, unsigned* hits, int darts) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState_t state = states[i];
  unsigned inside = 0;
  for (int k = 0; k < darts; ++k) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    inside += x * x + y * y <= 1.0f;
  }
  states[i] = state;
  atomicAdd(hits, inside);
}

TEST(Random, EstimatesPi) {
  curandState_t* states = nullptr;
  ASSERT_CUDA(cudaMalloc(&states, 1024 * sizeof *states));
  DeviceArray<unsigned> hits(1);
  set_up<<<4, 256>>>(states);
  throw_darts<<<4, 256>>>(states, hits, 100);
  throw_darts<<<4, 256>>>(states, hits, 100);
  EXPECT_NEAR(hits.host()[0] * 4.0 / (1024 * 200), 3.14159, 0.02);
  EXPECT_CUDA(cudaFree(states));
}

}  // namespace
