// bfloat16: __nv_bfloat16 and pairs of it, in host and device code.
#pragma once

#define __CUDA_BF16_H__
#define __CUDA_BF16_HPP__
#define __CUDA_BF16_TYPES_EXIST__

#include <cuda_fp16.h>

#define __REPRISE_F__ __nv_bfloat16
#define __REPRISE_F2__ __nv_bfloat162
#define __REPRISE_RAW__ __nv_bfloat16_raw
#define __REPRISE_RAW2__ __nv_bfloat162_raw
#define __REPRISE_FORMAT__ bfloat_format
#define __REPRISE_OTHER__ __half
#define __REPRISE_NAMED__(before, after) before##bfloat16##after

#include <reprise_cuda/small_float/type.inc>
#include <reprise_cuda/small_float/conversions.inc>
#include <reprise_cuda/small_float/arithmetic.inc>
#if !defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#include <reprise_cuda/small_float/operators.inc>
#endif
#ifdef __CUDA__
#include <reprise_cuda/small_float/device.inc>
#endif
static __host__ __device__ __forceinline__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
static __host__ __device__ __forceinline__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return {a, b};
}
#include <reprise_cuda/small_float/finish.inc>

inline __host__ __device__ __nv_bfloat16::__nv_bfloat16(const __half& value) : __nv_bfloat16((float)value) {}
inline __host__ __device__ __half::__half(const __nv_bfloat16& value) : __half((float)value) {}

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
