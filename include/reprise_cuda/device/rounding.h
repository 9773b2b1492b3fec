// Arithmetic with a chosen rounding mode. Float operations are computed in double, where the exact result is the sum of
// two doubles, and rounded once: this changes no processor state and vectorises. Doubles have no wider type, so the
// runtime switches the processor's rounding mode for the one operation.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__
// Each operation below is rounded separately: none may be contracted into a multiply-add.
#define __REPRISE_UNFUSED__ _Pragma("clang fp contract(off)")

// ---- float ----
// Returns the smallest float not below __sum + __rest, where __sum is the double nearest to the sum.
__REPRISE_DEVICE__ float __reprise_round_up(double __sum, double __rest) {
  __REPRISE_UNFUSED__
  const float __nearest = (float)__sum;
  return (__sum - (double)__nearest) + __rest > 0 ? __reprise_next_up(__nearest) : __nearest;
}
__REPRISE_DEVICE__ float __reprise_add_up(double __x, double __y) {
  __REPRISE_UNFUSED__
  const double __sum = __x + __y, __of_y = __sum - __x;
  return __reprise_round_up(__sum, (__x - (__sum - __of_y)) + (__y - __of_y));
}
__REPRISE_DEVICE__ float __fadd_ru(float __a, float __b) { return __reprise_add_up(__a, __b); }
__REPRISE_DEVICE__ float __fsub_ru(float __a, float __b) { return __reprise_add_up(__a, -__b); }
__REPRISE_DEVICE__ float __fmul_ru(float __a, float __b) { return __reprise_round_up((double)__a * __b, 0); }
__REPRISE_DEVICE__ float __fmaf_ru(float __a, float __b, float __c) {
  __REPRISE_UNFUSED__
  return __reprise_add_up((double)__a * __b, __c);
}
__REPRISE_DEVICE__ float __fdiv_ru(float __a, float __b) {
  const double __quotient = (double)__a / __b;
  return __reprise_round_up(__quotient, __builtin_fma(-__quotient, (double)__b, (double)__a) / __b);
}
__REPRISE_DEVICE__ float __frcp_ru(float __x) { return __fdiv_ru(1.0f, __x); }
__REPRISE_DEVICE__ float __fsqrt_ru(float __x) {
  const double __root = __builtin_sqrt((double)__x);
  return __reprise_round_up(__root, __builtin_fma(-__root, __root, (double)__x) / __root);
}

// Rounds down by negating, rounding up and negating, which also makes x - x a negative zero.
__REPRISE_DEVICE__ float __fadd_rd(float __a, float __b) { return -__fadd_ru(-__a, -__b); }
__REPRISE_DEVICE__ float __fsub_rd(float __a, float __b) { return -__fadd_ru(-__a, __b); }
__REPRISE_DEVICE__ float __fmul_rd(float __a, float __b) { return -__fmul_ru(-__a, __b); }
__REPRISE_DEVICE__ float __fmaf_rd(float __a, float __b, float __c) { return -__fmaf_ru(-__a, __b, -__c); }
__REPRISE_DEVICE__ float __fdiv_rd(float __a, float __b) { return -__fdiv_ru(-__a, __b); }
__REPRISE_DEVICE__ float __frcp_rd(float __x) { return __fdiv_rd(1.0f, __x); }
__REPRISE_DEVICE__ float __fsqrt_rd(float __x) {
  const float __up = __fsqrt_ru(__x);
  return __x > 0 && (double)__up * __up > (double)__x ? __reprise_next_down(__up) : __up;
}

__REPRISE_DEVICE__ float __reprise_toward_zero(float __up, float __down) { return __up > 0 ? __down : __up; }
__REPRISE_DEVICE__ float __fadd_rz(float __a, float __b) {
  return __reprise_toward_zero(__fadd_ru(__a, __b), __fadd_rd(__a, __b));
}
__REPRISE_DEVICE__ float __fsub_rz(float __a, float __b) { return __fadd_rz(__a, -__b); }
__REPRISE_DEVICE__ float __fmul_rz(float __a, float __b) {
  return __reprise_toward_zero(__fmul_ru(__a, __b), __fmul_rd(__a, __b));
}
__REPRISE_DEVICE__ float __fmaf_rz(float __a, float __b, float __c) {
  return __reprise_toward_zero(__fmaf_ru(__a, __b, __c), __fmaf_rd(__a, __b, __c));
}
__REPRISE_DEVICE__ float __fdiv_rz(float __a, float __b) {
  return __reprise_toward_zero(__fdiv_ru(__a, __b), __fdiv_rd(__a, __b));
}
__REPRISE_DEVICE__ float __frcp_rz(float __x) { return __fdiv_rz(1.0f, __x); }
__REPRISE_DEVICE__ float __fsqrt_rz(float __x) { return __fsqrt_rd(__x); }

// ---- to nearest ----
#define __REPRISE_NEAREST__(prefix, T, fma, fma_builtin, sqrt_builtin)          \
  __REPRISE_DEVICE__ T __##prefix##add_rn(T __a, T __b) {                       \
    __REPRISE_UNFUSED__                                                         \
    return __a + __b;                                                           \
  }                                                                             \
  __REPRISE_DEVICE__ T __##prefix##sub_rn(T __a, T __b) {                       \
    __REPRISE_UNFUSED__                                                         \
    return __a - __b;                                                           \
  }                                                                             \
  __REPRISE_DEVICE__ T __##prefix##mul_rn(T __a, T __b) {                       \
    __REPRISE_UNFUSED__                                                         \
    return __a * __b;                                                           \
  }                                                                             \
  __REPRISE_DEVICE__ T __##prefix##div_rn(T __a, T __b) { return __a / __b; }   \
  __REPRISE_DEVICE__ T __##prefix##rcp_rn(T __a) { return 1 / __a; }            \
  __REPRISE_DEVICE__ T __##prefix##sqrt_rn(T __a) { return sqrt_builtin(__a); } \
  __REPRISE_DEVICE__ T fma##_rn(T __a, T __b, T __c) { return fma_builtin(__a, __b, __c); }
__REPRISE_NEAREST__(f, float, __fmaf, __builtin_fmaf, __builtin_sqrtf)
__REPRISE_NEAREST__(d, double, __fma, __builtin_fma, __builtin_sqrt)
#undef __REPRISE_NEAREST__
__REPRISE_DEVICE__ float __frsqrt_rn(float __x) { return (float)(1 / __builtin_sqrt((double)__x)); }

__REPRISE_DEVICE__ float __fmaf_ieee_rn(float __a, float __b, float __c) { return __fmaf_rn(__a, __b, __c); }
__REPRISE_DEVICE__ float __fmaf_ieee_ru(float __a, float __b, float __c) { return __fmaf_ru(__a, __b, __c); }
__REPRISE_DEVICE__ float __fmaf_ieee_rd(float __a, float __b, float __c) { return __fmaf_rd(__a, __b, __c); }
__REPRISE_DEVICE__ float __fmaf_ieee_rz(float __a, float __b, float __c) { return __fmaf_rz(__a, __b, __c); }

// ---- double ----
#define __REPRISE_DIRECTED__(suffix)                                                                         \
  __REPRISE_DEVICE__ double __dadd_##suffix(double __a, double __b) { return __nv_dadd_##suffix(__a, __b); } \
  __REPRISE_DEVICE__ double __dsub_##suffix(double __a, double __b) { return __nv_dsub_##suffix(__a, __b); } \
  __REPRISE_DEVICE__ double __dmul_##suffix(double __a, double __b) { return __nv_dmul_##suffix(__a, __b); } \
  __REPRISE_DEVICE__ double __ddiv_##suffix(double __a, double __b) { return __nv_ddiv_##suffix(__a, __b); } \
  __REPRISE_DEVICE__ double __drcp_##suffix(double __a) { return __nv_drcp_##suffix(__a); }                  \
  __REPRISE_DEVICE__ double __dsqrt_##suffix(double __a) { return __nv_dsqrt_##suffix(__a); }                \
  __REPRISE_DEVICE__ double __fma_##suffix(double __a, double __b, double __c) {                             \
    return __nv_fma_##suffix(__a, __b, __c);                                                                 \
  }
__REPRISE_DIRECTED__(ru)
__REPRISE_DIRECTED__(rd)
__REPRISE_DIRECTED__(rz)
#undef __REPRISE_DIRECTED__

#undef __REPRISE_UNFUSED__
#undef __REPRISE_DEVICE__
