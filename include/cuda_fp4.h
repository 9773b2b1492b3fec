// 4-bit floating point: E2M1, two in a byte, in host and device code. They have neither infinities nor NaN: conversions
// saturate, and a NaN becomes the largest number.
#pragma once

#define __CUDA_FP4_H__
#define __CUDA_FP4_HPP__
#define __CUDA_FP4_TYPES_EXIST__

#include <cuda_fp8.h>

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#define __REPRISE_HD__ static __host__ __device__ __forceinline__

__REPRISE_HD__ __nv_fp4_storage_t __nv_cvt_double_to_fp4(const double x, const __nv_fp4_interpretation_t,
                                                         const enum cudaRoundMode rounding) {
  return __reprise_small::encode<__reprise_small::e2m1>(x, true, rounding);
}
__REPRISE_HD__ __nv_fp4x2_storage_t __nv_cvt_double2_to_fp4x2(const double2 x, const __nv_fp4_interpretation_t kind,
                                                              const enum cudaRoundMode rounding) {
  return (__nv_fp4x2_storage_t)(__nv_cvt_double_to_fp4(x.x, kind, rounding) |
                                __nv_cvt_double_to_fp4(x.y, kind, rounding) << 4);
}
__REPRISE_HD__ __nv_fp4_storage_t __nv_cvt_float_to_fp4(const float x, const __nv_fp4_interpretation_t kind,
                                                        const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp4(x, kind, rounding);
}
__REPRISE_HD__ __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(const float2 x, const __nv_fp4_interpretation_t kind,
                                                             const enum cudaRoundMode rounding) {
  return __nv_cvt_double2_to_fp4x2(make_double2(x.x, x.y), kind, rounding);
}
__REPRISE_HD__ __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(const __half_raw x, const __nv_fp4_interpretation_t kind,
                                                          const enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_fp4(__half2float(__half(x)), kind, rounding);
}
__REPRISE_HD__ __nv_fp4x2_storage_t __nv_cvt_halfraw2_to_fp4x2(const __half2_raw x,
                                                               const __nv_fp4_interpretation_t kind,
                                                               const enum cudaRoundMode rounding) {
  return __nv_cvt_float2_to_fp4x2(__half22float2(__half2(x)), kind, rounding);
}
__REPRISE_HD__ __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(const __nv_bfloat16_raw x,
                                                              const __nv_fp4_interpretation_t kind,
                                                              const enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_fp4(__bfloat162float(__nv_bfloat16(x)), kind, rounding);
}
__REPRISE_HD__ __nv_fp4x2_storage_t __nv_cvt_bfloat16raw2_to_fp4x2(const __nv_bfloat162_raw x,
                                                                   const __nv_fp4_interpretation_t kind,
                                                                   const enum cudaRoundMode rounding) {
  return __nv_cvt_float2_to_fp4x2(__bfloat1622float2(__nv_bfloat162(x)), kind, rounding);
}
__REPRISE_HD__ __half_raw __nv_cvt_fp4_to_halfraw(const __nv_fp4_storage_t x, const __nv_fp4_interpretation_t) {
  return __half(__reprise_small::decode<__reprise_small::e2m1>(x & 0xf));
}
__REPRISE_HD__ __half2_raw __nv_cvt_fp4x2_to_halfraw2(const __nv_fp4x2_storage_t x,
                                                      const __nv_fp4_interpretation_t kind) {
  __half2_raw both;
  both.x = __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(x & 0xf), kind).x;
  both.y = __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(x >> 4), kind).x;
  return both;
}

#undef __REPRISE_HD__

// ---- classes ----
#define __REPRISE_STORAGE__ __nv_fp4_storage_t
#define __REPRISE_STORAGE2__ __nv_fp4x2_storage_t
#define __REPRISE_STORAGE4__ __nv_fp4x4_storage_t
#define __REPRISE_WIDTH__ 4

#define __REPRISE_NAME__ __nv_fp4_e2m1
#define __REPRISE_NAME2__ __nv_fp4x2_e2m1
#define __REPRISE_NAME4__ __nv_fp4x4_e2m1
#define __REPRISE_FORMAT__ e2m1
#include <reprise_cuda/small_float/narrow_types.inc>

#undef __REPRISE_STORAGE__
#undef __REPRISE_STORAGE2__
#undef __REPRISE_STORAGE4__
#undef __REPRISE_WIDTH__
