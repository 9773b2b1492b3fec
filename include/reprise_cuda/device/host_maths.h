// CUDA's own maths functions that nvcc also provides in host code, for use in __host__ __device__
// functions.
#pragma once

#include <reprise_cuda/maths/cube_root.h>
#include <reprise_cuda/maths/norms.h>
#include <reprise_cuda/maths/trigonometry_pi.h>

#define __REPRISE_HOST__ static __host__ __forceinline__

// Functions of one argument in the runtime library, for double (name) and float (namef, and name as an overload).
#define __REPRISE_HOST_MATHS1__(name)                                       \
  extern "C" __host__ double __nv_##name(double);                           \
  extern "C" __host__ float __nv_##name##f(float);                          \
  __REPRISE_HOST__ double name(double __x) { return __nv_##name(__x); }     \
  __REPRISE_HOST__ float name##f(float __x) { return __nv_##name##f(__x); } \
  __REPRISE_HOST__ float name(float __x) { return __nv_##name##f(__x); }
__REPRISE_HOST_MATHS1__(erfinv)
__REPRISE_HOST_MATHS1__(erfcinv)
__REPRISE_HOST_MATHS1__(erfcx)
__REPRISE_HOST_MATHS1__(normcdf)
__REPRISE_HOST_MATHS1__(normcdfinv)
#undef __REPRISE_HOST_MATHS1__

// The same, defined by an expression of __x.
#define __REPRISE_HOST_MATHS1__(name, expression)                  \
  __REPRISE_HOST__ double name(double __x) { return expression; }  \
  __REPRISE_HOST__ float name##f(float __x) { return expression; } \
  __REPRISE_HOST__ float name(float __x) { return expression; }
__REPRISE_HOST_MATHS1__(rsqrt, __reprise_rsqrt(__x))
__REPRISE_HOST_MATHS1__(rcbrt, (decltype(__x))__reprise_rcbrt((double)__x))
__REPRISE_HOST_MATHS1__(sinpi, __reprise_sincospi(__x).__sine)
__REPRISE_HOST_MATHS1__(cospi, __reprise_sincospi(__x).__cosine)
#undef __REPRISE_HOST_MATHS1__

__REPRISE_HOST__ void sincospi(double __x, double* __s, double* __c) {
  const auto __both = __reprise_sincospi(__x);
  *__s = __both.__sine, *__c = __both.__cosine;
}
__REPRISE_HOST__ void sincospif(float __x, float* __s, float* __c) {
  const auto __both = __reprise_sincospi(__x);
  *__s = __both.__sine, *__c = __both.__cosine;
}
__REPRISE_HOST__ void sincospi(float __x, float* __s, float* __c) { sincospif(__x, __s, __c); }

// ---- overloads for floats of functions that the C library has beyond the C++ standard ----
__REPRISE_HOST__ float exp10(float __x) { return exp10f(__x); }
__REPRISE_HOST__ void sincos(float __x, float* __s, float* __c) { sincosf(__x, __s, __c); }
__REPRISE_HOST__ float j0(float __x) { return j0f(__x); }
__REPRISE_HOST__ float j1(float __x) { return j1f(__x); }
__REPRISE_HOST__ float jn(int __n, float __x) { return jnf(__n, __x); }
__REPRISE_HOST__ float y0(float __x) { return y0f(__x); }
__REPRISE_HOST__ float y1(float __x) { return y1f(__x); }
__REPRISE_HOST__ float yn(int __n, float __x) { return ynf(__n, __x); }

#undef __REPRISE_HOST__
