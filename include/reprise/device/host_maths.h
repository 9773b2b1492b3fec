// CUDA's own maths functions for host code: nvcc offers them on both sides, so __host__ __device__ functions use them.
#pragma once

#define __REPRISE_HOST__ static __host__ __forceinline__

// One argument, in double (name) and float (namef, and name as an overload).
#define __REPRISE_HOST_MATHS1__(name)                                     \
  extern "C" __host__ double __nv_##name(double);                         \
  extern "C" __host__ float __nv_##name##f(float);                        \
  __REPRISE_HOST__ double name(double __x) { return __nv_##name(__x); }   \
  __REPRISE_HOST__ float name##f(float __x) { return __nv_##name##f(__x); } \
  __REPRISE_HOST__ float name(float __x) { return __nv_##name##f(__x); }
__REPRISE_HOST_MATHS1__(rsqrt)
__REPRISE_HOST_MATHS1__(rcbrt)
__REPRISE_HOST_MATHS1__(sinpi)
__REPRISE_HOST_MATHS1__(cospi)
__REPRISE_HOST_MATHS1__(erfinv)
__REPRISE_HOST_MATHS1__(erfcinv)
__REPRISE_HOST_MATHS1__(erfcx)
__REPRISE_HOST_MATHS1__(normcdf)
__REPRISE_HOST_MATHS1__(normcdfinv)
__REPRISE_HOST_MATHS1__(cyl_bessel_i0)
__REPRISE_HOST_MATHS1__(cyl_bessel_i1)
#undef __REPRISE_HOST_MATHS1__

extern "C" {
__host__ void __nv_sincospi(double, double*, double*);
__host__ void __nv_sincospif(float, float*, float*);
__host__ double __nv_rhypot(double, double);
__host__ float __nv_rhypotf(float, float);
__host__ double __nv_norm3d(double, double, double);
__host__ float __nv_norm3df(float, float, float);
__host__ double __nv_rnorm3d(double, double, double);
__host__ float __nv_rnorm3df(float, float, float);
__host__ double __nv_norm4d(double, double, double, double);
__host__ float __nv_norm4df(float, float, float, float);
__host__ double __nv_rnorm4d(double, double, double, double);
__host__ float __nv_rnorm4df(float, float, float, float);
__host__ double __nv_norm(int, const double*);
__host__ float __nv_normf(int, const float*);
__host__ double __nv_rnorm(int, const double*);
__host__ float __nv_rnormf(int, const float*);
}
__REPRISE_HOST__ void sincospi(double __x, double* __s, double* __c) { __nv_sincospi(__x, __s, __c); }
__REPRISE_HOST__ void sincospif(float __x, float* __s, float* __c) { __nv_sincospif(__x, __s, __c); }
__REPRISE_HOST__ void sincospi(float __x, float* __s, float* __c) { __nv_sincospif(__x, __s, __c); }
__REPRISE_HOST__ double rhypot(double __x, double __y) { return __nv_rhypot(__x, __y); }
__REPRISE_HOST__ float rhypotf(float __x, float __y) { return __nv_rhypotf(__x, __y); }
__REPRISE_HOST__ float rhypot(float __x, float __y) { return __nv_rhypotf(__x, __y); }
__REPRISE_HOST__ double norm3d(double __a, double __b, double __c) { return __nv_norm3d(__a, __b, __c); }
__REPRISE_HOST__ float norm3df(float __a, float __b, float __c) { return __nv_norm3df(__a, __b, __c); }
__REPRISE_HOST__ double rnorm3d(double __a, double __b, double __c) { return __nv_rnorm3d(__a, __b, __c); }
__REPRISE_HOST__ float rnorm3df(float __a, float __b, float __c) { return __nv_rnorm3df(__a, __b, __c); }
__REPRISE_HOST__ double norm4d(double __a, double __b, double __c, double __d) {
  return __nv_norm4d(__a, __b, __c, __d);
}
__REPRISE_HOST__ float norm4df(float __a, float __b, float __c, float __d) { return __nv_norm4df(__a, __b, __c, __d); }
__REPRISE_HOST__ double rnorm4d(double __a, double __b, double __c, double __d) {
  return __nv_rnorm4d(__a, __b, __c, __d);
}
__REPRISE_HOST__ float rnorm4df(float __a, float __b, float __c, float __d) {
  return __nv_rnorm4df(__a, __b, __c, __d);
}
__REPRISE_HOST__ double norm(int __n, const double* __x) { return __nv_norm(__n, __x); }
__REPRISE_HOST__ float normf(int __n, const float* __x) { return __nv_normf(__n, __x); }
__REPRISE_HOST__ double rnorm(int __n, const double* __x) { return __nv_rnorm(__n, __x); }
__REPRISE_HOST__ float rnormf(int __n, const float* __x) { return __nv_rnormf(__n, __x); }
__REPRISE_HOST__ float fdividef(float __x, float __y) { return __x / __y; }
__REPRISE_HOST__ double fdivide(double __x, double __y) { return __x / __y; }

#undef __REPRISE_HOST__
