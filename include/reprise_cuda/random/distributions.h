// Uniform (0 excluded, 1 included), normal and log-normal distributions of a generator's numbers.
#pragma once

#define __REPRISE_RANDOM__ \
  template <class __State> \
  static __device__ inline

static __device__ __forceinline__ float __reprise_uniform(unsigned __x) {
  return __x * 2.3283064e-10f + 2.3283064e-10f / 2.0f;
}
// From 53 bits of two numbers.
static __device__ __forceinline__ double __reprise_uniform_double(unsigned __x, unsigned __y) {
  const unsigned long long __bits = static_cast<unsigned long long>(__x) ^ static_cast<unsigned long long>(__y) << 21;
  return __bits * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
// Two normal numbers from two uniform ones (Box-Muller).
static __device__ inline float2 __reprise_normal_pair(unsigned __x, unsigned __y) {
  const float __length = sqrtf(-2.0f * logf(__reprise_uniform(__x)));
  const float __turn = 2.3283064e-10f * 6.2831855f, __angle = __y * __turn + __turn / 2.0f;
  float2 __result;
  sincosf(__angle, &__result.x, &__result.y);
  __result.x *= __length;
  __result.y *= __length;
  return __result;
}
static __device__ inline double2 __reprise_normal_pair_double(unsigned __x0, unsigned __x1, unsigned __y0,
                                                              unsigned __y1) {
  const double __length = sqrt(-2.0 * log(__reprise_uniform_double(__x0, __x1)));
  double2 __result;
  sincospi(2.0 * __reprise_uniform_double(__y0, __y1), &__result.x, &__result.y);
  __result.x *= __length;
  __result.y *= __length;
  return __result;
}

__REPRISE_RANDOM__ float curand_uniform(__State* __state) { return __reprise_uniform(curand(__state)); }
__REPRISE_RANDOM__ double curand_uniform_double(__State* __state) {
  const unsigned __x = curand(__state);
  return __reprise_uniform_double(__x, curand(__state));
}
// This overload uses 32 bits.
static __device__ inline double curand_uniform_double(curandStatePhilox4_32_10_t* __state) {
  return curand(__state) * 2.3283064365386963e-10 + 2.3283064365386963e-10 / 2.0;
}
static __device__ inline float4 curand_uniform4(curandStatePhilox4_32_10_t* __state) {
  const uint4 __x = curand4(__state);
  return make_float4(__reprise_uniform(__x.x), __reprise_uniform(__x.y), __reprise_uniform(__x.z),
                     __reprise_uniform(__x.w));
}
static __device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* __state) {
  const uint4 __x = curand4(__state);
  return make_double2(__reprise_uniform_double(__x.x, __x.y), __reprise_uniform_double(__x.z, __x.w));
}

__REPRISE_RANDOM__ float2 curand_normal2(__State* __state) {
  const unsigned __x = curand(__state);
  return __reprise_normal_pair(__x, curand(__state));
}
__REPRISE_RANDOM__ double2 curand_normal2_double(__State* __state) {
  const unsigned __x0 = curand(__state), __x1 = curand(__state), __y0 = curand(__state);
  return __reprise_normal_pair_double(__x0, __x1, __y0, curand(__state));
}
static __device__ inline double2 curand_normal2_double(curandStatePhilox4_32_10_t* __state) {
  const uint4 __x = curand4(__state);
  return __reprise_normal_pair_double(__x.x, __x.y, __x.z, __x.w);
}
static __device__ inline float4 curand_normal4(curandStatePhilox4_32_10_t* __state) {
  const uint4 __x = curand4(__state);
  const float2 __a = __reprise_normal_pair(__x.x, __x.y), __b = __reprise_normal_pair(__x.z, __x.w);
  return make_float4(__a.x, __a.y, __b.x, __b.y);
}

__REPRISE_RANDOM__ float2 curand_log_normal2(__State* __state, float __mean, float __deviation) {
  const float2 __n = curand_normal2(__state);
  return make_float2(expf(__mean + __deviation * __n.x), expf(__mean + __deviation * __n.y));
}
__REPRISE_RANDOM__ double2 curand_log_normal2_double(__State* __state, double __mean, double __deviation) {
  const double2 __n = curand_normal2_double(__state);
  return make_double2(exp(__mean + __deviation * __n.x), exp(__mean + __deviation * __n.y));
}
static __device__ inline float4 curand_log_normal4(curandStatePhilox4_32_10_t* __state, float __mean,
                                                   float __deviation) {
  const float4 __n = curand_normal4(__state);
  return make_float4(expf(__mean + __deviation * __n.x), expf(__mean + __deviation * __n.y),
                     expf(__mean + __deviation * __n.z), expf(__mean + __deviation * __n.w));
}

// Four doubles as two pairs. The type double4 is deprecated, these functions are not.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static __device__ inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t* __state) {
  const double2 __a = curand_uniform2_double(__state), __b = curand_uniform2_double(__state);
  return double4{__a.x, __a.y, __b.x, __b.y};
}
static __device__ inline double4 curand_normal4_double(curandStatePhilox4_32_10_t* __state) {
  const double2 __a = curand_normal2_double(__state), __b = curand_normal2_double(__state);
  return double4{__a.x, __a.y, __b.x, __b.y};
}
static __device__ inline double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* __state, double __mean,
                                                           double __deviation) {
  const double2 __a = curand_log_normal2_double(__state, __mean, __deviation);
  const double2 __b = curand_log_normal2_double(__state, __mean, __deviation);
  return double4{__a.x, __a.y, __b.x, __b.y};
}
#pragma GCC diagnostic pop

// Returns one of a pair. The next call returns the other; as on a GPU, it does so whatever mean and deviation that call
// asks for. Normal (1) and log-normal (2) numbers are kept apart.
#define __REPRISE_ONE_OF_A_PAIR__(__suffix, __kind, __pair_of_two) \
  if (__state->boxmuller_flag##__suffix == __kind) {               \
    __state->boxmuller_flag##__suffix = 0;                         \
    return __state->boxmuller_extra##__suffix;                     \
  }                                                                \
  const auto __pair = __pair_of_two;                               \
  __state->boxmuller_flag##__suffix = __kind;                      \
  __state->boxmuller_extra##__suffix = __pair.y;                   \
  return __pair.x

__REPRISE_RANDOM__ float curand_normal(__State* __state) { __REPRISE_ONE_OF_A_PAIR__(, 1, curand_normal2(__state)); }
__REPRISE_RANDOM__ double curand_normal_double(__State* __state) {
  __REPRISE_ONE_OF_A_PAIR__(_double, 1, curand_normal2_double(__state));
}
__REPRISE_RANDOM__ float curand_log_normal(__State* __state, float __mean, float __deviation) {
  __REPRISE_ONE_OF_A_PAIR__(, 2, curand_log_normal2(__state, __mean, __deviation));
}
__REPRISE_RANDOM__ double curand_log_normal_double(__State* __state, double __mean, double __deviation) {
  __REPRISE_ONE_OF_A_PAIR__(_double, 2, curand_log_normal2_double(__state, __mean, __deviation));
}

#undef __REPRISE_ONE_OF_A_PAIR__
#undef __REPRISE_RANDOM__
