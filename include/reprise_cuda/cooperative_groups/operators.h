// The operators of reduce and scan.
#pragma once

namespace cooperative_groups {
inline namespace __v1 {

#define __REPRISE_OPERATOR__(name, expression)                                     \
  template <class T>                                                               \
  struct name {                                                                    \
    __device__ __forceinline__ T operator()(T a, T b) const { return expression; } \
  };
__REPRISE_OPERATOR__(plus, a + b)
__REPRISE_OPERATOR__(less, b < a ? b : a)
__REPRISE_OPERATOR__(greater, a < b ? b : a)
__REPRISE_OPERATOR__(bit_and, a& b)
__REPRISE_OPERATOR__(bit_or, a | b)
__REPRISE_OPERATOR__(bit_xor, a ^ b)
#undef __REPRISE_OPERATOR__

namespace __reprise {

// The operation number of __reprise_reduce32 for an operator on 32-bit integers; -1 when it has none.
template <class T, class Operator>
struct one_step {
  static constexpr int operation = -1;
};
template <>
struct one_step<int, plus<int>> {
  static constexpr int operation = 0;
};
template <>
struct one_step<unsigned, plus<unsigned>> {
  static constexpr int operation = 0;
};
template <>
struct one_step<int, less<int>> {
  static constexpr int operation = 1;
};
template <>
struct one_step<int, greater<int>> {
  static constexpr int operation = 2;
};
template <>
struct one_step<unsigned, less<unsigned>> {
  static constexpr int operation = 3;
};
template <>
struct one_step<unsigned, greater<unsigned>> {
  static constexpr int operation = 4;
};
template <>
struct one_step<int, bit_and<int>> {
  static constexpr int operation = 5;
};
template <>
struct one_step<unsigned, bit_and<unsigned>> {
  static constexpr int operation = 5;
};
template <>
struct one_step<int, bit_or<int>> {
  static constexpr int operation = 6;
};
template <>
struct one_step<unsigned, bit_or<unsigned>> {
  static constexpr int operation = 6;
};
template <>
struct one_step<int, bit_xor<int>> {
  static constexpr int operation = 7;
};
template <>
struct one_step<unsigned, bit_xor<unsigned>> {
  static constexpr int operation = 7;
};

}  // namespace __reprise
}  // namespace __v1
}  // namespace cooperative_groups
