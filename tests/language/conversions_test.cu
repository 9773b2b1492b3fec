// Conversions with explicit rounding, saturation and NaN. Expectations are computed in long double, which holds every
// value here: a host compiler may move a conversion across a change of the rounding mode.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "device_array.h"

namespace {

enum class Rounding { nearest, zero, up, down };  // in the order of the suffixes _rn _rz _ru _rd
const Rounding modes[4] = {Rounding::nearest, Rounding::zero, Rounding::up, Rounding::down};

template <class Real>
Real whole_number(Real x, Rounding mode) {
  switch (mode) {
    case Rounding::zero:
      return std::trunc(x);
    case Rounding::up:
      return std::ceil(x);
    case Rounding::down:
      return std::floor(x);
    default:
      return std::nearbyint(x);
  }
}

template <class Real>
Real narrowed(long double x, Rounding mode) {
  const Real nearest = static_cast<Real>(x);
  const Real infinity = std::numeric_limits<Real>::infinity();
  if (mode == Rounding::zero && std::fabs(static_cast<long double>(nearest)) > std::fabs(x))
    return std::nextafter(nearest, Real(0));
  if (mode == Rounding::up && nearest < x) return std::nextafter(nearest, infinity);
  if (mode == Rounding::down && nearest > x) return std::nextafter(nearest, -infinity);
  return nearest;
}

template <class Integer, class Real>
Integer saturated(Real x, Rounding mode) {
  using Limits = std::numeric_limits<Integer>;
  // A NaN becomes zero only where a float goes to 32 bits.
  if (std::isnan(x))
    return sizeof(Integer) == 4 && sizeof(Real) == 4 ? 0 : static_cast<Integer>(1ull << (8 * sizeof(Integer) - 1));
  const Real whole = whole_number(x, mode);
  if (whole >= std::ldexp(Real(1), Limits::digits)) return Limits::max();
  if (whole <= static_cast<Real>(Limits::min())) return Limits::min();
  return static_cast<Integer>(whole);
}

constexpr int float_results = 16, double_results = 20;

__global__ void from_floats(const float* in, unsigned long long* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float x = in[i];
  unsigned long long* mine = out + i * float_results;
#define EACH(suffix)                                                 \
  *mine++ = static_cast<unsigned>(__float2int_##suffix(x));          \
  *mine++ = __float2uint_##suffix(x);                                \
  *mine++ = static_cast<unsigned long long>(__float2ll_##suffix(x)); \
  *mine++ = __float2ull_##suffix(x);
  EACH(rn)
  EACH(rz)
  EACH(ru)
  EACH(rd)
#undef EACH
}
__global__ void from_doubles(const double* in, unsigned long long* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const double x = in[i];
  unsigned long long* mine = out + i * double_results;
#define EACH(suffix)                                                  \
  *mine++ = static_cast<unsigned>(__double2int_##suffix(x));          \
  *mine++ = __double2uint_##suffix(x);                                \
  *mine++ = static_cast<unsigned long long>(__double2ll_##suffix(x)); \
  *mine++ = __double2ull_##suffix(x);                                 \
  *mine++ = __float_as_uint(__double2float_##suffix(x));
  EACH(rn)
  EACH(rz)
  EACH(ru)
  EACH(rd)
#undef EACH
}

template <class Real>
std::vector<Real> reals() {
  std::vector<Real> values;
  for (double base :
       {0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 1e-30, 1e-40, 1e30, 123456.75, 16777217.0, 1e300, 3e38, 3.4028235e38})
    for (double sign : {1.0, -1.0}) values.push_back(static_cast<Real>(sign * base));
  for (int power : {31, 32, 63, 64})
    for (int sign : {1, -1}) {
      const Real edge = std::ldexp(static_cast<Real>(sign), power);
      for (Real x :
           {edge, std::nextafter(edge, Real(0)), std::nextafter(edge, edge * 2), edge - Real(0.5), edge + Real(0.5)})
        values.push_back(x);
    }
  values.push_back(std::numeric_limits<Real>::infinity());
  values.push_back(-std::numeric_limits<Real>::infinity());
  values.push_back(std::numeric_limits<Real>::quiet_NaN());
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i)
    values.push_back(
        std::ldexp(static_cast<Real>(static_cast<long long>(random())), static_cast<int>(random() % 70) - 68));
  return values;
}

TEST(Conversions, FloatsToIntegers) {
  const auto in = reals<float>();
  const int count = static_cast<int>(in.size());
  DeviceArray<float> device(in);
  DeviceArray<unsigned long long> out(in.size() * float_results);
  from_floats<<<(count + 127) / 128, 128>>>(device, out, count);
  const auto host = out.host();
  for (int i = 0; i < count; ++i)
    for (int m = 0; m < 4; ++m) {
      const unsigned long long* mine = &host[i * float_results + m * 4];
      ASSERT_EQ(mine[0], static_cast<unsigned>(saturated<int>(in[i], modes[m]))) << in[i] << " mode " << m;
      ASSERT_EQ(mine[1], saturated<unsigned>(in[i], modes[m])) << in[i] << " mode " << m;
      ASSERT_EQ(mine[2], static_cast<unsigned long long>(saturated<long long>(in[i], modes[m])))
          << in[i] << " mode " << m;
      ASSERT_EQ(mine[3], saturated<unsigned long long>(in[i], modes[m])) << in[i] << " mode " << m;
    }
}

// A cast is the conversion towards zero, out of range and for a NaN too.
template <class Real>
__global__ void casts(const Real* in, unsigned long long* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  unsigned long long* mine = out + i * 4;
  mine[0] = static_cast<unsigned>(static_cast<int>(in[i]));
  mine[1] = static_cast<unsigned>(in[i]);
  mine[2] = static_cast<unsigned long long>(static_cast<long long>(in[i]));
  mine[3] = static_cast<unsigned long long>(in[i]);
}

template <class Real>
void check_casts() {
  const auto in = reals<Real>();
  const int count = static_cast<int>(in.size());
  DeviceArray<Real> device(in);
  DeviceArray<unsigned long long> out(in.size() * 4);
  casts<Real><<<(count + 127) / 128, 128>>>(device, out, count);
  const auto host = out.host();
  for (int i = 0; i < count; ++i) {
    const unsigned long long* mine = &host[i * 4];
    ASSERT_EQ(mine[0], static_cast<unsigned>(saturated<int>(in[i], Rounding::zero))) << in[i];
    ASSERT_EQ(mine[1], saturated<unsigned>(in[i], Rounding::zero)) << in[i];
    ASSERT_EQ(mine[2], static_cast<unsigned long long>(saturated<long long>(in[i], Rounding::zero))) << in[i];
    ASSERT_EQ(mine[3], saturated<unsigned long long>(in[i], Rounding::zero)) << in[i];
  }
}

TEST(Conversions, CastsOfFloats) { check_casts<float>(); }
TEST(Conversions, CastsOfDoubles) { check_casts<double>(); }

TEST(Conversions, DoublesToIntegersAndFloats) {
  const auto in = reals<double>();
  const int count = static_cast<int>(in.size());
  DeviceArray<double> device(in);
  DeviceArray<unsigned long long> out(in.size() * double_results);
  from_doubles<<<(count + 127) / 128, 128>>>(device, out, count);
  const auto host = out.host();
  for (int i = 0; i < count; ++i)
    for (int m = 0; m < 4; ++m) {
      const unsigned long long* mine = &host[i * double_results + m * 5];
      ASSERT_EQ(mine[0], static_cast<unsigned>(saturated<int>(in[i], modes[m]))) << in[i] << " mode " << m;
      ASSERT_EQ(mine[1], saturated<unsigned>(in[i], modes[m])) << in[i] << " mode " << m;
      ASSERT_EQ(mine[2], static_cast<unsigned long long>(saturated<long long>(in[i], modes[m])))
          << in[i] << " mode " << m;
      ASSERT_EQ(mine[3], saturated<unsigned long long>(in[i], modes[m])) << in[i] << " mode " << m;
      const float narrow = narrowed<float>(in[i], modes[m]);
      const unsigned bits = static_cast<unsigned>(mine[4]);
      float got;
      std::memcpy(&got, &bits, sizeof got);
      if (std::isnan(narrow))
        ASSERT_TRUE(std::isnan(got));
      else
        ASSERT_EQ(got, narrow) << in[i] << " mode " << m;
    }
}

constexpr int integer_results = 26;
__global__ void from_integers(const long long* in, double* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const long long x = in[i];
  double* mine = out + i * integer_results;
#define EACH(suffix)                                                  \
  *mine++ = __int2float_##suffix(static_cast<int>(x));                \
  *mine++ = __uint2float_##suffix(static_cast<unsigned>(x));          \
  *mine++ = __ll2float_##suffix(x);                                   \
  *mine++ = __ull2float_##suffix(static_cast<unsigned long long>(x)); \
  *mine++ = __ll2double_##suffix(x);                                  \
  *mine++ = __ull2double_##suffix(static_cast<unsigned long long>(x));
  EACH(rn)
  EACH(rz)
  EACH(ru)
  EACH(rd)
#undef EACH
  *mine++ = __int2double_rn(static_cast<int>(x));
  *mine++ = __uint2double_rn(static_cast<unsigned>(x));
}

TEST(Conversions, IntegersToReals) {
  std::vector<long long> in = {0,         1,        -1,        INT64_MAX,       INT64_MIN,       INT32_MAX,
                               INT32_MIN, 16777217, -16777217, (1ll << 53) + 1, -(1ll << 62) - 1};
  std::mt19937_64 random(9);
  while (in.size() < 2000) in.push_back(static_cast<long long>(random()) >> random() % 60);
  const int count = static_cast<int>(in.size());
  DeviceArray<long long> device(in);
  DeviceArray<double> out(in.size() * integer_results);
  from_integers<<<(count + 127) / 128, 128>>>(device, out, count);
  const auto host = out.host();
  for (int i = 0; i < count; ++i) {
    for (int m = 0; m < 4; ++m) {
      const double* mine = &host[i * integer_results + m * 6];
      const auto as = [&](auto real, auto integer) -> double {
        return narrowed<decltype(real)>(static_cast<decltype(integer)>(in[i]), modes[m]);
      };
      ASSERT_EQ(mine[0], as(0.0f, 0)) << in[i] << " mode " << m;
      ASSERT_EQ(mine[1], as(0.0f, 0u)) << in[i] << " mode " << m;
      ASSERT_EQ(mine[2], as(0.0f, 0ll)) << in[i] << " mode " << m;
      ASSERT_EQ(mine[3], as(0.0f, 0ull)) << in[i] << " mode " << m;
      ASSERT_EQ(mine[4], as(0.0, 0ll)) << in[i] << " mode " << m;
      ASSERT_EQ(mine[5], as(0.0, 0ull)) << in[i] << " mode " << m;
    }
    ASSERT_EQ(host[i * integer_results + 24], static_cast<double>(static_cast<int>(in[i])));
    ASSERT_EQ(host[i * integer_results + 25], static_cast<double>(static_cast<unsigned>(in[i])));
  }
}

}  // namespace
