// Included before any standard header when CUDA code is compiled. Device overloads have to be declared first, because a
// using-declaration in namespace std takes only the functions declared before it, and because a constexpr function
// without an earlier device overload would itself become one and exclude ours.
#pragma once

#ifdef __CUDA__

#include <__clang_cuda_math_forward_declares.h>

extern "C" {
__attribute__((device)) int printf(const char*, ...);
__attribute__((device, nothrow)) int vprintf(const char*, const char*);
__attribute__((device, nothrow, malloc)) void* malloc(__SIZE_TYPE__);
__attribute__((device, nothrow)) void free(void*);
__attribute__((device, nothrow)) void* memcpy(void*, const void*, __SIZE_TYPE__);
__attribute__((device, nothrow)) void* memmove(void*, const void*, __SIZE_TYPE__);
__attribute__((device, nothrow)) void* memset(void*, int, __SIZE_TYPE__);
__attribute__((device, nothrow)) int memcmp(const void*, const void*, __SIZE_TYPE__);
}

#endif  // __CUDA__
