// Inline definitions of short maths functions that clang's headers call by NVIDIA's names (__nv_...). The other
// functions are LLVM intrinsics, functions of the C library or functions of the runtime.
#pragma once

#include <reprise_cuda/maths/cube_root.h>
#include <reprise_cuda/maths/exponential.h>
#include <reprise_cuda/maths/logarithm.h>
#include <reprise_cuda/maths/norms.h>
#include <reprise_cuda/maths/representation.h>
#include <reprise_cuda/maths/trigonometry_pi.h>

#define __REPRISE_DEFINED__ __attribute__((device, always_inline)) inline

extern "C" {

__REPRISE_DEFINED__ int __nv_abs(int __x) { return __x < 0 ? (int)(0u - (unsigned)__x) : __x; }
__REPRISE_DEFINED__ long long __nv_llabs(long long __x) {
  return __x < 0 ? (long long)(0ull - (unsigned long long)__x) : __x;
}

// ---- parts of a number ----
__REPRISE_DEFINED__ double __nv_frexp(double __x, int* __e) { return __reprise_frexp(__x, __e); }
__REPRISE_DEFINED__ float __nv_frexpf(float __x, int* __e) { return __reprise_frexp(__x, __e); }
__REPRISE_DEFINED__ double __nv_ldexp(double __x, int __n) { return __reprise_scale(__x, __n); }
__REPRISE_DEFINED__ float __nv_ldexpf(float __x, int __n) { return __reprise_scale(__x, __n); }
__REPRISE_DEFINED__ double __nv_scalbn(double __x, int __n) { return __reprise_scale(__x, __n); }
__REPRISE_DEFINED__ float __nv_scalbnf(float __x, int __n) { return __reprise_scale(__x, __n); }
__REPRISE_DEFINED__ double __nv_logb(double __x) { return __reprise_logb(__x); }
__REPRISE_DEFINED__ float __nv_logbf(float __x) { return __reprise_logb(__x); }
__REPRISE_DEFINED__ int __nv_ilogb(double __x) { return __reprise_ilogb(__x); }
__REPRISE_DEFINED__ int __nv_ilogbf(float __x) { return __reprise_ilogb(__x); }
__REPRISE_DEFINED__ double __nv_modf(double __x, double* __i) { return __reprise_modf(__x, __i); }
__REPRISE_DEFINED__ float __nv_modff(float __x, float* __i) { return __reprise_modf(__x, __i); }
__REPRISE_DEFINED__ double __nv_nextafter(double __x, double __y) { return __reprise_next_after(__x, __y); }
__REPRISE_DEFINED__ float __nv_nextafterf(float __x, float __y) { return __reprise_next_after(__x, __y); }
__REPRISE_DEFINED__ double __nv_fdim(double __x, double __y) { return __x <= __y ? 0.0 : __x - __y; }
__REPRISE_DEFINED__ float __nv_fdimf(float __x, float __y) { return __x <= __y ? 0.0f : __x - __y; }
__REPRISE_DEFINED__ long long __nv_llrint(double __x) { return __double2ll_rn(__x); }
__REPRISE_DEFINED__ long long __nv_llrintf(float __x) { return __float2ll_rn(__x); }
__REPRISE_DEFINED__ long long __nv_llround(double __x) { return __double2ll_rz(__builtin_round(__x)); }
__REPRISE_DEFINED__ long long __nv_llroundf(float __x) { return __float2ll_rz(__builtin_roundf(__x)); }

// ---- exponentials and logarithms ----
#define __REPRISE_ONE_ARGUMENT__(name)                                                 \
  __REPRISE_DEFINED__ double __nv_##name(double __x) { return __reprise_##name(__x); } \
  __REPRISE_DEFINED__ float __nv_##name##f(float __x) { return __reprise_##name(__x); }
__REPRISE_ONE_ARGUMENT__(exp)
__REPRISE_ONE_ARGUMENT__(exp2)
__REPRISE_ONE_ARGUMENT__(exp10)
__REPRISE_ONE_ARGUMENT__(log)
__REPRISE_ONE_ARGUMENT__(log2)
__REPRISE_ONE_ARGUMENT__(log10)
__REPRISE_ONE_ARGUMENT__(tanh)
#undef __REPRISE_ONE_ARGUMENT__

// Functions that clang's headers call under --use_fast_math.
__REPRISE_DEFINED__ float __nv_fast_sinf(float __x) { return __nv_sinf(__x); }
__REPRISE_DEFINED__ float __nv_fast_cosf(float __x) { return __nv_cosf(__x); }
__REPRISE_DEFINED__ float __nv_fast_tanf(float __x) { return __nv_tanf(__x); }
__REPRISE_DEFINED__ float __nv_fast_expf(float __x) { return __nv_expf(__x); }
__REPRISE_DEFINED__ float __nv_fast_exp10f(float __x) { return __nv_exp10f(__x); }
__REPRISE_DEFINED__ float __nv_fast_logf(float __x) { return __nv_logf(__x); }
__REPRISE_DEFINED__ float __nv_fast_log2f(float __x) { return __nv_log2f(__x); }
__REPRISE_DEFINED__ float __nv_fast_log10f(float __x) { return __nv_log10f(__x); }
__REPRISE_DEFINED__ float __nv_fast_powf(float __x, float __y) { return __nv_powf(__x, __y); }
__REPRISE_DEFINED__ float __nv_fast_fdividef(float __x, float __y) { return __x / __y; }
__REPRISE_DEFINED__ void __nv_fast_sincosf(float __x, float* __s, float* __c) {
  *__s = __nv_sinf(__x), *__c = __nv_cosf(__x);
}

// ---- powers, roots and lengths ----
__REPRISE_DEFINED__ double __nv_cbrt(double __x) { return __reprise_cbrt(__x); }
__REPRISE_DEFINED__ float __nv_cbrtf(float __x) { return (float)__reprise_cbrt((double)__x); }
__REPRISE_DEFINED__ double __nv_rcbrt(double __x) { return __reprise_rcbrt(__x); }
__REPRISE_DEFINED__ float __nv_rcbrtf(float __x) { return (float)__reprise_rcbrt((double)__x); }
__REPRISE_DEFINED__ double __nv_rsqrt(double __x) { return __reprise_rsqrt(__x); }
__REPRISE_DEFINED__ float __nv_rsqrtf(float __x) { return __reprise_rsqrt(__x); }
// Up to the third power there are at most two roundings; repeated products beyond that would be less accurate than pow.
__REPRISE_DEFINED__ double __nv_powi(double __x, int __n) {
  return __n == 0 ? 1.0 : __n == 1 ? __x : __n == 2 ? __x * __x : __n == 3 ? __x * __x * __x : __nv_pow(__x, __n);
}
__REPRISE_DEFINED__ float __nv_powif(float __x, int __n) {
  double __power = __x, __product = 1;
  for (unsigned __left = __n < 0 ? 0u - (unsigned)__n : (unsigned)__n; __left != 0; __left >>= 1) {
    if (__left & 1) __product *= __power;
    __power *= __power;
  }
  return (float)(__n < 0 ? 1 / __product : __product);
}
__REPRISE_DEFINED__ float __nv_hypotf(float __x, float __y) { return __reprise_length_f(__x, __y); }
__REPRISE_DEFINED__ float __nv_rhypotf(float __x, float __y) { return __reprise_reciprocal_length_f(__x, __y); }
__REPRISE_DEFINED__ double __nv_rhypot(double __x, double __y) { return __reprise_reciprocal_length(__x, __y); }
__REPRISE_DEFINED__ float __nv_norm3df(float __x, float __y, float __z) { return __reprise_length_f(__x, __y, __z); }
__REPRISE_DEFINED__ double __nv_norm3d(double __x, double __y, double __z) { return __reprise_length(__x, __y, __z); }
__REPRISE_DEFINED__ float __nv_rnorm3df(float __x, float __y, float __z) {
  return __reprise_reciprocal_length_f(__x, __y, __z);
}
__REPRISE_DEFINED__ double __nv_rnorm3d(double __x, double __y, double __z) {
  return __reprise_reciprocal_length(__x, __y, __z);
}
__REPRISE_DEFINED__ float __nv_norm4df(float __x, float __y, float __z, float __w) {
  return __reprise_length_f(__x, __y, __z, __w);
}
__REPRISE_DEFINED__ double __nv_norm4d(double __x, double __y, double __z, double __w) {
  return __reprise_length(__x, __y, __z, __w);
}
__REPRISE_DEFINED__ float __nv_rnorm4df(float __x, float __y, float __z, float __w) {
  return __reprise_reciprocal_length_f(__x, __y, __z, __w);
}
__REPRISE_DEFINED__ double __nv_rnorm4d(double __x, double __y, double __z, double __w) {
  return __reprise_reciprocal_length(__x, __y, __z, __w);
}
__REPRISE_DEFINED__ float __nv_normf(int __n, const float* __x) { return __reprise_length_of(__n, __x); }
__REPRISE_DEFINED__ double __nv_norm(int __n, const double* __x) { return __reprise_length_of(__n, __x); }
__REPRISE_DEFINED__ float __nv_rnormf(int __n, const float* __x) { return __reprise_reciprocal_length_of(__n, __x); }
__REPRISE_DEFINED__ double __nv_rnorm(int __n, const double* __x) { return __reprise_reciprocal_length_of(__n, __x); }

__REPRISE_DEFINED__ float __nv_tgammaf(float __x) { return (float)__nv_tgamma((double)__x); }

// ---- trigonometry ----
// The vectorised double-precision functions of the C library have errors of up to three units in the last place, one
// more than CUDA allows. The runtime's functions call the C library's scalar ones.
__attribute__((device)) double __nv_exact_sin(double);
__attribute__((device)) double __nv_exact_cos(double);
__attribute__((device)) double __nv_exact_tan(double);
__REPRISE_DEFINED__ double __nv_sin(double __x) { return __nv_exact_sin(__x); }
__REPRISE_DEFINED__ double __nv_cos(double __x) { return __nv_exact_cos(__x); }
__REPRISE_DEFINED__ double __nv_tan(double __x) { return __nv_exact_tan(__x); }
__REPRISE_DEFINED__ void __nv_sincos(double __x, double* __s, double* __c) {
  *__s = __nv_sin(__x), *__c = __nv_cos(__x);
}
__REPRISE_DEFINED__ void __nv_sincosf(float __x, float* __s, float* __c) {
  *__s = __nv_sinf(__x), *__c = __nv_cosf(__x);
}
__REPRISE_DEFINED__ double __nv_sinpi(double __x) { return __reprise_sincospi(__x).__sine; }
__REPRISE_DEFINED__ float __nv_sinpif(float __x) { return __reprise_sincospi(__x).__sine; }
__REPRISE_DEFINED__ double __nv_cospi(double __x) { return __reprise_sincospi(__x).__cosine; }
__REPRISE_DEFINED__ float __nv_cospif(float __x) { return __reprise_sincospi(__x).__cosine; }
__REPRISE_DEFINED__ void __nv_sincospi(double __x, double* __s, double* __c) {
  const auto __both = __reprise_sincospi(__x);
  *__s = __both.__sine, *__c = __both.__cosine;
}
__REPRISE_DEFINED__ void __nv_sincospif(float __x, float* __s, float* __c) {
  const auto __both = __reprise_sincospi(__x);
  *__s = __both.__sine, *__c = __both.__cosine;
}

}  // extern "C"

#undef __REPRISE_DEFINED__
