// Atomic exchange and compare-and-swap of 16 bytes, of any type of that size and alignment.
#pragma once

// In the runtime: stores `desired` if the old value equals `*expected`, and stores the old value into `*expected`.
extern "C" __attribute__((device, nothrow)) bool __reprise_compare_exchange_16(void* __address, void* __expected,
                                                                               const void* __desired);

template <class __T, bool __of_16_bytes = sizeof(__T) == 16 && alignof(__T) >= 16>
struct __reprise_if_of_16_bytes {};
template <class __T>
struct __reprise_if_of_16_bytes<__T, true> {
  using type = __T;
};

#define __REPRISE_WIDE_ATOMICS__(scope)                                                                           \
  template <class __T>                                                                                            \
  static __device__ __forceinline__                                                                               \
      typename __reprise_if_of_16_bytes<__T>::type atomicCAS##scope(__T* __address, __T __compare, __T __value) { \
    __reprise_compare_exchange_16(__address, &__compare, &__value);                                               \
    return __compare;                                                                                             \
  }                                                                                                               \
  template <class __T>                                                                                            \
  static __device__ __forceinline__                                                                               \
      typename __reprise_if_of_16_bytes<__T>::type atomicExch##scope(__T* __address, __T __value) {               \
    __T __seen = *__address;                                                                                      \
    while (!__reprise_compare_exchange_16(__address, &__seen, &__value)) {                                        \
    }                                                                                                             \
    return __seen;                                                                                                \
  }
__REPRISE_WIDE_ATOMICS__()
__REPRISE_WIDE_ATOMICS__(_block)
__REPRISE_WIDE_ATOMICS__(_system)
#undef __REPRISE_WIDE_ATOMICS__
