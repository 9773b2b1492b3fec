// CUDA's maths functions that clang's headers lack: float overloads, min and max of every type, and the fast
// single-precision intrinsics.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

// ---- float overloads of CUDA's own functions ----
__REPRISE_DEVICE__ float rsqrt(float __x) { return rsqrtf(__x); }
__REPRISE_DEVICE__ float rcbrt(float __x) { return rcbrtf(__x); }
__REPRISE_DEVICE__ float exp10(float __x) { return exp10f(__x); }
__REPRISE_DEVICE__ float sinpi(float __x) { return sinpif(__x); }
__REPRISE_DEVICE__ float cospi(float __x) { return cospif(__x); }
__REPRISE_DEVICE__ void sincos(float __x, float* __sin, float* __cos) { sincosf(__x, __sin, __cos); }
__REPRISE_DEVICE__ void sincospi(float __x, float* __sin, float* __cos) { sincospif(__x, __sin, __cos); }
__REPRISE_DEVICE__ float erfinv(float __x) { return erfinvf(__x); }
__REPRISE_DEVICE__ float erfcinv(float __x) { return erfcinvf(__x); }
__REPRISE_DEVICE__ float erfcx(float __x) { return erfcxf(__x); }
__REPRISE_DEVICE__ float normcdf(float __x) { return normcdff(__x); }
__REPRISE_DEVICE__ float normcdfinv(float __x) { return normcdfinvf(__x); }
__REPRISE_DEVICE__ float j0(float __x) { return j0f(__x); }
__REPRISE_DEVICE__ float j1(float __x) { return j1f(__x); }
__REPRISE_DEVICE__ float jn(int __n, float __x) { return jnf(__n, __x); }
__REPRISE_DEVICE__ float y0(float __x) { return y0f(__x); }
__REPRISE_DEVICE__ float y1(float __x) { return y1f(__x); }
__REPRISE_DEVICE__ float yn(int __n, float __x) { return ynf(__n, __x); }
__REPRISE_DEVICE__ float cyl_bessel_i0(float __x) { return cyl_bessel_i0f(__x); }
__REPRISE_DEVICE__ float cyl_bessel_i1(float __x) { return cyl_bessel_i1f(__x); }

// ---- float overloads of the C library's functions that clang's headers declare but do not define ----
#define __REPRISE_FLOAT1__(Result, name) \
  __REPRISE_DEVICE__ Result name(float __x) { return name##f(__x); }
#define __REPRISE_FLOAT2__(name) \
  __REPRISE_DEVICE__ float name(float __x, float __y) { return name##f(__x, __y); }
__REPRISE_FLOAT1__(float, acosh)
__REPRISE_FLOAT1__(float, asinh)
__REPRISE_FLOAT1__(float, atanh)
__REPRISE_FLOAT1__(float, cbrt)
__REPRISE_FLOAT1__(float, erf)
__REPRISE_FLOAT1__(float, erfc)
__REPRISE_FLOAT1__(float, exp2)
__REPRISE_FLOAT1__(float, expm1)
__REPRISE_FLOAT1__(int, ilogb)
__REPRISE_FLOAT1__(float, lgamma)
__REPRISE_FLOAT1__(long long, llrint)
__REPRISE_FLOAT1__(long long, llround)
__REPRISE_FLOAT1__(float, log1p)
__REPRISE_FLOAT1__(float, log2)
__REPRISE_FLOAT1__(float, logb)
__REPRISE_FLOAT1__(long, lrint)
__REPRISE_FLOAT1__(long, lround)
__REPRISE_FLOAT1__(float, nearbyint)
__REPRISE_FLOAT1__(float, rint)
__REPRISE_FLOAT1__(float, round)
__REPRISE_FLOAT1__(float, tgamma)
__REPRISE_FLOAT1__(float, trunc)
__REPRISE_FLOAT2__(copysign)
__REPRISE_FLOAT2__(fdim)
__REPRISE_FLOAT2__(fmax)
__REPRISE_FLOAT2__(fmin)
__REPRISE_FLOAT2__(hypot)
__REPRISE_FLOAT2__(nextafter)
__REPRISE_FLOAT2__(remainder)
#undef __REPRISE_FLOAT1__
#undef __REPRISE_FLOAT2__
__REPRISE_DEVICE__ float fma(float __x, float __y, float __z) { return fmaf(__x, __y, __z); }
__REPRISE_DEVICE__ float remquo(float __x, float __y, int* __quotient) { return remquof(__x, __y, __quotient); }
__REPRISE_DEVICE__ float scalbn(float __x, int __n) { return scalbnf(__x, __n); }
__REPRISE_DEVICE__ float scalbln(float __x, long __n) { return scalblnf(__x, __n); }

// ---- functions that clang's headers declare but do not define ----
__REPRISE_DEVICE__ double nan(const char*) { return __builtin_nan(""); }
__REPRISE_DEVICE__ float nanf(const char*) { return __builtin_nanf(""); }

// A power of a float with an int exponent is a double since C++11. Clang's header returns a float; overload resolution
// prefers a function with enable_if to one with the same parameters and without it.
__attribute__((enable_if(true, ""))) __REPRISE_DEVICE__ double pow(float __x, int __n) { return pow((double)__x, __n); }
namespace std {
using ::pow;
}

// ---- fast intrinsics: at least as accurate here as on a GPU ----
__REPRISE_DEVICE__ float __sinf(float __x) { return sinf(__x); }
__REPRISE_DEVICE__ float __cosf(float __x) { return cosf(__x); }
__REPRISE_DEVICE__ float __tanf(float __x) { return tanf(__x); }
__REPRISE_DEVICE__ float __tanhf(float __x) { return tanhf(__x); }
__REPRISE_DEVICE__ void __sincosf(float __x, float* __sin, float* __cos) { sincosf(__x, __sin, __cos); }
__REPRISE_DEVICE__ float __expf(float __x) { return expf(__x); }
__REPRISE_DEVICE__ float __exp10f(float __x) { return exp10f(__x); }
__REPRISE_DEVICE__ float __logf(float __x) { return logf(__x); }
__REPRISE_DEVICE__ float __log2f(float __x) { return log2f(__x); }
__REPRISE_DEVICE__ float __log10f(float __x) { return log10f(__x); }
__REPRISE_DEVICE__ float __powf(float __x, float __y) { return powf(__x, __y); }
__REPRISE_DEVICE__ float __fdividef(float __x, float __y) { return __x / __y; }
__REPRISE_DEVICE__ float __saturatef(float __x) { return __x > 0.0f ? (__x < 1.0f ? __x : 1.0f) : 0.0f; }

#undef __REPRISE_DEVICE__
