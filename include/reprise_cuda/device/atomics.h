// Atomic functions. They are relaxed, as in CUDA. The scopes _block and _system are the same operation, because a CPU's
// atomic operations are visible to every thread of the process.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

// Each CUDA atomic comes in three scopes: define `name`, `name_block` and `name_system` at once.
#define __REPRISE_ATOMIC1__(name, T, expression)                                    \
  __REPRISE_DEVICE__ T name(T* __address, T __value) { return expression; }         \
  __REPRISE_DEVICE__ T name##_block(T* __address, T __value) { return expression; } \
  __REPRISE_DEVICE__ T name##_system(T* __address, T __value) { return expression; }

#define __REPRISE_RELAXED__(operation) __atomic_##operation(__address, __value, __ATOMIC_RELAXED)

#define __REPRISE_INTEGER_ATOMICS__(T)                              \
  __REPRISE_ATOMIC1__(atomicAdd, T, __REPRISE_RELAXED__(fetch_add)) \
  __REPRISE_ATOMIC1__(atomicSub, T, __REPRISE_RELAXED__(fetch_sub)) \
  __REPRISE_ATOMIC1__(atomicMin, T, __REPRISE_RELAXED__(fetch_min)) \
  __REPRISE_ATOMIC1__(atomicMax, T, __REPRISE_RELAXED__(fetch_max)) \
  __REPRISE_ATOMIC1__(atomicAnd, T, __REPRISE_RELAXED__(fetch_and)) \
  __REPRISE_ATOMIC1__(atomicOr, T, __REPRISE_RELAXED__(fetch_or))   \
  __REPRISE_ATOMIC1__(atomicXor, T, __REPRISE_RELAXED__(fetch_xor)) \
  __REPRISE_ATOMIC1__(atomicExch, T, __REPRISE_RELAXED__(exchange_n))
__REPRISE_INTEGER_ATOMICS__(int)
__REPRISE_INTEGER_ATOMICS__(unsigned)
__REPRISE_INTEGER_ATOMICS__(unsigned long long)
#undef __REPRISE_INTEGER_ATOMICS__

__REPRISE_ATOMIC1__(atomicMin, long long, __REPRISE_RELAXED__(fetch_min))
__REPRISE_ATOMIC1__(atomicMax, long long, __REPRISE_RELAXED__(fetch_max))
__REPRISE_ATOMIC1__(atomicAnd, long long, __REPRISE_RELAXED__(fetch_and))
__REPRISE_ATOMIC1__(atomicOr, long long, __REPRISE_RELAXED__(fetch_or))
__REPRISE_ATOMIC1__(atomicXor, long long, __REPRISE_RELAXED__(fetch_xor))
__REPRISE_ATOMIC1__(atomicAdd, float, __REPRISE_RELAXED__(fetch_add))
__REPRISE_ATOMIC1__(atomicAdd, double, __REPRISE_RELAXED__(fetch_add))
__REPRISE_ATOMIC1__(atomicExch, float,
                    __reprise_bit_cast<float>(__atomic_exchange_n((unsigned*)__address,
                                                                  __reprise_bit_cast<unsigned>(__value),
                                                                  __ATOMIC_RELAXED)))

// ---- compare and swap ----
template <class __T>
__REPRISE_DEVICE__ __T __reprise_compare_and_swap(__T* __address, __T __expected, __T __desired) {
  __atomic_compare_exchange_n(__address, &__expected, __desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return __expected;
}
#define __REPRISE_COMPARE_AND_SWAP__(T)                                         \
  __REPRISE_DEVICE__ T atomicCAS(T* __address, T __compare, T __value) {        \
    return __reprise_compare_and_swap(__address, __compare, __value);           \
  }                                                                             \
  __REPRISE_DEVICE__ T atomicCAS_block(T* __address, T __compare, T __value) {  \
    return __reprise_compare_and_swap(__address, __compare, __value);           \
  }                                                                             \
  __REPRISE_DEVICE__ T atomicCAS_system(T* __address, T __compare, T __value) { \
    return __reprise_compare_and_swap(__address, __compare, __value);           \
  }
__REPRISE_COMPARE_AND_SWAP__(int)
__REPRISE_COMPARE_AND_SWAP__(unsigned)
__REPRISE_COMPARE_AND_SWAP__(unsigned long long)
__REPRISE_COMPARE_AND_SWAP__(unsigned short)
#undef __REPRISE_COMPARE_AND_SWAP__

// ---- increment and decrement that wrap at a bound ----
__REPRISE_DEVICE__ unsigned __reprise_increment_wrapping(unsigned* __address, unsigned __bound) {
  unsigned __old = __atomic_load_n(__address, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(__address, &__old, __old >= __bound ? 0u : __old + 1, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
  return __old;
}
__REPRISE_DEVICE__ unsigned __reprise_decrement_wrapping(unsigned* __address, unsigned __bound) {
  unsigned __old = __atomic_load_n(__address, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(__address, &__old, __old == 0 || __old > __bound ? __bound : __old - 1, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return __old;
}
__REPRISE_ATOMIC1__(atomicInc, unsigned, __reprise_increment_wrapping(__address, __value))
__REPRISE_ATOMIC1__(atomicDec, unsigned, __reprise_decrement_wrapping(__address, __value))

#undef __REPRISE_RELAXED__
#undef __REPRISE_ATOMIC1__
#undef __REPRISE_DEVICE__
