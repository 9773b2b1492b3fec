// Fused minimum, maximum and addition (DPX) on words and on the two halves of a word, in device and host code.
// Sums wrap around; the ReLU forms return at least zero.
#pragma once

#define __REPRISE_BOTH__ static __host__ __device__ __forceinline__

__REPRISE_BOTH__ int __reprise_wrapping_add(int __a, int __b) { return (int)((unsigned)__a + (unsigned)__b); }
__REPRISE_BOTH__ unsigned __reprise_wrapping_add(unsigned __a, unsigned __b) { return __a + __b; }
__REPRISE_BOTH__ short __reprise_wrapping_add(short __a, short __b) { return (short)(__a + __b); }
__REPRISE_BOTH__ unsigned short __reprise_wrapping_add(unsigned short __a, unsigned short __b) {
  return (unsigned short)(__a + __b);
}

// `compare` selects the larger (>) or the smaller (<) of two values.
#define __REPRISE_PICK__(compare, a, b) ((a)compare(b) ? (a) : (b))
#define __REPRISE_NOT_BELOW_ZERO__(a) ((a) > 0 ? (a) : 0)

// ---- words ----
#define __REPRISE_DPX_WORD__(which, compare, T, suffix)                     \
  __REPRISE_BOTH__ T __viadd##which##_##suffix(T __a, T __b, T __c) {       \
    const T __sum = __reprise_wrapping_add(__a, __b);                       \
    return __REPRISE_PICK__(compare, __sum, __c);                           \
  }                                                                         \
  __REPRISE_BOTH__ T __vi##which##3_##suffix(T __a, T __b, T __c) {         \
    const T __two = __REPRISE_PICK__(compare, __a, __b);                    \
    return __REPRISE_PICK__(compare, __two, __c);                           \
  }                                                                         \
  __REPRISE_BOTH__ T __vib##which##_##suffix(T __a, T __b, bool* __first) { \
    *__first = __a compare __b || __a == __b;                               \
    return *__first ? __a : __b;                                            \
  }
__REPRISE_DPX_WORD__(max, >, int, s32)
__REPRISE_DPX_WORD__(min, <, int, s32)
__REPRISE_DPX_WORD__(max, >, unsigned, u32)
__REPRISE_DPX_WORD__(min, <, unsigned, u32)
#undef __REPRISE_DPX_WORD__

#define __REPRISE_DPX_RELU__(which, compare)                                  \
  __REPRISE_BOTH__ int __viadd##which##_s32_relu(int __a, int __b, int __c) { \
    return __REPRISE_NOT_BELOW_ZERO__(__viadd##which##_s32(__a, __b, __c));   \
  }                                                                           \
  __REPRISE_BOTH__ int __vi##which##3_s32_relu(int __a, int __b, int __c) {   \
    return __REPRISE_NOT_BELOW_ZERO__(__vi##which##3_s32(__a, __b, __c));     \
  }                                                                           \
  __REPRISE_BOTH__ int __vi##which##_s32_relu(int __a, int __b) {             \
    return __REPRISE_NOT_BELOW_ZERO__(__REPRISE_PICK__(compare, __a, __b));   \
  }
__REPRISE_DPX_RELU__(max, >)
__REPRISE_DPX_RELU__(min, <)
#undef __REPRISE_DPX_RELU__

// ---- halves of words ----
template <class __T>
__REPRISE_BOTH__ __T __reprise_half_of(unsigned __word, int __half) {
  return (__T)(__word >> (16 * __half));
}
// Evaluates an expression of __x, __y and __z for each half of the operands.
#define __REPRISE_DPX_HALVES__(name, T, expression)                                           \
  __REPRISE_BOTH__ unsigned name(unsigned __a, unsigned __b, unsigned __c) {                  \
    unsigned __result = 0;                                                                    \
    _Pragma("unroll") for (int __i = 0; __i < 2; ++__i) {                                     \
      const T __x = __reprise_half_of<T>(__a, __i), __y = __reprise_half_of<T>(__b, __i),     \
              __z = __reprise_half_of<T>(__c, __i), __sum = __reprise_wrapping_add(__x, __y); \
      (void)__sum, (void)__z;                                                                 \
      __result |= (unsigned)(unsigned short)(expression) << (16 * __i);                       \
    }                                                                                         \
    return __result;                                                                          \
  }
#define __REPRISE_DPX_PAIRS__(which, compare)                                                             \
  __REPRISE_DPX_HALVES__(__viadd##which##_s16x2, short, __REPRISE_PICK__(compare, __sum, __z))            \
  __REPRISE_DPX_HALVES__(__viadd##which##_u16x2, unsigned short, __REPRISE_PICK__(compare, __sum, __z))   \
  __REPRISE_DPX_HALVES__(__viadd##which##_s16x2_relu, short,                                              \
                         __REPRISE_NOT_BELOW_ZERO__(__REPRISE_PICK__(compare, __sum, __z)))               \
  __REPRISE_DPX_HALVES__(__vi##which##3_s16x2, short,                                                     \
                         __REPRISE_PICK__(compare, __REPRISE_PICK__(compare, __x, __y), __z))             \
  __REPRISE_DPX_HALVES__(__vi##which##3_u16x2, unsigned short,                                            \
                         __REPRISE_PICK__(compare, __REPRISE_PICK__(compare, __x, __y), __z))             \
  __REPRISE_DPX_HALVES__(                                                                                 \
      __vi##which##3_s16x2_relu, short,                                                                   \
      __REPRISE_NOT_BELOW_ZERO__(__REPRISE_PICK__(compare, __REPRISE_PICK__(compare, __x, __y), __z)))    \
  __REPRISE_BOTH__ unsigned __vi##which##_s16x2_relu(unsigned __a, unsigned __b) {                        \
    return __vi##which##3_s16x2_relu(__a, __b, __b);                                                      \
  }                                                                                                       \
  __REPRISE_BOTH__ unsigned __vib##which##_s16x2(unsigned __a, unsigned __b, bool* __high, bool* __low) { \
    const short __x = __reprise_half_of<short>(__a, 1), __y = __reprise_half_of<short>(__b, 1);           \
    const short __v = __reprise_half_of<short>(__a, 0), __w = __reprise_half_of<short>(__b, 0);           \
    *__high = __x compare __y || __x == __y, *__low = __v compare __w || __v == __w;                      \
    return (unsigned)(unsigned short)(*__high ? __x : __y) << 16 | (unsigned short)(*__low ? __v : __w);  \
  }                                                                                                       \
  __REPRISE_BOTH__ unsigned __vib##which##_u16x2(unsigned __a, unsigned __b, bool* __high, bool* __low) { \
    const unsigned short __x = __reprise_half_of<unsigned short>(__a, 1),                                 \
                         __y = __reprise_half_of<unsigned short>(__b, 1),                                 \
                         __v = __reprise_half_of<unsigned short>(__a, 0),                                 \
                         __w = __reprise_half_of<unsigned short>(__b, 0);                                 \
    *__high = __x compare __y || __x == __y, *__low = __v compare __w || __v == __w;                      \
    return (unsigned)(*__high ? __x : __y) << 16 | (*__low ? __v : __w);                                  \
  }
__REPRISE_DPX_PAIRS__(max, >)
__REPRISE_DPX_PAIRS__(min, <)

#undef __REPRISE_DPX_PAIRS__
#undef __REPRISE_DPX_HALVES__
#undef __REPRISE_NOT_BELOW_ZERO__
#undef __REPRISE_PICK__
#undef __REPRISE_BOTH__
