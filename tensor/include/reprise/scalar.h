// A host number as an operand beside a tensor: an integer leaves an integer tensor's type, a floating-point number
// makes it f32.
#pragma once

#include <reprise/dtype.h>

#include <type_traits>

namespace reprise {

class Scalar {
 public:
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Scalar(T value) : value_(static_cast<double>(value)), whole_(whole_of(value)), dtype_(kind<T>()) {}

  double value() const { return value_; }
  bool is_floating() const { return reprise::is_floating(dtype_); }
  // The value truncated to an integer; 0 if it does not fit.
  std::int64_t whole() const { return whole_; }

  // The result type of an operation on a tensor of `dtype` and this number.
  DType promoted(DType dtype) const {
    if (reprise::is_floating(dtype)) return dtype;
    return is_floating() || dtype == DType::boolean ? dtype_ : dtype;
  }

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
