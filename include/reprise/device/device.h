// What device code sees: the umbrella that cuda_runtime.h includes last when CUDA code is compiled.
#pragma once

#ifdef __CUDA__

#include <cmath>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <new>

// clang's headers ask for the version that cuda.h would define; programs that test whether cuda.h came must not see it.
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 13000

#include <__clang_cuda_libdevice_declares.h>

#include <reprise/device/markers.h>

#include <reprise/device/builtin_variables.h>
#include <reprise/device/bits.h>
#include <reprise/device/integer_intrinsics.h>
#include <reprise/device/conversions.h>
#include <reprise/device/classification.h>
#include <reprise/device/elementary.h>

#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>

#pragma pop_macro("CUDA_VERSION")

#include <reprise/device/standard_functions.h>
#include <reprise/device/maths.h>
#include <reprise/device/minimum_maximum.h>
// What clang calls for products and quotients of complex numbers (__muldc3 and its kin).
#include <__clang_cuda_complex_builtins.h>
#include <reprise/device/host_maths.h>
#include <reprise/device/rounding.h>
#include <reprise/device/video.h>
#include <reprise/device/dynamic_programming.h>
#include <reprise/device/synchronization.h>
#include <reprise/device/warp.h>
#include <reprise/device/atomics.h>
#include <reprise/device/wide_atomics.h>
#include <reprise/device/memory_access.h>
#include <reprise/device/launch_control.h>
#include <reprise/device/clusters.h>
#include <reprise/device/textures.h>

#endif  // __CUDA__
