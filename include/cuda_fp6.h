// 6-bit floating point: E2M3 and E3M2, one in a byte, in host and device code. They have neither infinities nor NaN:
// conversions saturate, and a NaN becomes the largest number.
#pragma once

#define __CUDA_FP6_H__
#define __CUDA_FP6_HPP__
#define __CUDA_FP6_TYPES_EXIST__

#include <cuda_fp8.h>

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#define __REPRISE_HD__ static __host__ __device__ __forceinline__

__REPRISE_HD__ __nv_fp6_storage_t __nv_cvt_double_to_fp6(const double x, const __nv_fp6_interpretation_t kind,
                                                         const enum cudaRoundMode rounding) {
  return kind == __NV_E2M3 ? __reprise_small::encode<__reprise_small::e2m3>(x, true, rounding)
                           : __reprise_small::encode<__reprise_small::e3m2>(x, true, rounding);
}
__REPRISE_HD__ __nv_fp6x2_storage_t __nv_cvt_double2_to_fp6x2(const double2 x, const __nv_fp6_interpretation_t kind,
                                                              const enum cudaRoundMode rounding) {
  return (__nv_fp6x2_storage_t)(__nv_cvt_double_to_fp6(x.x, kind, rounding) |
                                __nv_cvt_double_to_fp6(x.y, kind, rounding) << 8);
}
__REPRISE_HD__ __nv_fp6_storage_t __nv_cvt_float_to_fp6(const float x, const __nv_fp6_interpretation_t kind,
                                                        const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp6(x, kind, rounding);
}
__REPRISE_HD__ __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(const float2 x, const __nv_fp6_interpretation_t kind,
                                                             const enum cudaRoundMode rounding) {
  return __nv_cvt_double2_to_fp6x2(make_double2(x.x, x.y), kind, rounding);
}
__REPRISE_HD__ __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(const __half_raw x, const __nv_fp6_interpretation_t kind,
                                                          const enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_fp6(__half2float(__half(x)), kind, rounding);
}
__REPRISE_HD__ __nv_fp6x2_storage_t __nv_cvt_halfraw2_to_fp6x2(const __half2_raw x,
                                                               const __nv_fp6_interpretation_t kind,
                                                               const enum cudaRoundMode rounding) {
  return __nv_cvt_float2_to_fp6x2(__half22float2(__half2(x)), kind, rounding);
}
__REPRISE_HD__ __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(const __nv_bfloat16_raw x,
                                                              const __nv_fp6_interpretation_t kind,
                                                              const enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_fp6(__bfloat162float(__nv_bfloat16(x)), kind, rounding);
}
__REPRISE_HD__ __nv_fp6x2_storage_t __nv_cvt_bfloat16raw2_to_fp6x2(const __nv_bfloat162_raw x,
                                                                   const __nv_fp6_interpretation_t kind,
                                                                   const enum cudaRoundMode rounding) {
  return __nv_cvt_float2_to_fp6x2(__bfloat1622float2(__nv_bfloat162(x)), kind, rounding);
}
__REPRISE_HD__ __half_raw __nv_cvt_fp6_to_halfraw(const __nv_fp6_storage_t x, const __nv_fp6_interpretation_t kind) {
  return __half(kind == __NV_E2M3 ? __reprise_small::decode<__reprise_small::e2m3>(x)
                                  : __reprise_small::decode<__reprise_small::e3m2>(x));
}
__REPRISE_HD__ __half2_raw __nv_cvt_fp6x2_to_halfraw2(const __nv_fp6x2_storage_t x,
                                                      const __nv_fp6_interpretation_t kind) {
  __half2_raw both;
  both.x = __nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)(x & 0xff), kind).x;
  both.y = __nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)(x >> 8), kind).x;
  return both;
}

#undef __REPRISE_HD__

// ---- classes ----
#define __REPRISE_STORAGE__ __nv_fp6_storage_t
#define __REPRISE_STORAGE2__ __nv_fp6x2_storage_t
#define __REPRISE_STORAGE4__ __nv_fp6x4_storage_t
#define __REPRISE_WIDTH__ 8

#define __REPRISE_NAME__ __nv_fp6_e2m3
#define __REPRISE_NAME2__ __nv_fp6x2_e2m3
#define __REPRISE_NAME4__ __nv_fp6x4_e2m3
#define __REPRISE_FORMAT__ e2m3
#include <reprise_cuda/small_float/narrow_types.inc>

#define __REPRISE_NAME__ __nv_fp6_e3m2
#define __REPRISE_NAME2__ __nv_fp6x2_e3m2
#define __REPRISE_NAME4__ __nv_fp6x4_e3m2
#define __REPRISE_FORMAT__ e3m2
#include <reprise_cuda/small_float/narrow_types.inc>

#undef __REPRISE_STORAGE__
#undef __REPRISE_STORAGE2__
#undef __REPRISE_STORAGE4__
#undef __REPRISE_WIDTH__
