// 8-bit floating point: E4M3 (no infinities), E5M2 and the scale E8M0, in host and device code.
#pragma once

#define __CUDA_FP8_H__
#define __CUDA_FP8_HPP__
#define __CUDA_FP8_TYPES_EXIST__

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <reprise_cuda/small_float/narrow_format.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#define __REPRISE_HD__ static __host__ __device__ __forceinline__

__REPRISE_HD__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                        const __nv_fp8_interpretation_t kind) {
  const bool finite = saturate == __NV_SATFINITE;
  return kind == __NV_E4M3 ? __reprise_small::encode<__reprise_small::e4m3>(x, finite)
                           : __reprise_small::encode<__reprise_small::e5m2>(x, finite);
}
// The NaN of a double keeps its sign and, in E5M2, the upper bits of its mantissa.
__REPRISE_HD__ __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                         const __nv_fp8_interpretation_t kind) {
  const bool finite = saturate == __NV_SATFINITE;
  if (x != x) {
    const unsigned long long bits = __reprise_small::double_bits(x);
    return (__nv_fp8_storage_t)((bits >> 56 & 0x80) | (kind == __NV_E4M3 ? 0x7f : 0x7e | (bits >> 50 & 1)));
  }
  return kind == __NV_E4M3 ? __reprise_small::encode<__reprise_small::e4m3>(x, finite)
                           : __reprise_small::encode<__reprise_small::e5m2>(x, finite);
}
__REPRISE_HD__ __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x, const __nv_saturation_t saturate,
                                                              const __nv_fp8_interpretation_t kind) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.x, saturate, kind) |
                                __nv_cvt_double_to_fp8(x.y, saturate, kind) << 8);
}
__REPRISE_HD__ __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t saturate,
                                                             const __nv_fp8_interpretation_t kind) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(x.x, saturate, kind) | __nv_cvt_float_to_fp8(x.y, saturate, kind)
                                                                                 << 8);
}
__REPRISE_HD__ __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                                                          const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__half2float(__half(x)), saturate, kind);
}
__REPRISE_HD__ __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw x, const __nv_saturation_t saturate,
                                                               const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(x)), saturate, kind);
}
__REPRISE_HD__ __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x,
                                                              const __nv_saturation_t saturate,
                                                              const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(x)), saturate, kind);
}
__REPRISE_HD__ __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw x,
                                                                   const __nv_saturation_t saturate,
                                                                   const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(x)), saturate, kind);
}
__REPRISE_HD__ __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind) {
  return __half(kind == __NV_E4M3 ? __reprise_small::decode<__reprise_small::e4m3>(x)
                                  : __reprise_small::decode<__reprise_small::e5m2>(x));
}
__REPRISE_HD__ __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                      const __nv_fp8_interpretation_t kind) {
  __half2_raw both;
  both.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x & 0xff), kind).x;
  both.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x;
  return both;
}

// ---- E8M0 ----
__REPRISE_HD__ __nv_fp8_storage_t __nv_cvt_double_to_e8m0(const double x, const __nv_saturation_t saturate,
                                                          const enum cudaRoundMode rounding) {
  return __reprise_small::encode_scale(x, saturate == __NV_SATFINITE, rounding);
}
__REPRISE_HD__ __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(const double2 x, const __nv_saturation_t saturate,
                                                               const enum cudaRoundMode rounding) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_e8m0(x.x, saturate, rounding) |
                                __nv_cvt_double_to_e8m0(x.y, saturate, rounding) << 8);
}
__REPRISE_HD__ __nv_fp8_storage_t __nv_cvt_float_to_e8m0(const float x, const __nv_saturation_t saturate,
                                                         const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(x, saturate, rounding);
}
__REPRISE_HD__ __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(const float2 x, const __nv_saturation_t saturate,
                                                              const enum cudaRoundMode rounding) {
  return __nv_cvt_double2_to_e8m0x2(make_double2(x.x, x.y), saturate, rounding);
}
__REPRISE_HD__ __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw x,
                                                               const __nv_saturation_t saturate,
                                                               const enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(__bfloat162float(__nv_bfloat16(x)), saturate, rounding);
}
__REPRISE_HD__ __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(const __nv_bfloat162_raw x,
                                                                    const __nv_saturation_t saturate,
                                                                    const enum cudaRoundMode rounding) {
  return __nv_cvt_float2_to_e8m0x2(__bfloat1622float2(__nv_bfloat162(x)), saturate, rounding);
}
__REPRISE_HD__ __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
  return __float2bfloat16_rn(__reprise_small::decode_scale(x));
}
__REPRISE_HD__ __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x) {
  __nv_bfloat162_raw both;
  both.x = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x & 0xff)).x;
  both.y = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x;
  return both;
}

#undef __REPRISE_HD__

// ---- classes ----
#define __REPRISE_STORAGE__ __nv_fp8_storage_t
#define __REPRISE_STORAGE2__ __nv_fp8x2_storage_t
#define __REPRISE_STORAGE4__ __nv_fp8x4_storage_t
#define __REPRISE_WIDTH__ 8

#define __REPRISE_NAME__ __nv_fp8_e4m3
#define __REPRISE_NAME2__ __nv_fp8x2_e4m3
#define __REPRISE_NAME4__ __nv_fp8x4_e4m3
#define __REPRISE_FORMAT__ e4m3
#include <reprise_cuda/small_float/narrow_types.inc>

#define __REPRISE_NAME__ __nv_fp8_e5m2
#define __REPRISE_NAME2__ __nv_fp8x2_e5m2
#define __REPRISE_NAME4__ __nv_fp8x4_e5m2
#define __REPRISE_FORMAT__ e5m2
#include <reprise_cuda/small_float/narrow_types.inc>

#undef __REPRISE_STORAGE__
#undef __REPRISE_STORAGE2__
#undef __REPRISE_STORAGE4__
#undef __REPRISE_WIDTH__

// A power of two; numbers are rounded up to one.
struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;

  __nv_fp8_e8m0() = default;
  explicit __host__ __device__ __forceinline__ __nv_fp8_e8m0(double f)
      : __x(__nv_cvt_double_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit __host__ __device__ __forceinline__ __nv_fp8_e8m0(float f) : __nv_fp8_e8m0(static_cast<double>(f)) {}
  explicit __host__ __device__ __forceinline__ __nv_fp8_e8m0(__half f) : __nv_fp8_e8m0(static_cast<float>(f)) {}
  explicit __host__ __device__ __forceinline__ __nv_fp8_e8m0(__nv_bfloat16 f) : __nv_fp8_e8m0(static_cast<float>(f)) {}

  explicit __host__ __device__ __forceinline__ operator float() const { return __reprise_small::decode_scale(__x); }
  explicit __host__ __device__ __forceinline__ operator double() const { return static_cast<float>(*this); }
  explicit __host__ __device__ __forceinline__ operator __half() const { return __half(static_cast<float>(*this)); }
  explicit __host__ __device__ __forceinline__ operator __nv_bfloat16() const {
    return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x));
  }
};
