// Maths functions of two and more arguments or results, within CUDA's stated error, and those that are exact.
#include <climits>

#include "accuracy.h"
#include "device_array.h"
#include "maths_reference.h"

namespace {

template <class Real, class Function>
__global__ void apply(const Real* a, const Real* b, Real* out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    out[i] = Function::call(a[i], b[i]);
}

template <class Real>
struct Pairs {
  std::vector<Real> a, b;
};

// Every pair of special values, and random ones of like and of different size.
template <class Real>
Pairs<Real> pairs(double size) {
  Pairs<Real> values;
  const auto special = accuracy::special_values<Real>();
  for (Real x : special)
    for (Real y : special) values.a.push_back(x), values.b.push_back(y);
  std::mt19937_64 random(99);
  std::normal_distribution<double> around(0, 1);
  for (int i = 0; i < 10000; ++i) {
    values.a.push_back(static_cast<Real>(around(random) * std::exp(around(random) * size)));
    values.b.push_back(static_cast<Real>(around(random) * std::exp(around(random) * size)));
  }
  return values;
}

template <class Real, class Function, class Exact>
void check(const char* name, Exact exact, double bound, double size = 3) {
  const Pairs<Real> in = pairs<Real>(size);
  const int count = static_cast<int>(in.a.size());
  DeviceArray<Real> a(in.a), b(in.b), out(in.a.size());
  apply<Real, Function><<<4, 128>>>(a, b, out, count);
  const auto got = out.host();
  double worst = 0;
  int at = 0;
  for (int i = 0; i < count; ++i) {
    const double error = accuracy::distance(got[i], static_cast<Real>(exact(in.a[i], in.b[i])));
    if (error > worst) worst = error, at = i;
  }
  EXPECT_LE(worst, bound) << name << "(" << std::hexfloat << in.a[at] << ", " << in.b[at] << ") gave " << got[at]
                          << " not " << static_cast<Real>(exact(in.a[at], in.b[at]));
}

#define BOTH(name)                                                           \
  struct Call_##name {                                                       \
    static __device__ float call(float x, float y) { return name##f(x, y); } \
    static __device__ double call(double x, double y) { return name(x, y); } \
  };
// In long double, rounded once, for functions with an error.
#define CHECK(name, exact, float_bound, double_bound)                                    \
  BOTH(name)                                                                             \
  TEST(MathsMoreArguments, name) {                                                       \
    const auto wide = [](long double x, long double y) -> long double { return exact; }; \
    check<float, Call_##name>(#name "f", wide, float_bound);                             \
    check<double, Call_##name>(#name, wide, double_bound);                               \
  }
// In the type itself, for exact ones.
#define CHECK_EXACT(name)                                                                      \
  BOTH(name)                                                                                   \
  TEST(MathsMoreArguments, name) {                                                             \
    check<float, Call_##name>(#name "f", [](float x, float y) { return std::name(x, y); }, 0); \
    check<double, Call_##name>(#name, [](double x, double y) { return std::name(x, y); }, 0);  \
  }

CHECK(pow, std::pow(x, y), 4, 2)
CHECK(atan2, std::atan2(x, y), 3, 2)
CHECK(hypot, std::hypot(x, y), 3, 2)
CHECK(rhypot, 1 / std::hypot(x, y), 2, 1)
CHECK_EXACT(fmod)
CHECK_EXACT(remainder)
CHECK_EXACT(fdim)
CHECK_EXACT(copysign)
CHECK_EXACT(nextafter)

// Of two zeros either may be taken.
struct Extremes {
  template <class Real>
  static __device__ Real call(Real x, Real y) {
    return fmax(x, y) - fmin(x, y);
  }
};
TEST(MathsMoreArguments, FmaxFmin) {
  check<float, Extremes>("fmaxf-fminf", [](float x, float y) { return std::fmax(x, y) - std::fmin(x, y); }, 0);
  check<double, Extremes>("fmax-fmin", [](double x, double y) { return std::fmax(x, y) - std::fmin(x, y); }, 0);
}

template <class Real>
__global__ void lengths(const Real* in, Real* out, int count);
template <>
__global__ void lengths(const float* in, float* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float *v = in + 4 * i, x = v[0], y = v[1], z = v[2], w = v[3];
  float* o = out + 6 * i;
  o[0] = norm3df(x, y, z), o[1] = rnorm3df(x, y, z), o[2] = norm4df(x, y, z, w), o[3] = rnorm4df(x, y, z, w);
  o[4] = normf(4, v), o[5] = rnormf(4, v);
}
template <>
__global__ void lengths(const double* in, double* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const double *v = in + 4 * i, x = v[0], y = v[1], z = v[2], w = v[3];
  double* o = out + 6 * i;
  o[0] = norm3d(x, y, z), o[1] = rnorm3d(x, y, z), o[2] = norm4d(x, y, z, w), o[3] = rnorm4d(x, y, z, w);
  o[4] = norm(4, v), o[5] = rnorm(4, v);
}

template <class Real>
void check_lengths(double bound, double reciprocal_bound) {
  const Pairs<Real> p = pairs<Real>(8);
  std::vector<Real> in;
  for (std::size_t i = 0; i < p.a.size(); ++i)
    in.insert(in.end(), {p.a[i], p.b[i], p.a[(i * 7 + 3) % p.a.size()], p.b[(i * 11 + 5) % p.a.size()]});
  const int count = static_cast<int>(p.a.size());
  DeviceArray<Real> device(in), out(6 * count);
  lengths<Real><<<(count + 127) / 128, 128>>>(device, out, count);
  const auto got = out.host();
  for (int i = 0; i < count; ++i) {
    const long double x = in[4 * i], y = in[4 * i + 1], z = in[4 * i + 2], w = in[4 * i + 3];
    const long double three = std::hypot(std::hypot(x, y), z), four = std::hypot(three, w);
    for (int r = 0; r < 6; ++r) {
      const long double exact = r < 2 ? three : four;
      const Real expected = static_cast<Real>(r % 2 ? 1 / exact : exact);
      ASSERT_LE(accuracy::distance(got[6 * i + r], expected), r % 2 ? reciprocal_bound : bound)
          << "result " << r << " of " << x << " " << y << " " << z << " " << w << " gave " << got[6 * i + r] << " not "
          << expected;
    }
  }
}
TEST(MathsMoreArguments, Lengths) {
  check_lengths<float>(3, 2);
  check_lengths<double>(2, 1);
}

template <class Real>
__global__ void in_parts(const Real* in, Real* reals, long long* integers, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const Real x = in[i];
  Real *r = reals + 9 * i, whole, s, c;
  long long* n = integers + 7 * i;
  int exponent = -1, quotient = 0;
  r[0] = frexp(x, &exponent);
  r[1] = modf(x, &whole);
  r[2] = whole;
  r[3] = ldexp(x, i % 300 - 150);
  r[4] = scalbn(x, 7 - i % 15);
  r[5] = remquo(x, Real(1.75), &quotient);
  sincos(x, &s, &c);
  r[6] = s - sin(x) + (c - cos(x));
  sincospi(x, &s, &c);
  r[7] = s - sinpi(x) + (c - cospi(x));
  r[8] = fma(x, x, Real(-1));
  n[0] = exponent;
  n[1] = ilogb(x);
  n[2] = quotient & 7;
  n[3] = fabs(x) < 1e18 ? llrint(x) : 0;
  n[4] = fabs(x) < 1e18 ? llround(x) : 0;
  n[5] = fabs(x) < 1e18 ? lrint(x) + lround(x) : 0;
  n[6] = isnan(x) | isinf(x) << 1 | isfinite(x) << 2 | (signbit(x) != 0) << 3;
}

template <class Real>
void check_parts() {
  const std::vector<Real> in = accuracy::arguments<Real>(-1e5, 1e5, 2000);
  const int count = static_cast<int>(in.size());
  DeviceArray<Real> device(in), reals(9 * in.size());
  DeviceArray<long long> integers(7 * in.size());
  in_parts<Real><<<(count + 127) / 128, 128>>>(device, reals, integers, count);
  const auto r = reals.host();
  const auto n = integers.host();
  for (int i = 0; i < count; ++i) {
    const Real x = in[i];
    int exponent = 0, quotient = 0;
    Real whole;
    const Real fraction = std::frexp(x, &exponent), part = std::modf(x, &whole);
    const Real remainder = std::remquo(x, Real(1.75), &quotient);
    const Real expected[9] = {fraction,
                              part,
                              whole,
                              std::ldexp(x, i % 300 - 150),
                              std::scalbn(x, 7 - i % 15),
                              remainder,
                              std::isfinite(x) ? 0 : NAN,
                              std::isfinite(x) ? 0 : NAN,
                              std::fma(x, x, Real(-1))};
    for (int k = 0; k < 9; ++k)
      ASSERT_EQ(accuracy::distance(r[9 * i + k], expected[k]), 0) << k << " of " << std::hexfloat << x;
    if (std::isfinite(x)) {
      ASSERT_EQ(n[7 * i], exponent) << x;
      ASSERT_EQ(n[7 * i + 2], quotient & 7) << x;
    }
    ASSERT_EQ(n[7 * i + 1], x == 0 || std::isnan(x) ? INT_MIN : std::isinf(x) ? INT_MAX : std::ilogb(x)) << x;
    const bool fits = std::fabs(x) < 1e18;
    ASSERT_EQ(n[7 * i + 3], fits ? std::llrint(x) : 0) << x;
    ASSERT_EQ(n[7 * i + 4], fits ? std::llround(x) : 0) << x;
    ASSERT_EQ(n[7 * i + 5], fits ? std::lrint(x) + std::lround(x) : 0) << x;
    ASSERT_EQ(n[7 * i + 6], std::isnan(x) | std::isinf(x) << 1 | std::isfinite(x) << 2 | std::signbit(x) << 3) << x;
  }
}
TEST(MathsMoreArguments, PartsOfNumbers) {
  check_parts<float>();
  check_parts<double>();
}

__global__ void higher_orders(const double* in, double* out, float* singles, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  out[4 * i] = jn(3, in[i]), out[4 * i + 1] = jn(128, in[i]), out[4 * i + 2] = yn(2, in[i]),
          out[4 * i + 3] = jn(-1, in[i]);
  singles[2 * i] = jnf(3, static_cast<float>(in[i])), singles[2 * i + 1] = ynf(2, static_cast<float>(in[i]));
}
TEST(MathsMoreArguments, BesselFunctionsOfHigherOrder) {
  std::vector<double> in;
  for (int i = 1; i <= 1000; ++i) in.push_back(i * 0.25f);
  DeviceArray<double> device(in), out(4 * in.size());
  DeviceArray<float> singles(2 * in.size());
  higher_orders<<<8, 128>>>(device, out, singles, 1000);
  const auto o = out.host();
  const auto s = singles.host();
  for (int i = 0; i < 1000; ++i) {
    const double x = in[i];
    EXPECT_NEAR(o[4 * i], ::jn(3, x), 5e-12);
    EXPECT_NEAR(o[4 * i + 1], ::jn(128, x), 5e-12);
    EXPECT_TRUE(std::isnan(o[4 * i + 3]));
    EXPECT_NEAR(s[2 * i], ::jn(3, x), 2.2e-6);
    if (x > 3) {
      EXPECT_NEAR(o[4 * i + 2], ::yn(2, x), 5e-12);
      EXPECT_NEAR(s[2 * i + 1], ::yn(2, x), 2.2e-6);
    }
  }
}

// The names of the standard library, in device code.
__global__ void standard_names(const float* f, const double* d, double* out) {
  int i = 0;
  out[i++] = std::sqrt(f[0]) + std::sqrt(d[0]);
  out[i++] = std::max(f[0], f[1]) + std::min(d[0], d[1]) + std::max(3, 7);
  out[i++] = std::abs(f[1]) + std::abs(d[1]) + std::abs(-5) + std::abs(-6ll);
  out[i++] = std::pow(f[0], 2) + std::pow(d[0], 3) + std::pow(f[0], 0.5f);
  out[i++] = std::fmax(f[0], 1.0f) + std::fmin(d[1], 1.0);
  out[i++] = std::floor(f[1]) + std::ceil(d[1]) + std::round(2.5f) + std::trunc(-2.5);
  out[i++] = std::isnan(f[0]) + 2 * std::isinf(d[0] / d[2]) + 4 * std::isfinite(f[1]) + 8 * std::signbit(d[1]);
  out[i++] = static_cast<double>(std::hypot(3.0f, 4.0f)) + std::fma(2.0, 3.0, 4.0) + std::fmod(7.5f, 2.0f);
  out[i++] = sqrt(4) + pow(2, 3) + fabs(-3) + floor(7);  // of integers
}
TEST(MathsMoreArguments, NamesOfTheStandardLibrary) {
  DeviceArray<float> f(std::vector<float>{4.0f, -2.25f});
  DeviceArray<double> d(std::vector<double>{9.0, -1.5, 0.0}), out(9);
  standard_names<<<1, 1>>>(f, d, out);
  EXPECT_EQ(out.host(), (std::vector<double>{5, 4 - 1.5 + 7, 2.25 + 1.5 + 5 + 6, 16 + 729 + 2, 4 - 1.5, -3 - 1 + 3 - 2,
                                             2 + 4 + 8, 5 + 10 + 1.5, 2 + 8 + 3 + 7}));
}

}  // namespace
