// Numbers of a generator as uniform (0 excluded, 1 included), normal and log-normal ones.
#pragma once

#define __REPRISE_RANDOM__ template <class __State> static __device__ inline

static __device__ __forceinline__ float __reprise_uniform(unsigned __x) {
  return __x * 2.3283064e-10f + 2.3283064e-10f / 2.0f;
}
// Of 53 bits of two numbers.
static __device__ __forceinline__ double __reprise_uniform_double(unsigned __x, unsigned __y) {
  const unsigned long long __bits = static_cast<unsigned long long>(__x) ^ static_cast<unsigned long long>(__y) << 21;
  return __bits * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
// Two normal numbers of two uniform ones (Box and Muller).
static __device__ inline float2 __reprise_normal_pair(unsigned __x, unsigned __y) {
  const float __length = sqrtf(-2.0f * logf(__reprise_uniform(__x)));
  const float __turn = 2.3283064e-10f * 6.2831855f, __angle = __y * __turn + __turn / 2.0f;
  float2 __result;
  sincosf(__angle, &__result.x, &__result.y);
  __result.x *= __length;
  __result.y *= __length;
  return __result;
}
static __device__ inline double2 __reprise_normal_pair_double(unsigned __x0, unsigned __x1, unsigned __y0, unsigned __y1) {
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
// This one has 32 bits.
static __device__ inline double curand_uniform_double(curandStatePhilox4_32_10_t* __state) {
  return curand(__state) * 2.3283064365386963e-10 + 2.3283064365386963e-10 / 2.0;
}
static __device__ inline float4 curand_uniform4(curandStatePhilox4_32_10_t* __state) {
  const uint4 __x = curand4(__state);
  return make_float4(__reprise_uniform(__x.x), __reprise_uniform(__x.y), __reprise_uniform(__x.z), __reprise_uniform(__x.w));
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

// One of a pair; the other is kept for the next call. Normal and log-normal numbers keep theirs apart.
__REPRISE_RANDOM__ float __reprise_normal_one(__State* __state, int __kind) {
  if (__state->boxmuller_flag == __kind) {
    __state->boxmuller_flag = 0;
    return __state->boxmuller_extra;
  }
  const float2 __pair = curand_normal2(__state);
  __state->boxmuller_flag = __kind;
  __state->boxmuller_extra = __pair.y;
  return __pair.x;
}
__REPRISE_RANDOM__ double __reprise_normal_one_double(__State* __state, int __kind) {
  if (__state->boxmuller_flag_double == __kind) {
    __state->boxmuller_flag_double = 0;
    return __state->boxmuller_extra_double;
  }
  const double2 __pair = curand_normal2_double(__state);
  __state->boxmuller_flag_double = __kind;
  __state->boxmuller_extra_double = __pair.y;
  return __pair.x;
}
__REPRISE_RANDOM__ float curand_normal(__State* __state) { return __reprise_normal_one(__state, 1); }
__REPRISE_RANDOM__ double curand_normal_double(__State* __state) { return __reprise_normal_one_double(__state, 1); }
__REPRISE_RANDOM__ float curand_log_normal(__State* __state, float __mean, float __deviation) {
  return expf(__mean + __deviation * __reprise_normal_one(__state, 2));
}
__REPRISE_RANDOM__ double curand_log_normal_double(__State* __state, double __mean, double __deviation) {
  return exp(__mean + __deviation * __reprise_normal_one_double(__state, 2));
}

#undef __REPRISE_RANDOM__
