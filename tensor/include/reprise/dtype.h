// Element types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>

struct __half;
struct __nv_bfloat16;

namespace reprise {

enum class DType : std::uint8_t { f32, f16, bf16, i64, boolean };

constexpr std::size_t size_of(DType dtype) {
  constexpr std::size_t sizes[] = {4, 2, 2, 8, 1};
  return sizes[static_cast<int>(dtype)];
}

constexpr bool is_floating(DType dtype) { return dtype <= DType::bf16; }

// The result type of an operation on both: the wider kind (bool, integer, floating), and f32 for f16 with bf16.
constexpr DType promote(DType a, DType b) {
  if (a == b) return a;
  if (is_floating(a) && is_floating(b)) return DType::f32;
  return a < b ? a : b;
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
struct DTypeOf<bool> {
  static constexpr DType value = DType::boolean;
};

template <class T>
constexpr DType dtype_of = DTypeOf<T>::value;

}  // namespace reprise
