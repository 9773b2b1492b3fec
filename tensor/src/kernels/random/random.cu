#include "kernels/device/block_random.h"
#include "kernels/device/element.h"
#include "kernels/device/launch.h"
#include "kernels/random/random.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"

namespace reprise::kernels {
namespace {

enum class Distribution { uniform, normal, whole };

// Transforms two uniform numbers to two normal ones (Box-Muller).
__device__ void normal_pair(std::uint32_t first, std::uint32_t second, float& a, float& b) {
  // Excludes 0, whose logarithm is infinite.
  float radius = sqrtf(-2.f * logf((static_cast<float>(first >> 8) + 0.5f) * (1.f / 16777216.f)));
  float angle = 6.2831853f * uniform(second);
  a = radius * cosf(angle);
  b = radius * sinf(angle);
}

template <Distribution distribution>
__device__ void take_four(const PhiloxWords& words, float (&values)[4]) {
  if constexpr (distribution == Distribution::normal) {
    normal_pair(words.at[0], words.at[1], values[0], values[1]);
    normal_pair(words.at[2], words.at[3], values[2], values[3]);
  } else {
    for (int i = 0; i < 4; ++i) values[i] = uniform(words.at[i]);
  }
}

// A uniform number that 16 bits hold exactly, by truncation: rounding could give 1.
__device__ inline float truncated(float value, DType dtype) {
  const float steps = dtype == DType::f16 ? 2048.f : 256.f;
  return dtype == DType::f32 ? value : floorf(value * steps) / steps;
}

// One thread per four elements. `scale` and `shift` are the width and the lower bound, or the deviation and the mean.
template <Distribution distribution>
__global__ void draw(void* out, DType dtype, unsigned n, PhiloxState state, float scale, float shift) {
  unsigned group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group * 4 >= n) return;
  float values[4];
  take_four<distribution>(state.draw(group), values);
  if constexpr (distribution == Distribution::uniform) {
    for (int i = 0; i < 4; ++i) values[i] = truncated(values[i], dtype);
  }
  for (unsigned i = 0; i < 4 && group * 4 + i < n; ++i)
    store<float>(out, dtype, static_cast<int>(group * 4 + i), values[i] * scale + shift);
}

// The same for f32 and whole groups.
template <Distribution distribution>
__global__ void draw_groups(float* out, unsigned groups, PhiloxState state, float scale, float shift) {
  const PhiloxState own = load_position_once(state);
  unsigned group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group >= groups) return;
  float values[4];
  take_four<distribution>(own.draw(group), values);
  for (unsigned i = 0; i < 4; ++i) out[group * 4 + i] = values[i] * scale + shift;
}

__global__ void draw_whole(std::int64_t* out, unsigned n, PhiloxState state, std::int64_t low, std::uint64_t range) {
  unsigned group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group * 4 >= n) return;
  PhiloxWords first = state.draw(group, 0), second = state.draw(group, 1);
  for (unsigned i = 0; i < 4 && group * 4 + i < n; ++i) {
    std::uint64_t bits = static_cast<std::uint64_t>(first.at[i]) << 32 | second.at[i];
    out[group * 4 + i] = low + static_cast<std::int64_t>(bits % range);
  }
}

constexpr std::int64_t most_elements = std::int64_t(1) << 31;

template <Distribution distribution>
void fill(const Tensor& x, double scale, double shift, const Generator& generator, const char* operation) {
  check(is_floating(x.dtype()), operation, ": a tensor of ", x.dtype(), " ", x.sizes(), " cannot hold such numbers");
  check(x.numel() < most_elements, operation, ": ", x.sizes(), " is too large");
  if (x.numel() == 0) return;
  if (!x.is_contiguous()) {
    Tensor dense = empty_like(x);
    fill<distribution>(dense, scale, shift, generator, operation);
    return copy_(x, dense);
  }
  unsigned n = static_cast<unsigned>(x.numel());
  PhiloxState state = generator.next();
  float factor = static_cast<float>(scale), begin = static_cast<float>(shift);
  Overwriting here;
  if (x.dtype() == DType::f32 && n % 4 == 0) {
    draw_groups<distribution>
        <<<blocks_for(n / 4), threads_per_block, 0, current_stream()>>>(x.data<float>(), n / 4, state, factor, begin);
  } else {
    draw<distribution><<<blocks_for((n + 3) / 4), threads_per_block, 0, current_stream()>>>(x.data(), x.dtype(), n,
                                                                                            state, factor, begin);
  }
  check_launch(operation);
}

}  // namespace

void uniform_(const Tensor& x, double low, double high, const Generator& generator) {
  fill<Distribution::uniform>(x, high - low, low, generator, "uniform_");
}

void normal_(const Tensor& x, double mean, double deviation, const Generator& generator) {
  fill<Distribution::normal>(x, deviation, mean, generator, "normal_");
}

Tensor rand(const Sizes& sizes, DType dtype, const Generator& generator) {
  Tensor made = empty(sizes, dtype);
  fill<Distribution::uniform>(made, 1, 0, generator, "rand");
  return made;
}

Tensor randn(const Sizes& sizes, DType dtype, const Generator& generator) {
  Tensor made = empty(sizes, dtype);
  fill<Distribution::normal>(made, 1, 0, generator, "randn");
  return made;
}

Tensor randint(std::int64_t low, std::int64_t high, const Sizes& sizes, const Generator& generator) {
  check(low < high, "randint: there is no whole number from ", low, " on below ", high);
  Tensor made = empty(sizes, DType::i64);
  check(made.numel() < most_elements, "randint: ", sizes, " is too large");
  if (made.numel() == 0) return made;
  unsigned n = static_cast<unsigned>(made.numel());
  draw_whole<<<blocks_for((n + 3) / 4), threads_per_block, 0, current_stream()>>>(
      made.data<std::int64_t>(), n, generator.next(2), low,
      static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low));
  check_launch("randint");
  return made;
}

}  // namespace reprise::kernels
