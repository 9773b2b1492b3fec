// Maths functions of one argument: over special, evenly and exponentially spread arguments, in single and double
// precision, within the error that CUDA's programming guide states for each.
#include <functional>
#include <string>

#include "accuracy.h"
#include "device_array.h"
#include "maths_reference.h"

namespace {

template <class Real, class Function>
__global__ void apply(const Real* in, Real* out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    out[i] = Function::call(in[i]);
}
// The same once in a branch that differs from thread to thread, where no vectoriser takes it.
template <class Real, class Function>
__global__ void apply_alone(const Real* in, Real* out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    out[i] = Real(0);
    for (int turn = 0; turn <= i % 3; ++turn)
      if (turn == i % 3) out[i] = Function::call(in[i]);
  }
}

template <class Real, class Function>
void check(const char* name, long double (*exact)(long double), double bound, double low, double high,
           bool (*skipped)(Real) = nullptr) {
  const std::vector<Real> in = accuracy::arguments<Real>(low, high, 4000);
  const int count = static_cast<int>(in.size());
  DeviceArray<Real> device(in), out(in.size()), alone(in.size());
  apply<Real, Function><<<4, 128>>>(device, out, count);
  apply_alone<Real, Function><<<4, 128>>>(device, alone, count);
  const auto got = out.host(), got_alone = alone.host();
  double worst = 0;
  Real at = 0, was = 0;
  for (int i = 0; i < count; ++i) {
    if (skipped && skipped(in[i])) continue;
    const Real expected = static_cast<Real>(exact(in[i]));
    for (Real result : {got[i], got_alone[i]}) {
      const double error = accuracy::distance(result, expected);
      if (error > worst) worst = error, at = in[i], was = result;
    }
  }
  testing::Test::RecordProperty(name, std::to_string(worst));
  EXPECT_LE(worst, bound) << name << "(" << std::hexfloat << at << ") gave " << was << " not "
                          << static_cast<Real>(exact(at));
}

#define PLAIN(name)                                              \
  struct Call_##name {                                           \
    static __device__ float call(float x) { return name##f(x); } \
    static __device__ double call(double x) { return name(x); }  \
  };

// Bounds for float and double, and the range that is searched most closely.
#define CHECK(name, exact, float_bound, double_bound, low, high)         \
  PLAIN(name)                                                            \
  TEST(MathsOneArgument, name) {                                         \
    check<float, Call_##name>(#name "f", exact, float_bound, low, high); \
    check<double, Call_##name>(#name, exact, double_bound, low, high);   \
  }

CHECK(rsqrt, reference::rsqrt, 2, 1, 0, 1e6)
CHECK(cbrt, std::cbrt, 1, 1, -1e6, 1e6)
CHECK(rcbrt, reference::rcbrt, 1, 1, -1e6, 1e6)
CHECK(exp, std::exp, 2, 1, -100, 100)
CHECK(exp2, std::exp2, 2, 1, -150, 130)
CHECK(exp10, reference::exp10, 2, 1, -40, 40)
CHECK(expm1, std::expm1, 1, 1, -100, 100)
CHECK(log, std::log, 1, 1, 0, 1e6)
CHECK(log2, std::log2, 1, 1, 0, 1e6)
CHECK(log10, std::log10, 2, 1, 0, 1e6)
CHECK(log1p, std::log1p, 1, 1, -1, 1e3)
CHECK(sin, std::sin, 2, 2, -1e5, 1e5)
CHECK(cos, std::cos, 2, 2, -1e5, 1e5)
CHECK(tan, std::tan, 4, 2, -1e5, 1e5)
CHECK(sinpi, reference::sinpi, 1, 2, -100, 100)
CHECK(cospi, reference::cospi, 1, 2, -100, 100)
CHECK(asin, std::asin, 2, 2, -1, 1)
CHECK(acos, std::acos, 2, 2, -1, 1)
CHECK(atan, std::atan, 2, 2, -100, 100)
CHECK(sinh, std::sinh, 3, 2, -100, 100)
CHECK(cosh, std::cosh, 2, 1, -100, 100)
CHECK(tanh, std::tanh, 2, 1, -30, 30)
CHECK(asinh, std::asinh, 3, 3, -1e5, 1e5)
CHECK(acosh, std::acosh, 4, 3, 1, 1e5)
CHECK(atanh, std::atanh, 3, 2, -1, 1)
CHECK(erf, std::erf, 2, 2, -5, 5)
CHECK(erfc, std::erfc, 4, 5, -5, 30)
CHECK(erfinv, reference::erfinv, 2, 5, -1, 1)
CHECK(erfcinv, reference::erfcinv, 4, 6, 0, 2)
CHECK(erfcx, reference::erfcx, 4, 4, -10, 50)
CHECK(normcdf, reference::normcdf, 5, 5, -40, 10)
CHECK(normcdfinv, reference::normcdfinv, 5, 8, 0, 1)
CHECK(tgamma, std::tgamma, 5, 10, -30, 170)
CHECK(cyl_bessel_i0, reference::cyl_bessel_i0, 6, 6, -80, 80)
CHECK(cyl_bessel_i1, reference::cyl_bessel_i1, 6, 6, -80, 80)
CHECK(floor, std::floor, 0, 0, -1e6, 1e6)
CHECK(ceil, std::ceil, 0, 0, -1e6, 1e6)
CHECK(trunc, std::trunc, 0, 0, -1e6, 1e6)
CHECK(round, std::round, 0, 0, -1e6, 1e6)
CHECK(rint, std::rint, 0, 0, -1e6, 1e6)
CHECK(nearbyint, std::nearbyint, 0, 0, -1e6, 1e6)
CHECK(fabs, std::fabs, 0, 0, -1e6, 1e6)
CHECK(logb, std::logb, 0, 0, -1e6, 1e6)

// A square root is exactly rounded, and so is the host's: long double would be rounded twice.
PLAIN(sqrt)
template <class Real>
void check_square_root() {
  const std::vector<Real> in = accuracy::arguments<Real>(0, 1e6, 4000);
  DeviceArray<Real> device(in), out(in.size());
  apply<Real, Call_sqrt><<<4, 128>>>(device, out, static_cast<int>(in.size()));
  const auto got = out.host();
  for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(accuracy::distance(got[i], std::sqrt(in[i])), 0) << in[i];
}
TEST(MathsOneArgument, Sqrt) {
  check_square_root<float>();
  check_square_root<double>();
}

// Near its zeros on the negative side lgamma has no bound.
PLAIN(lgamma)
TEST(MathsOneArgument, Lgamma) {
  check<float, Call_lgamma>("lgammaf", std::lgamma, 6, -100, 1e3, [](float x) { return x > -10.001f && x < -2.264f; });
  check<double, Call_lgamma>("lgamma", std::lgamma, 4, -100, 1e3, [](double x) { return x > -11.0001 && x < -2.2637; });
}

// Bessel functions: in units in the last place up to 8, absolutely beyond.
template <class Real, class Function>
void check_bessel(const char* name, long double (*exact)(long double), double bound, double beyond,
                  bool even_negative) {
  check<Real, Function>(name, exact, bound, even_negative ? -8 : 0, 8, [](Real x) { return !(std::fabs(x) < 8); });
  std::vector<Real> in;
  for (int i = 0; i < 4000; ++i) in.push_back(static_cast<Real>(8 + i * 0.25));
  DeviceArray<Real> device(in), out(in.size());
  apply<Real, Function><<<4, 128>>>(device, out, static_cast<int>(in.size()));
  const auto got = out.host();
  double worst = 0;
  for (std::size_t i = 0; i < in.size(); ++i)
    worst = std::fmax(worst, std::fabs(static_cast<double>(exact(in[i]) - got[i])));
  EXPECT_LE(worst, beyond) << name;
}
#define CHECK_BESSEL(name, exact, negative)                                  \
  PLAIN(name)                                                                \
  TEST(MathsOneArgument, name) {                                             \
    check_bessel<float, Call_##name>(#name "f", exact, 9, 2.2e-6, negative); \
    check_bessel<double, Call_##name>(#name, exact, 7, 5e-12, negative);     \
  }
CHECK_BESSEL(j0, reference::bessel_j0, true)
CHECK_BESSEL(j1, reference::bessel_j1, true)
CHECK_BESSEL(y0, reference::bessel_y0, false)
CHECK_BESSEL(y1, reference::bessel_y1, false)

// Fast single-precision intrinsics: far looser bounds, over the ranges for which they are given.
template <class Function>
void check_near(const char* name, double (*exact)(double), double low, double high, double absolute, double units) {
  std::vector<float> in;
  for (int i = 0; i < 4000; ++i) in.push_back(static_cast<float>(low + (high - low) * i / 3999));
  DeviceArray<float> device(in), out(in.size());
  apply<float, Function><<<4, 128>>>(device, out, static_cast<int>(in.size()));
  const auto got = out.host();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double expected = exact(in[i]);
    const double allowed = std::fmax(absolute, units * std::ldexp(1.0, std::ilogb(expected) - 23));
    ASSERT_NEAR(got[i], expected, allowed) << name << "(" << in[i] << ")";
  }
}
#define FAST(name, exact, low, high, absolute, units)                                                     \
  struct Fast_##name {                                                                                    \
    static __device__ float call(float x) { return name(x); }                                             \
  };                                                                                                      \
  TEST(MathsFast, name) {                                                                                 \
    check_near<Fast_##name>(#name, [](double x) -> double { return exact; }, low, high, absolute, units); \
  }
FAST(__sinf, std::sin(x), -M_PI, M_PI, 4.89e-7, 0)
FAST(__cosf, std::cos(x), -M_PI, M_PI, 4.77e-7, 0)
FAST(__expf, std::exp(x), -20, 20, 0, 2 + 1.173 * 20)
FAST(__exp10f, std::pow(10.0, x), -8, 8, 0, 2 + 2.97 * 8)
FAST(__logf, std::log(x), 0.5, 2, 4.8e-7, 0)
FAST(__log2f, std::log2(x), 0.5, 2, 4.8e-7, 0)
FAST(__log10f, std::log10(x), 0.5, 2, 4.8e-7, 0)
FAST(__tanf, std::tan(x), -1, 1, 2e-6, 0)

}  // namespace
