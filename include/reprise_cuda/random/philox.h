// Philox4x32-10: an encrypted counter. Each value of the counter gives four numbers; the upper half of the counter is
// the subsequence.
#pragma once

#include <reprise_cuda/random/states.h>

static __device__ inline uint4 curand_Philox4x32_10(uint4 __counter, uint2 __key) {
  for (int __round = 0; __round < 10; ++__round) {
    const unsigned long long __a = 0xD2511F53ull * __counter.x, __b = 0xCD9E8D57ull * __counter.z;
    __counter = make_uint4(static_cast<unsigned>(__b >> 32) ^ __counter.y ^ __key.x, static_cast<unsigned>(__b),
                           static_cast<unsigned>(__a >> 32) ^ __counter.w ^ __key.y, static_cast<unsigned>(__a));
    __key.x += 0x9E3779B9u;
    __key.y += 0xBB67AE85u;
  }
  return __counter;
}

// The counter as two halves of 64 bits.
static __device__ inline void __reprise_philox_advance(curandStatePhilox4_32_10_t* __state, unsigned long long __low,
                                                       unsigned long long __high) {
  uint4& __c = __state->ctr;
  const unsigned long long __before = static_cast<unsigned long long>(__c.y) << 32 | __c.x;
  const unsigned long long __after = __before + __low;
  const unsigned long long __upper =
      (static_cast<unsigned long long>(__c.w) << 32 | __c.z) + __high + (__after < __before);
  __c = make_uint4(static_cast<unsigned>(__after), static_cast<unsigned>(__after >> 32), static_cast<unsigned>(__upper),
                   static_cast<unsigned>(__upper >> 32));
  __state->output = curand_Philox4x32_10(__c, __state->key);
}

static __device__ inline void skipahead(unsigned long long __n, curandStatePhilox4_32_10_t* __state) {
  __state->STATE += static_cast<unsigned>(__n & 3);
  __reprise_philox_advance(__state, __n / 4 + __state->STATE / 4, 0);
  __state->STATE %= 4;
}
static __device__ inline void skipahead_sequence(unsigned long long __n, curandStatePhilox4_32_10_t* __state) {
  __reprise_philox_advance(__state, 0, __n);
}

static __device__ inline void curand_init(unsigned long long __seed, unsigned long long __subsequence,
                                          unsigned long long __offset, curandStatePhilox4_32_10_t* __state) {
  *__state = {};
  __state->key = make_uint2(static_cast<unsigned>(__seed), static_cast<unsigned>(__seed >> 32));
  skipahead_sequence(__subsequence, __state);
  skipahead(__offset, __state);
}

static __device__ inline unsigned int curand(curandStatePhilox4_32_10_t* __state) {
  const uint4& __o = __state->output;
  const unsigned __word = __state->STATE == 0   ? __o.x
                          : __state->STATE == 1 ? __o.y
                          : __state->STATE == 2 ? __o.z
                                                : __o.w;
  if (++__state->STATE == 4) {
    __state->STATE = 0;
    __reprise_philox_advance(__state, 1, 0);
  }
  return __word;
}

// Computes the next four numbers. The number of used ones stays the same.
static __device__ inline uint4 curand4(curandStatePhilox4_32_10_t* __state) {
  const uint4 __o = __state->output;
  __reprise_philox_advance(__state, 1, 0);
  const uint4& __next = __state->output;
  switch (__state->STATE) {
    case 0:
      return __o;
    case 1:
      return make_uint4(__o.y, __o.z, __o.w, __next.x);
    case 2:
      return make_uint4(__o.z, __o.w, __next.x, __next.y);
    default:
      return make_uint4(__o.w, __next.x, __next.y, __next.z);
  }
}
