// A number of the host beside tensors: whole numbers leave integer tensors integer, others make them f32.
#pragma once

#include <reprise/dtype.h>

#include <type_traits>

namespace reprise {

class Scalar {
 public:
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Scalar(T value) : value_(static_cast<double>(value)), whole_(whole_of(value)), dtype_(kind<T>()) {}

  double value() const { return value_; }
  // Of a floating number what is before its point, if that fits.
  std::int64_t whole() const { return whole_; }

  // The type of what a tensor of `dtype` and this make.
  DType promoted(DType dtype) const { return is_floating(dtype) || dtype < dtype_ ? dtype : dtype_; }

 private:
  template <class T>
  static constexpr std::int64_t whole_of(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      constexpr T bound = 9223372036854775808.0;  // 2^63
      if (!(value >= -bound && value < bound)) return 0;
    }
    return static_cast<std::int64_t>(value);
  }
  template <class T>
  static constexpr DType kind() {
    return std::is_floating_point_v<T> ? DType::f32 : std::is_same_v<T, bool> ? DType::boolean : DType::i64;
  }

  double value_;
  std::int64_t whole_;
  DType dtype_;
};

}  // namespace reprise
