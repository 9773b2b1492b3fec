// Arithmetic on the two halves (…2) or the four bytes (…4) of a word: __vadd2, __vmaxu4 and the like.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

// A word as lanes of a signed or unsigned type. Lanes are computed in int, where neither sums nor differences overflow.
template <class __T>
struct __reprise_lanes {
  static constexpr int __bits = 8 * sizeof(__T), __count = 32 / __bits;
  __REPRISE_DEVICE__ int __get(unsigned __word, int __lane) { return (int)(__T)(__word >> (__lane * __bits)); }
  __REPRISE_DEVICE__ unsigned __reprise_place(int __value, int __lane) {
    return ((unsigned)__value & (0xffffffffu >> (32 - __bits))) << (__lane * __bits);
  }
  static constexpr int __least = (__T)-1 < 0 ? -(1 << (__bits - 1)) : 0;
  static constexpr int __most = (__T)-1 < 0 ? (1 << (__bits - 1)) - 1 : (1 << __bits) - 1;
  __REPRISE_DEVICE__ int __clamp(int __x) { return __x < __least ? __least : __x > __most ? __most : __x; }
};

// Evaluates an expression of __x and __y for each pair of lanes; the results are packed again, or added up.
#define __REPRISE_LANES2__(name, T, expression)                                 \
  __REPRISE_DEVICE__ unsigned name(unsigned __a, unsigned __b) {                \
    using __lanes = __reprise_lanes<T>;                                         \
    unsigned __result = 0;                                                      \
    _Pragma("unroll") for (int __i = 0; __i < __lanes::__count; ++__i) {        \
      const int __x = __lanes::__get(__a, __i), __y = __lanes::__get(__b, __i); \
      __result |= __lanes::__reprise_place(expression, __i);                    \
    }                                                                           \
    return __result;                                                            \
  }
#define __REPRISE_LANES1__(name, T, expression)                          \
  __REPRISE_DEVICE__ unsigned name(unsigned __a) {                       \
    using __lanes = __reprise_lanes<T>;                                  \
    unsigned __result = 0;                                               \
    _Pragma("unroll") for (int __i = 0; __i < __lanes::__count; ++__i) { \
      const int __x = __lanes::__get(__a, __i);                          \
      __result |= __lanes::__reprise_place(expression, __i);             \
    }                                                                    \
    return __result;                                                     \
  }
#define __REPRISE_LANE_SUM__(name, T, expression)                               \
  __REPRISE_DEVICE__ unsigned name(unsigned __a, unsigned __b) {                \
    using __lanes = __reprise_lanes<T>;                                         \
    unsigned __sum = 0;                                                         \
    _Pragma("unroll") for (int __i = 0; __i < __lanes::__count; ++__i) {        \
      const int __x = __lanes::__get(__a, __i), __y = __lanes::__get(__b, __i); \
      __sum += (unsigned)(expression);                                          \
    }                                                                           \
    return __sum;                                                               \
  }
#define __REPRISE_LANE_COMPARE__(relation, suffix, T, expression)       \
  __REPRISE_LANES2__(__vset##relation##suffix, T, (expression) ? 1 : 0) \
  __REPRISE_LANES2__(__vcmp##relation##suffix, T, (expression) ? -1 : 0)

#define __REPRISE_VIDEO__(n, S, U)                                           \
  __REPRISE_LANES2__(__vadd##n, U, __x + __y)                                \
  __REPRISE_LANES2__(__vsub##n, U, __x - __y)                                \
  __REPRISE_LANES2__(__vaddss##n, S, __lanes::__clamp(__x + __y))            \
  __REPRISE_LANES2__(__vaddus##n, U, __lanes::__clamp(__x + __y))            \
  __REPRISE_LANES2__(__vsubss##n, S, __lanes::__clamp(__x - __y))            \
  __REPRISE_LANES2__(__vsubus##n, U, __lanes::__clamp(__x - __y))            \
  __REPRISE_LANES1__(__vabs##n, S, __x < 0 ? -__x : __x)                     \
  __REPRISE_LANES1__(__vabsss##n, S, __lanes::__clamp(__x < 0 ? -__x : __x)) \
  __REPRISE_LANES1__(__vneg##n, S, -__x)                                     \
  __REPRISE_LANES1__(__vnegss##n, S, __lanes::__clamp(-__x))                 \
  __REPRISE_LANES2__(__vabsdiffs##n, S, __x > __y ? __x - __y : __y - __x)   \
  __REPRISE_LANES2__(__vabsdiffu##n, U, __x > __y ? __x - __y : __y - __x)   \
  __REPRISE_LANES2__(__vavgs##n, S, (__x + __y + (__x + __y >= 0)) >> 1)     \
  __REPRISE_LANES2__(__vavgu##n, U, (__x + __y + 1) >> 1)                    \
  __REPRISE_LANES2__(__vhaddu##n, U, (__x + __y) >> 1)                       \
  __REPRISE_LANES2__(__vmaxs##n, S, __x > __y ? __x : __y)                   \
  __REPRISE_LANES2__(__vmaxu##n, U, __x > __y ? __x : __y)                   \
  __REPRISE_LANES2__(__vmins##n, S, __x < __y ? __x : __y)                   \
  __REPRISE_LANES2__(__vminu##n, U, __x < __y ? __x : __y)                   \
  __REPRISE_LANE_SUM__(__vsads##n, S, __x > __y ? __x - __y : __y - __x)     \
  __REPRISE_LANE_SUM__(__vsadu##n, U, __x > __y ? __x - __y : __y - __x)     \
  __REPRISE_LANE_COMPARE__(eq, n, U, __x == __y)                             \
  __REPRISE_LANE_COMPARE__(ne, n, U, __x != __y)                             \
  __REPRISE_LANE_COMPARE__(ges, n, S, __x >= __y)                            \
  __REPRISE_LANE_COMPARE__(geu, n, U, __x >= __y)                            \
  __REPRISE_LANE_COMPARE__(gts, n, S, __x > __y)                             \
  __REPRISE_LANE_COMPARE__(gtu, n, U, __x > __y)                             \
  __REPRISE_LANE_COMPARE__(les, n, S, __x <= __y)                            \
  __REPRISE_LANE_COMPARE__(leu, n, U, __x <= __y)                            \
  __REPRISE_LANE_COMPARE__(lts, n, S, __x < __y)                             \
  __REPRISE_LANE_COMPARE__(ltu, n, U, __x < __y)
__REPRISE_VIDEO__(2, short, unsigned short)
__REPRISE_VIDEO__(4, signed char, unsigned char)

#undef __REPRISE_VIDEO__
#undef __REPRISE_LANE_COMPARE__
#undef __REPRISE_LANE_SUM__
#undef __REPRISE_LANES1__
#undef __REPRISE_LANES2__
#undef __REPRISE_DEVICE__
