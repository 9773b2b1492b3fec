// The C library functions that CUDA gives device code beyond maths: printf, malloc, memcpy and assert. They are
// declared in before_standard_library.h; clang turns printf into vprintf with its arguments packed in memory.
#pragma once

extern "C" {
static __device__ __forceinline__ __attribute__((noreturn)) void __assert_fail(const char* __message,
                                                                               const char* __file, unsigned __line,
                                                                               const char* __function) noexcept {
  __reprise_device_assert(__message, __file, __line, __function);
}
}
static __device__ __forceinline__ void __assertfail(const char* __message, const char* __file, unsigned __line,
                                                    const char* __function, size_t) {
  __reprise_device_assert(__message, __file, __line, __function);
}
