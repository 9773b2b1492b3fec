// The C library functions other than maths that CUDA provides in device code: printf, malloc, memcpy and assert.
// before_standard_library.h declares them; clang turns printf into vprintf with its arguments packed in memory.
#pragma once

// Called by assert(). It is not extern "C" and takes the line as an int, so that it overloads the C library's function,
// which libcu++ declares again for host and device.
static __device__ __forceinline__ __attribute__((noreturn)) void __assert_fail(const char* __message,
                                                                               const char* __file, int __line,
                                                                               const char* __function) noexcept {
  __reprise_device_assert(__message, __file, static_cast<unsigned>(__line), __function);
}

// Functions that NVIDIA's compiler provides and that programs and libraries declare themselves, with differing types.
// So they have our names in C++ and NVIDIA's names as symbols; clang emits them where a symbol is referenced.
#define __REPRISE_SUPPLIED__ static __attribute__((device)) __inline__

__REPRISE_SUPPLIED__ void __reprise_assertfail(const void*, const void*, unsigned, const void*,
                                               size_t) __asm__("__assertfail");
__REPRISE_SUPPLIED__ void __reprise_assertfail(const void* __message, const void* __file, unsigned __line,
                                               const void* __function, size_t) {
  __reprise_device_assert((const char*)__message, (const char*)__file, __line, (const char*)__function);
}

__REPRISE_SUPPLIED__ void __reprise_assert_fail(const char*, const char*, unsigned,
                                                const char*) __asm__("__assert_fail");
__REPRISE_SUPPLIED__ void __reprise_assert_fail(const char* __message, const char* __file, unsigned __line,
                                                const char* __function) {
  __reprise_device_assert(__message, __file, __line, __function);
}

__REPRISE_SUPPLIED__ void __reprise_pure_virtual() __asm__("__cxa_pure_virtual");
__REPRISE_SUPPLIED__ void __reprise_pure_virtual() { __reprise_device_trap(); }

// A hint for the L2 cache.
// Users may declare it too; libcu++ calls it without.
extern "C" __attribute__((device)) void* __nv_associate_access_property(const void*, unsigned long long);
__REPRISE_SUPPLIED__ void* __reprise_associate_access_property(const void*, unsigned long long) __asm__(
    "__nv_associate_access_property");
__REPRISE_SUPPLIED__ void* __reprise_associate_access_property(const void* __p, unsigned long long) {
  return const_cast<void*>(__p);
}

// Called by clang for __builtin_hypot, which libcu++ uses.
__REPRISE_SUPPLIED__ double __reprise_hypot(double, double) __asm__("hypot");
__REPRISE_SUPPLIED__ double __reprise_hypot(double __x, double __y) { return __reprise_length(__x, __y); }
__REPRISE_SUPPLIED__ float __reprise_hypotf(float, float) __asm__("hypotf");
__REPRISE_SUPPLIED__ float __reprise_hypotf(float __x, float __y) { return __reprise_length_f(__x, __y); }

#undef __REPRISE_SUPPLIED__
