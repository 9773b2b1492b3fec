// Loads and stores elements of any type, converting from and to the type of the computation.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <reprise/dtype.h>

namespace reprise::kernels {

// Elements of a known type.
__device__ inline float get(float x) { return x; }
__device__ inline float get(__half x) { return __half2float(x); }
__device__ inline float get(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ inline float get(bool x) { return x; }
__device__ inline float get(std::int64_t x) { return static_cast<float>(x); }
__device__ inline void put(float& to, float x) { to = x; }
__device__ inline void put(bool& to, float x) { to = x != 0; }
__device__ inline void put(__half& to, float x) { to = __float2half_rn(x); }
__device__ inline void put(__nv_bfloat16& to, float x) { to = __float2bfloat16_rn(x); }

// Elements of a type known at run time.
template <class C>
__device__ inline C load(const void* from, DType dtype, int at) {
  switch (dtype) {
    case DType::f64:
      return static_cast<C>(static_cast<const double*>(from)[at]);
    case DType::f32:
      return static_cast<C>(static_cast<const float*>(from)[at]);
    case DType::f16:
      return static_cast<C>(__half2float(static_cast<const __half*>(from)[at]));
    case DType::bf16:
      return static_cast<C>(__bfloat162float(static_cast<const __nv_bfloat16*>(from)[at]));
    case DType::i64:
      return static_cast<C>(static_cast<const std::int64_t*>(from)[at]);
    case DType::i32:
      return static_cast<C>(static_cast<const std::int32_t*>(from)[at]);
    case DType::i16:
      return static_cast<C>(static_cast<const std::int16_t*>(from)[at]);
    case DType::i8:
      return static_cast<C>(static_cast<const std::int8_t*>(from)[at]);
    case DType::u8:
      return static_cast<C>(static_cast<const std::uint8_t*>(from)[at]);
    case DType::boolean:
      return static_cast<C>(static_cast<const bool*>(from)[at]);
  }
  return C();
}

__device__ inline std::size_t bytes_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
    case DType::i64:
      return 8;
    case DType::f32:
    case DType::i32:
      return 4;
    case DType::f16:
    case DType::bf16:
    case DType::i16:
      return 2;
    default:
      return 1;
  }
}

// The same with 64-bit indices.
template <class C>
struct Elements {
  const void* data;
  DType dtype;
  __device__ C operator[](std::size_t i) const {
    return load<C>(static_cast<const char*>(data) + i * bytes_of(dtype), dtype, 0);
  }
};

// Floating-point numbers become small integers by way of i64, as in PyTorch: out of range they wrap around.
template <class T, class C>
__device__ inline void store_whole(void* to, int at, C value) {
  static_cast<T*>(to)[at] = static_cast<T>(static_cast<std::int64_t>(value));
}

template <class C>
__device__ inline void store(void* to, DType dtype, int at, C value) {
  switch (dtype) {
    case DType::f64:
      static_cast<double*>(to)[at] = static_cast<double>(value);
      break;
    case DType::f32:
      static_cast<float*>(to)[at] = static_cast<float>(value);
      break;
    case DType::f16:
      static_cast<__half*>(to)[at] = __float2half_rn(static_cast<float>(value));
      break;
    case DType::bf16:
      static_cast<__nv_bfloat16*>(to)[at] = __float2bfloat16_rn(static_cast<float>(value));
      break;
    case DType::i64:
      store_whole<std::int64_t>(to, at, value);
      break;
    case DType::i32:
      store_whole<std::int32_t>(to, at, value);
      break;
    case DType::i16:
      store_whole<std::int16_t>(to, at, value);
      break;
    case DType::i8:
      store_whole<std::int8_t>(to, at, value);
      break;
    case DType::u8:
      store_whole<std::uint8_t>(to, at, value);
      break;
    case DType::boolean:
      static_cast<bool*>(to)[at] = value != C(0);
      break;
  }
}

}  // namespace reprise::kernels
