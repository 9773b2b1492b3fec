// Warp operations: shuffles, votes, match and reduce.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

__REPRISE_DEVICE__ void __syncwarp(unsigned __mask = 0xffffffffu) { __reprise_warp_sync(__mask); }
__REPRISE_DEVICE__ unsigned __activemask() { return __reprise_activemask(); }

// ---- votes ----
__REPRISE_DEVICE__ unsigned __ballot_sync(unsigned __mask, int __predicate) {
  return __reprise_ballot(__mask, __predicate);
}
__REPRISE_DEVICE__ int __any_sync(unsigned __mask, int __predicate) {
  return __reprise_ballot(__mask, __predicate) != 0;
}
__REPRISE_DEVICE__ int __all_sync(unsigned __mask, int __predicate) {
  return __reprise_ballot(__mask, !__predicate) == 0;
}
__REPRISE_DEVICE__ int __uni_sync(unsigned __mask, int __predicate) {
  const unsigned __votes = __reprise_ballot(__mask, __predicate);
  return __votes == 0 || __reprise_ballot(__mask, !__predicate) == 0;
}

// ---- shuffles ----
template <class __T, int __size = sizeof(__T)>
struct __reprise_shuffled;

template <class __T>
struct __reprise_shuffled<__T, 4> {
  __REPRISE_DEVICE__ __T __move(int __mode, unsigned __mask, __T __value, unsigned __lane_or_delta, int __width) {
    return __reprise_bit_cast<__T>(
        __reprise_shfl32(__mode, __mask, __reprise_bit_cast<unsigned>(__value), __lane_or_delta, __width));
  }
};
template <class __T>
struct __reprise_shuffled<__T, 8> {
  __REPRISE_DEVICE__ __T __move(int __mode, unsigned __mask, __T __value, unsigned __lane_or_delta, int __width) {
    return __reprise_bit_cast<__T>(
        __reprise_shfl64(__mode, __mask, __reprise_bit_cast<unsigned long long>(__value), __lane_or_delta, __width));
  }
};
template <class __T>
struct __reprise_shuffled<__T, 2> {
  __REPRISE_DEVICE__ __T __move(int __mode, unsigned __mask, __T __value, unsigned __lane_or_delta, int __width) {
    return __reprise_bit_cast<__T>((unsigned short)__reprise_shfl32(
        __mode, __mask, __reprise_bit_cast<unsigned short>(__value), __lane_or_delta, __width));
  }
};

#define __REPRISE_SHUFFLES__(T)                                                                             \
  __REPRISE_DEVICE__ T __shfl_sync(unsigned __mask, T __value, int __lane, int __width = warpSize) {        \
    return __reprise_shuffled<T>::__move(0, __mask, __value, (unsigned)__lane, __width);                    \
  }                                                                                                         \
  __REPRISE_DEVICE__ T __shfl_up_sync(unsigned __mask, T __value, unsigned __d, int __width = warpSize) {   \
    return __reprise_shuffled<T>::__move(1, __mask, __value, __d, __width);                                 \
  }                                                                                                         \
  __REPRISE_DEVICE__ T __shfl_down_sync(unsigned __mask, T __value, unsigned __d, int __width = warpSize) { \
    return __reprise_shuffled<T>::__move(2, __mask, __value, __d, __width);                                 \
  }                                                                                                         \
  __REPRISE_DEVICE__ T __shfl_xor_sync(unsigned __mask, T __value, int __lanes, int __width = warpSize) {   \
    return __reprise_shuffled<T>::__move(3, __mask, __value, (unsigned)__lanes, __width);                   \
  }
__REPRISE_SHUFFLES__(int)
__REPRISE_SHUFFLES__(unsigned)
__REPRISE_SHUFFLES__(long)
__REPRISE_SHUFFLES__(unsigned long)
__REPRISE_SHUFFLES__(long long)
__REPRISE_SHUFFLES__(unsigned long long)
__REPRISE_SHUFFLES__(float)
__REPRISE_SHUFFLES__(double)

// ---- match ----
#define __REPRISE_MATCH__(T, Bits, size)                                                       \
  __REPRISE_DEVICE__ unsigned __match_any_sync(unsigned __mask, T __value) {                   \
    return __reprise_match_any##size(__mask, __reprise_bit_cast<Bits>(__value));               \
  }                                                                                            \
  __REPRISE_DEVICE__ unsigned __match_all_sync(unsigned __mask, T __value, int* __all_equal) { \
    return __reprise_match_all##size(__mask, __reprise_bit_cast<Bits>(__value), __all_equal);  \
  }
__REPRISE_MATCH__(int, unsigned, 32)
__REPRISE_MATCH__(unsigned, unsigned, 32)
__REPRISE_MATCH__(float, unsigned, 32)
__REPRISE_MATCH__(long, unsigned long long, 64)
__REPRISE_MATCH__(unsigned long, unsigned long long, 64)
__REPRISE_MATCH__(long long, unsigned long long, 64)
__REPRISE_MATCH__(unsigned long long, unsigned long long, 64)
__REPRISE_MATCH__(double, unsigned long long, 64)
#undef __REPRISE_MATCH__

// ---- reduce ----
__REPRISE_DEVICE__ unsigned __reduce_add_sync(unsigned __mask, unsigned __value) {
  return __reprise_reduce32(0, __mask, __value);
}
__REPRISE_DEVICE__ int __reduce_add_sync(unsigned __mask, int __value) {
  return (int)__reprise_reduce32(0, __mask, (unsigned)__value);
}
__REPRISE_DEVICE__ int __reduce_min_sync(unsigned __mask, int __value) {
  return (int)__reprise_reduce32(1, __mask, (unsigned)__value);
}
__REPRISE_DEVICE__ int __reduce_max_sync(unsigned __mask, int __value) {
  return (int)__reprise_reduce32(2, __mask, (unsigned)__value);
}
__REPRISE_DEVICE__ unsigned __reduce_min_sync(unsigned __mask, unsigned __value) {
  return __reprise_reduce32(3, __mask, __value);
}
__REPRISE_DEVICE__ unsigned __reduce_max_sync(unsigned __mask, unsigned __value) {
  return __reprise_reduce32(4, __mask, __value);
}
__REPRISE_DEVICE__ unsigned __reduce_and_sync(unsigned __mask, unsigned __value) {
  return __reprise_reduce32(5, __mask, __value);
}
__REPRISE_DEVICE__ unsigned __reduce_or_sync(unsigned __mask, unsigned __value) {
  return __reprise_reduce32(6, __mask, __value);
}
__REPRISE_DEVICE__ unsigned __reduce_xor_sync(unsigned __mask, unsigned __value) {
  return __reprise_reduce32(7, __mask, __value);
}

#undef __REPRISE_SHUFFLES__
#undef __REPRISE_DEVICE__
