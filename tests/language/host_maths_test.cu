// CUDA's own maths functions, which host code has too, and functions that both sides run.
#include <algorithm>
#include <string>

#include "accuracy.h"
#include "device_array.h"
#include "maths_reference.h"

namespace {

void check(const char* name, float (*single)(float), double (*wide)(double), long double (*exact)(long double),
           double single_bound, double wide_bound, double low, double high) {
  for (float x : accuracy::arguments<float>(low, high, 300))
    ASSERT_LE(accuracy::distance(single(x), static_cast<float>(exact(x))), single_bound) << name << "f of " << x;
  for (double x : accuracy::arguments<double>(low, high, 300))
    ASSERT_LE(accuracy::distance(wide(x), static_cast<double>(exact(x))), wide_bound) << name << " of " << x;
}

#define CHECK(name, float_bound, double_bound, low, high)                                                              \
  check(                                                                                                               \
      #name, [](float x) -> float { return name##f(x); }, [](double x) -> double { return name(x); }, reference::name, \
      float_bound, double_bound, low, high);

TEST(HostMaths, FunctionsThatTheCLibraryLacks){
    CHECK(rsqrt, 2, 1, 0, 1e6) CHECK(rcbrt, 1, 1, -1e6, 1e6) CHECK(sinpi, 1, 2, -100, 100) CHECK(cospi, 1, 2, -100, 100)
        CHECK(erfinv, 2, 5, -1, 1) CHECK(erfcinv, 4, 6, 0, 2) CHECK(erfcx, 4, 4, -10, 50) CHECK(normcdf, 5, 5, -40, 10)
            CHECK(normcdfinv, 5, 8, 0, 1)}

TEST(HostMaths, SineAndCosineAtOnce) {
  double s, c;
  sincospi(0.5, &s, &c);
  EXPECT_EQ(s, 1.0);
  EXPECT_EQ(c, 0.0);
  float single_s, single_c;
  sincospif(-1.0f, &single_s, &single_c);
  EXPECT_EQ(single_s, 0.0f);
  EXPECT_EQ(single_c, -1.0f);
}

// An unsigned operand makes the comparison unsigned, a real one real.
__host__ __device__ bool mixed_extremes() {
  return min(-1, 1u) == 1u && max(-1, 1u) == 0xffffffffu && min(2.5f, 2.0) == 2.0 && max(3ll, -4ll) == 3 &&
         max(3ull, 4ull) == 4 && min(5, 7) == 5 && max(1.5f, 2.5f) == 2.5f && min(-2l, 3l) == -2 && umax(1u, 2u) == 2 &&
         llmin(-1ll, 1ll) == -1;
}
__host__ __device__ float both_sides(float x) { return rsqrtf(x) * 2 + fmaxf(x, 1.0f) + min(3, 4) + std::abs(-x); }
__global__ void on_device(float x, float* out) {
  out[0] = both_sides(x);
  out[1] = mixed_extremes();
}

TEST(HostMaths, OneFunctionForBothSides) {
  DeviceArray<float> out(2);
  on_device<<<1, 1>>>(4.0f, out);
  EXPECT_EQ(out.host(), (std::vector<float>{12.0f, 1.0f}));
  EXPECT_EQ(both_sides(4.0f), 12.0f);
  EXPECT_TRUE(mixed_extremes());
}

}  // namespace
