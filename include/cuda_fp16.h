// 16-bit floating point: __half and pairs of it, in host and device code.
#pragma once

// Programs and NVIDIA's own headers test these macros to see whether this header has been included.
#define __CUDA_FP16_H__
#define __CUDA_FP16_HPP__
#define __CUDA_FP16_TYPES_EXIST__

#include <cuda_runtime.h>

#include <reprise_cuda/small_float/format.h>

struct __nv_bfloat16;

#define __REPRISE_F__ __half
#define __REPRISE_F2__ __half2
#define __REPRISE_RAW__ __half_raw
#define __REPRISE_RAW2__ __half2_raw
#define __REPRISE_FORMAT__ half_format
#define __REPRISE_OTHER__ __nv_bfloat16
#define __REPRISE_NAMED__(before, after) before##half##after

#include <reprise_cuda/small_float/type.inc>
#include <reprise_cuda/small_float/conversions.inc>
#include <reprise_cuda/small_float/arithmetic.inc>
#if !defined(__CUDA_NO_HALF_OPERATORS__)
#include <reprise_cuda/small_float/operators.inc>
#endif
#ifdef __CUDA__
#include <reprise_cuda/small_float/device.inc>
#endif
static __host__ __device__ __forceinline__ __half2 __half2half2(__half a) { return {a, a}; }
static __host__ __device__ __forceinline__ __half2 __halves2half2(__half a, __half b) { return {a, b}; }
#include <reprise_cuda/small_float/finish.inc>

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
