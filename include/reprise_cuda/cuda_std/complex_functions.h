// Functions of complex numbers; included by cuda/std/complex. The first group is exact or nearly so; the others combine
// real functions and lose accuracy where their results are near a zero or a branch point.
#pragma once

namespace cuda {
namespace std {

template <class T>
constexpr T real(const complex<T>& z) {
  return z.real();
}
template <class T>
constexpr T imag(const complex<T>& z) {
  return z.imag();
}
template <class T, enable_if_t<is_arithmetic_v<T>, int> = 0>
constexpr auto real(T x) {
  return conditional_t<is_integral_v<T>, double, T>(x);
}
template <class T, enable_if_t<is_arithmetic_v<T>, int> = 0>
constexpr auto imag(T) {
  return conditional_t<is_integral_v<T>, double, T>(0);
}
template <class T>
constexpr T norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
constexpr complex<T> conj(const complex<T>& z) {
  return {z.real(), -z.imag()};
}
template <class T>
constexpr T abs(const complex<T>& z) {
  return ::std::hypot(z.real(), z.imag());
}
template <class T>
constexpr T arg(const complex<T>& z) {
  return ::std::atan2(z.imag(), z.real());
}
template <class T>
constexpr complex<T> proj(const complex<T>& z) {
  if (!::std::isinf(z.real()) && !::std::isinf(z.imag())) return z;
  return {::std::numeric_limits<T>::infinity(), ::std::copysign(T(0), z.imag())};
}
template <class T>
constexpr complex<T> polar(const T& length, const type_identity_t<T>& angle = T()) {
  return {length * ::std::cos(angle), length * ::std::sin(angle)};
}
template <class T>
constexpr complex<T> sqrt(const complex<T>& z) {
  const T x = z.real(), y = z.imag();
  if (x == 0 && y == 0) return {T(0), y};
  if (::std::isinf(y)) return {::std::fabs(y), y};
  if (::std::isinf(x)) {
    if (x > 0) return {x, y == y ? ::std::copysign(T(0), y) : y};
    return {y == y ? T(0) : y, ::std::copysign(x, y)};
  }
  using limits = ::std::numeric_limits<T>;
  if (::std::fabs(x) < 4 * limits::min() && ::std::fabs(y) < 4 * limits::min()) {
    // Halves of subnormal numbers are not exact: scales up, takes the root, scales down.
    constexpr T larger = 1ull << (limits::digits + 1) / 2;
    const complex<T> root = sqrt(complex<T>(x * larger * larger, y * larger * larger));
    return {root.real() / larger, root.imag() / larger};
  }
  // Halves each part first, so that |z| + |x| does not overflow.
  const T root = ::std::sqrt(::std::hypot(x / 2, y / 2) + ::std::fabs(x / 2));
  if (x >= 0) return {root, y / (2 * root)};
  return {::std::fabs(y) / (2 * root), ::std::copysign(root, y)};
}
template <class T>
constexpr complex<T> exp(const complex<T>& z) {
  const T size = ::std::exp(z.real());
  if (z.imag() == 0) return {size, z.imag()};
  if (size == 0 || (::std::isinf(size) && !::std::isfinite(z.imag()))) {
    const T y = ::std::isfinite(z.imag()) ? z.imag() : T(1);
    return size == 0 ? complex<T>(size * ::std::cos(y), size * ::std::sin(y))
                     : complex<T>(size, ::std::numeric_limits<T>::quiet_NaN());
  }
  return {size * ::std::cos(z.imag()), size * ::std::sin(z.imag())};
}
template <class T>
constexpr complex<T> log(const complex<T>& z) {
  return {::std::log(abs(z)), arg(z)};
}
template <class T>
constexpr complex<T> log10(const complex<T>& z) {
  return log(z) / ::std::log(T(10));
}
template <class T>
constexpr complex<T> pow(const complex<T>& z, const complex<T>& power) {
  return exp(power * log(z));
}
template <class T>
constexpr complex<T> pow(const complex<T>& z, const type_identity_t<T>& power) {
  return pow(z, complex<T>(power));
}
template <class T>
constexpr complex<T> pow(const type_identity_t<T>& x, const complex<T>& power) {
  return pow(complex<T>(x), power);
}

template <class T>
constexpr complex<T> sinh(const complex<T>& z) {
  return {::std::sinh(z.real()) * ::std::cos(z.imag()), ::std::cosh(z.real()) * ::std::sin(z.imag())};
}
template <class T>
constexpr complex<T> cosh(const complex<T>& z) {
  return {::std::cosh(z.real()) * ::std::cos(z.imag()), ::std::sinh(z.real()) * ::std::sin(z.imag())};
}
template <class T>
constexpr complex<T> tanh(const complex<T>& z) {
  if (::std::fabs(z.real()) > T(20)) return {::std::copysign(T(1), z.real()), T(0)};
  const T divisor = ::std::cosh(2 * z.real()) + ::std::cos(2 * z.imag());
  return {::std::sinh(2 * z.real()) / divisor, ::std::sin(2 * z.imag()) / divisor};
}
template <class T>
constexpr complex<T> sin(const complex<T>& z) {
  return {::std::sin(z.real()) * ::std::cosh(z.imag()), ::std::cos(z.real()) * ::std::sinh(z.imag())};
}
template <class T>
constexpr complex<T> cos(const complex<T>& z) {
  return {::std::cos(z.real()) * ::std::cosh(z.imag()), -::std::sin(z.real()) * ::std::sinh(z.imag())};
}
template <class T>
constexpr complex<T> tan(const complex<T>& z) {
  const complex<T> turned = tanh(complex<T>(-z.imag(), z.real()));
  return {turned.imag(), -turned.real()};
}

}  // namespace std
}  // namespace cuda
