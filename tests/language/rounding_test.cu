// Arithmetic in each rounding mode, against the host's own arithmetic in that mode.
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "device_array.h"

namespace {

const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
const char* const operations[7] = {"add", "sub", "mul", "div", "rcp", "sqrt", "fma"};

__global__ void compute(const float* in, float* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  float* mine = out + i * 28;
#define EACH(r)                                                                                                   \
  *mine++ = __fadd_##r(a, b), *mine++ = __fsub_##r(a, b), *mine++ = __fmul_##r(a, b), *mine++ = __fdiv_##r(a, b), \
  *mine++ = __frcp_##r(a), *mine++ = __fsqrt_##r(a), *mine++ = __fmaf_##r(a, b, c);
  EACH(rn) EACH(rz) EACH(ru) EACH(rd)
#undef EACH
}
__global__ void compute(const double* in, double* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const double a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  double* mine = out + i * 28;
#define EACH(r)                                                                                                   \
  *mine++ = __dadd_##r(a, b), *mine++ = __dsub_##r(a, b), *mine++ = __dmul_##r(a, b), *mine++ = __ddiv_##r(a, b), \
  *mine++ = __drcp_##r(a), *mine++ = __dsqrt_##r(a), *mine++ = __fma_##r(a, b, c);
  EACH(rn) EACH(rz) EACH(ru) EACH(rd)
#undef EACH
}

template <class Real>
Real reference(int operation, Real x, Real y, Real z) {
  volatile Real a = x, b = y, c = z, result = 0;
  switch (operation) {
    case 0:
      result = a + b;
      break;
    case 1:
      result = a - b;
      break;
    case 2:
      result = a * b;
      break;
    case 3:
      result = a / b;
      break;
    case 4:
      result = Real(1) / a;
      break;
    case 5:
      result = std::sqrt(a);
      break;
    default:
      result = std::fma(a, b, c);
  }
  return result;
}

template <class Real>
std::vector<Real> operands() {
  std::mt19937_64 random(5);
  std::vector<Real> values;
  const Real special[] = {0,
                          -Real(0),
                          1,
                          -1,
                          3,
                          std::numeric_limits<Real>::max(),
                          std::numeric_limits<Real>::lowest(),
                          std::numeric_limits<Real>::min(),
                          std::numeric_limits<Real>::denorm_min(),
                          std::numeric_limits<Real>::infinity(),
                          -std::numeric_limits<Real>::infinity(),
                          std::numeric_limits<Real>::quiet_NaN()};
  for (Real a : special)
    for (Real b : special) values.insert(values.end(), {a, b, special[random() % 12]});
  const int span = sizeof(Real) == 4 ? 140 : 1060;
  for (int i = 0; i < 3 * 3000; ++i) {
    const Real fraction = static_cast<Real>(static_cast<long long>(random())) / Real(9.3e18);
    const int near = static_cast<int>(random() % 60) - 30, far = static_cast<int>(random() % (2 * span)) - span;
    values.push_back(std::ldexp(fraction, i % 9 < 3 ? far : near));
  }
  return values;
}

template <class Real>
void check() {
  const auto in = operands<Real>();
  const int count = static_cast<int>(in.size() / 3);
  DeviceArray<Real> device(in), out(count * 28);
  compute<<<(count + 63) / 64, 64>>>(device.get(), out.get(), count);
  const auto host = out.host();
  for (int i = 0; i < count; ++i)
    for (int m = 0; m < 4; ++m)
      for (int op = 0; op < 7; ++op) {
        std::fesetround(modes[m]);
        const Real expected = reference(op, in[3 * i], in[3 * i + 1], in[3 * i + 2]);
        std::fesetround(FE_TONEAREST);
        const Real got = host[i * 28 + m * 7 + op];
        if (std::isnan(expected)) {
          ASSERT_TRUE(std::isnan(got)) << operations[op] << " mode " << m << " of " << in[3 * i] << " "
                                       << in[3 * i + 1];
          continue;
        }
        ASSERT_EQ(std::memcmp(&got, &expected, sizeof got), 0)
            << operations[op] << " mode " << m << " of " << std::hexfloat << in[3 * i] << " " << in[3 * i + 1] << " "
            << in[3 * i + 2] << " gave " << got << " not " << expected;
      }
}

TEST(Rounding, FloatsInEveryMode) { check<float>(); }
TEST(Rounding, DoublesInEveryMode) { check<double>(); }

__global__ void no_contraction(const float* in, float* out) {
  out[0] = __fadd_rn(__fmul_rn(in[0], in[1]), in[2]);
  out[1] = fmaf(in[0], in[1], in[2]);
  out[2] = __frsqrt_rn(in[0]);
  out[3] = __saturatef(in[0]) + __saturatef(-2.0f) + __saturatef(0.25f);
}

TEST(Rounding, NamedOperationsAreNeverMerged) {
  const float a = 1.0f + 0x1p-23f, b = 1.0f + 0x1p-23f, c = -(1.0f + 0x1p-22f);
  DeviceArray<float> in(std::vector<float>{a, b, c}), out(4);
  no_contraction<<<1, 1>>>(in, out);
  EXPECT_EQ(out.host(), (std::vector<float>{0.0f, 0x1p-46f, static_cast<float>(1 / std::sqrt(double(a))), 1.25f}));
}

}  // namespace
