// Marsaglia's XORWOW: five words shifted against each other, and a sum. Subsequences are 2^67 numbers apart.
#pragma once

#include <reprise_cuda/random/states.h>

// Advances the five words by `times` * 2^level steps: src/device/xorwow.cpp.
extern "C" __device__ void __reprise_xorwow_skip(unsigned* __words, unsigned long long __times,
                                                 unsigned __level) noexcept;

static __device__ __forceinline__ unsigned int curand(curandStateXORWOW_t* __state) {
  const unsigned __first = __state->v[0] ^ (__state->v[0] >> 2), __last = __state->v[4];
  __state->v[0] = __state->v[1];
  __state->v[1] = __state->v[2];
  __state->v[2] = __state->v[3];
  __state->v[3] = __last;
  __state->v[4] = (__last ^ (__last << 4)) ^ (__first ^ (__first << 1));
  __state->d += 362437;  // Marsaglia's step of the sum
  return __state->v[4] + __state->d;
}

static __device__ inline void skipahead(unsigned long long __n, curandStateXORWOW_t* __state) {
  if (__n == 0) return;
  __reprise_xorwow_skip(__state->v, __n, 0);
  __state->d += 362437 * static_cast<unsigned>(__n);
}
// The sum is periodic in 2^67 steps.
static __device__ inline void skipahead_sequence(unsigned long long __n, curandStateXORWOW_t* __state) {
  if (__n != 0) __reprise_xorwow_skip(__state->v, __n, 67);
}

// Marsaglia's initial words, changed by the seed. The constants are cuRAND's, so that a seed gives the same numbers as
// on a GPU.
static __device__ inline void curand_init(unsigned long long __seed, unsigned long long __subsequence,
                                          unsigned long long __offset, curandStateXORWOW_t* __state) {
  const unsigned __low = 1099087573u * (static_cast<unsigned>(__seed) ^ 0xaad26b49u);
  const unsigned __high = 2591861531u * (static_cast<unsigned>(__seed >> 32) ^ 0xf7dcefddu);
  *__state = {6615241u + __high + __low,
              {123456789u + __low, 362436069u ^ __low, 521288629u + __high, 88675123u ^ __high, 5783321u + __low},
              0,
              0,
              0,
              0};
  skipahead_sequence(__subsequence, __state);
  skipahead(__offset, __state);
}
