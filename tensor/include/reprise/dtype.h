// Element types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>

struct __half;
struct __nv_bfloat16;

namespace reprise {

enum class DType : std::uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };

constexpr std::size_t size_of(DType dtype) {
  constexpr std::size_t sizes[] = {8, 4, 2, 2, 8, 4, 2, 1, 1, 1};
  return sizes[static_cast<int>(dtype)];
}

constexpr bool is_floating(DType dtype) { return dtype <= DType::bf16; }

// The result type of an operation on both: the wider kind (bool, integer, floating), within a kind the wider type, f32
// for f16 with bf16, and i16 for i8 with u8.
constexpr DType promote(DType a, DType b) {
  if (a == b) return a;
  const DType wide = a < b ? a : b, narrow = a < b ? b : a;
  if (wide == DType::f16 && narrow == DType::bf16) return DType::f32;
  if (wide == DType::i8 && narrow == DType::u8) return DType::i16;
  return wide;
}

// The type in which kernels compute: f64, f32 or i64.
constexpr DType computed_type(DType dtype) {
  return dtype == DType::f64 ? DType::f64 : is_floating(dtype) ? DType::f32 : DType::i64;
}

const char* name_of(DType dtype);
std::ostream& operator<<(std::ostream& out, DType dtype);

// The DType of the C++ type `T`.
template <class T>
struct DTypeOf;
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::f32;
};
template <>
struct DTypeOf<__half> {
  static constexpr DType value = DType::f16;
};
template <>
struct DTypeOf<__nv_bfloat16> {
  static constexpr DType value = DType::bf16;
};
template <>
struct DTypeOf<std::int64_t> {
  static constexpr DType value = DType::i64;
};
template <>
struct DTypeOf<double> {
  static constexpr DType value = DType::f64;
};
template <>
struct DTypeOf<std::int32_t> {
  static constexpr DType value = DType::i32;
};
template <>
struct DTypeOf<std::int16_t> {
  static constexpr DType value = DType::i16;
};
template <>
struct DTypeOf<std::int8_t> {
  static constexpr DType value = DType::i8;
};
template <>
struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::u8;
};
template <>
struct DTypeOf<bool> {
  static constexpr DType value = DType::boolean;
};

template <class T>
constexpr DType dtype_of = DTypeOf<T>::value;

}  // namespace reprise
