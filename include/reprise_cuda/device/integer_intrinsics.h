// Integer intrinsics: bit counts and shuffles, wide products, averages, sums of differences, dot products of bytes.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

__REPRISE_DEVICE__ int __popc(unsigned __x) { return __builtin_popcount(__x); }
__REPRISE_DEVICE__ int __popcll(unsigned long long __x) { return __builtin_popcountll(__x); }
__REPRISE_DEVICE__ int __clz(int __x) { return __x == 0 ? 32 : __builtin_clz((unsigned)__x); }
__REPRISE_DEVICE__ int __clzll(long long __x) { return __x == 0 ? 64 : __builtin_clzll((unsigned long long)__x); }
__REPRISE_DEVICE__ int __ffs(int __x) { return __x == 0 ? 0 : __builtin_ctz((unsigned)__x) + 1; }
__REPRISE_DEVICE__ int __ffsll(long long __x) { return __x == 0 ? 0 : __builtin_ctzll((unsigned long long)__x) + 1; }
__REPRISE_DEVICE__ unsigned __brev(unsigned __x) { return __builtin_bitreverse32(__x); }
__REPRISE_DEVICE__ unsigned long long __brevll(unsigned long long __x) { return __builtin_bitreverse64(__x); }

// Returns the position of the `offset`-th set bit from bit `base`, upwards or, for a negative offset, downwards.
__REPRISE_DEVICE__ unsigned __fns(unsigned __mask, unsigned __base, int __offset) {
  if (__offset == 0) return __mask >> __base & 1 ? __base : 0xffffffffu;
  const int __step = __offset < 0 ? -1 : 1;
  int __left = __offset < 0 ? -__offset : __offset;
  for (int __bit = (int)__base; __bit >= 0 && __bit < 32; __bit += __step)
    if ((__mask >> __bit & 1) && --__left == 0) return (unsigned)__bit;
  return 0xffffffffu;
}

// Selects four of the eight bytes of y:x by selectors of three bits. (PTX's prmt has a fourth bit, for the sign.)
__REPRISE_DEVICE__ unsigned __byte_perm(unsigned __x, unsigned __y, unsigned __selector) {
  const unsigned long long __bytes = (unsigned long long)__y << 32 | __x;
  unsigned __result = 0;
#pragma unroll
  for (int __i = 0; __i < 4; ++__i) {
    const unsigned __s = __selector >> (4 * __i);
    __result |= ((unsigned)(__bytes >> (8 * (__s & 7))) & 0xff) << (8 * __i);
  }
  return __result;
}

__REPRISE_DEVICE__ unsigned __funnelshift_l(unsigned __low, unsigned __high, unsigned __shift) {
  return (unsigned)((((unsigned long long)__high << 32 | __low) << (__shift & 31)) >> 32);
}
__REPRISE_DEVICE__ unsigned __funnelshift_r(unsigned __low, unsigned __high, unsigned __shift) {
  return (unsigned)(((unsigned long long)__high << 32 | __low) >> (__shift & 31));
}
__REPRISE_DEVICE__ unsigned __funnelshift_lc(unsigned __low, unsigned __high, unsigned __shift) {
  return __shift >= 32 ? __low : __funnelshift_l(__low, __high, __shift);
}
__REPRISE_DEVICE__ unsigned __funnelshift_rc(unsigned __low, unsigned __high, unsigned __shift) {
  return __shift >= 32 ? __high : __funnelshift_r(__low, __high, __shift);
}

__REPRISE_DEVICE__ int __mulhi(int __x, int __y) { return (int)((long long)__x * __y >> 32); }
__REPRISE_DEVICE__ unsigned __umulhi(unsigned __x, unsigned __y) {
  return (unsigned)((unsigned long long)__x * __y >> 32);
}
__REPRISE_DEVICE__ unsigned long long __umul64hi(unsigned long long __x, unsigned long long __y) {
  const unsigned long long __x0 = (unsigned)__x, __x1 = __x >> 32, __y0 = (unsigned)__y, __y1 = __y >> 32;
  const unsigned long long __low = __x0 * __y0, __mid0 = __x1 * __y0 + (__low >> 32);
  const unsigned long long __mid1 = __x0 * __y1 + (unsigned)__mid0;
  return __x1 * __y1 + (__mid0 >> 32) + (__mid1 >> 32);
}
__REPRISE_DEVICE__ long long __mul64hi(long long __x, long long __y) {
  return (long long)(__umul64hi((unsigned long long)__x, (unsigned long long)__y) -
                     (__x < 0 ? (unsigned long long)__y : 0) - (__y < 0 ? (unsigned long long)__x : 0));
}
__REPRISE_DEVICE__ int __mul24(int __x, int __y) {
  return (int)((unsigned)((int)((unsigned)__x << 8) >> 8) * (unsigned)((int)((unsigned)__y << 8) >> 8));
}
__REPRISE_DEVICE__ unsigned __umul24(unsigned __x, unsigned __y) { return (__x & 0xffffff) * (__y & 0xffffff); }

__REPRISE_DEVICE__ unsigned __sad(int __x, int __y, unsigned __z) {
  return (__x > __y ? (unsigned)__x - (unsigned)__y : (unsigned)__y - (unsigned)__x) + __z;
}
__REPRISE_DEVICE__ unsigned __usad(unsigned __x, unsigned __y, unsigned __z) {
  return (__x > __y ? __x - __y : __y - __x) + __z;
}
__REPRISE_DEVICE__ int __hadd(int __x, int __y) { return (int)(((long long)__x + __y) >> 1); }
__REPRISE_DEVICE__ int __rhadd(int __x, int __y) { return (int)(((long long)__x + __y + 1) >> 1); }
__REPRISE_DEVICE__ unsigned __uhadd(unsigned __x, unsigned __y) {
  return (unsigned)(((unsigned long long)__x + __y) >> 1);
}
__REPRISE_DEVICE__ unsigned __urhadd(unsigned __x, unsigned __y) {
  return (unsigned)(((unsigned long long)__x + __y + 1) >> 1);
}

// Dot products of the four bytes of two words (dp4a), or of two halves with two of the bytes (dp2a), added to c.
__REPRISE_DEVICE__ int __reprise_signed_byte(int __x, int __i) {
  return (int)(signed char)((unsigned)__x >> (8 * __i));
}
__REPRISE_DEVICE__ unsigned __reprise_byte(unsigned __x, int __i) { return __x >> (8 * __i) & 0xff; }

__REPRISE_DEVICE__ int __dp4a(int __a, int __b, int __c) {
  unsigned __sum = (unsigned)__c;
#pragma unroll
  for (int __i = 0; __i < 4; ++__i)
    __sum += (unsigned)(__reprise_signed_byte(__a, __i) * __reprise_signed_byte(__b, __i));
  return (int)__sum;
}
__REPRISE_DEVICE__ unsigned __dp4a(unsigned __a, unsigned __b, unsigned __c) {
#pragma unroll
  for (int __i = 0; __i < 4; ++__i) __c += __reprise_byte(__a, __i) * __reprise_byte(__b, __i);
  return __c;
}
__REPRISE_DEVICE__ int __dp4a(char4 __a, char4 __b, int __c) {
  return __dp4a(__reprise_bit_cast<int>(__a), __reprise_bit_cast<int>(__b), __c);
}
__REPRISE_DEVICE__ unsigned __dp4a(uchar4 __a, uchar4 __b, unsigned __c) {
  return __dp4a(__reprise_bit_cast<unsigned>(__a), __reprise_bit_cast<unsigned>(__b), __c);
}
__REPRISE_DEVICE__ int __reprise_dp2a(int __a, int __b, int __c, int __first_byte) {
  unsigned __sum = (unsigned)__c;
#pragma unroll
  for (int __i = 0; __i < 2; ++__i)
    __sum += (unsigned)((int)(short)((unsigned)__a >> (16 * __i)) * __reprise_signed_byte(__b, __first_byte + __i));
  return (int)__sum;
}
__REPRISE_DEVICE__ unsigned __reprise_dp2a(unsigned __a, unsigned __b, unsigned __c, int __first_byte) {
#pragma unroll
  for (int __i = 0; __i < 2; ++__i) __c += (__a >> (16 * __i) & 0xffff) * __reprise_byte(__b, __first_byte + __i);
  return __c;
}
__REPRISE_DEVICE__ int __dp2a_lo(int __a, int __b, int __c) { return __reprise_dp2a(__a, __b, __c, 0); }
__REPRISE_DEVICE__ int __dp2a_hi(int __a, int __b, int __c) { return __reprise_dp2a(__a, __b, __c, 2); }
__REPRISE_DEVICE__ unsigned __dp2a_lo(unsigned __a, unsigned __b, unsigned __c) {
  return __reprise_dp2a(__a, __b, __c, 0);
}
__REPRISE_DEVICE__ unsigned __dp2a_hi(unsigned __a, unsigned __b, unsigned __c) {
  return __reprise_dp2a(__a, __b, __c, 2);
}
__REPRISE_DEVICE__ int __dp2a_lo(short2 __a, char4 __b, int __c) {
  return __reprise_dp2a(__reprise_bit_cast<int>(__a), __reprise_bit_cast<int>(__b), __c, 0);
}
__REPRISE_DEVICE__ int __dp2a_hi(short2 __a, char4 __b, int __c) {
  return __reprise_dp2a(__reprise_bit_cast<int>(__a), __reprise_bit_cast<int>(__b), __c, 2);
}
__REPRISE_DEVICE__ unsigned __dp2a_lo(ushort2 __a, uchar4 __b, unsigned __c) {
  return __reprise_dp2a(__reprise_bit_cast<unsigned>(__a), __reprise_bit_cast<unsigned>(__b), __c, 0);
}
__REPRISE_DEVICE__ unsigned __dp2a_hi(ushort2 __a, uchar4 __b, unsigned __c) {
  return __reprise_dp2a(__reprise_bit_cast<unsigned>(__a), __reprise_bit_cast<unsigned>(__b), __c, 2);
}

#undef __REPRISE_DEVICE__
