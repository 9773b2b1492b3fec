// Umbrella of the headers for device code, which cuda_runtime.h includes last when CUDA code is compiled.
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
// As in nvcc, host code has the C++ overloads in the global namespace: abs(double), sqrt(float), isnan(float).
#include <math.h>
#include <stdlib.h>

// clang's headers test the version macro of cuda.h; programs must not see it, as they test it for cuda.h itself.
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 13000

#include <__clang_cuda_libdevice_declares.h>

#include <reprise_cuda/device/builtins.h>

#include <reprise_cuda/device/builtin_variables.h>
#include <reprise_cuda/device/bits.h>
#include <reprise_cuda/device/integer_intrinsics.h>
#include <reprise_cuda/device/conversions.h>
#include <reprise_cuda/device/classification.h>
#include <reprise_cuda/device/elementary.h>

#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>

#pragma pop_macro("CUDA_VERSION")

#include <reprise_cuda/device/standard_functions.h>
#include <reprise_cuda/device/maths.h>
#include <reprise_cuda/device/minimum_maximum.h>
// Functions that clang calls for products and quotients of complex numbers (__muldc3 and the like).
#include <__clang_cuda_complex_builtins.h>
#include <reprise_cuda/device/host_maths.h>
#include <reprise_cuda/device/rounding.h>
#include <reprise_cuda/device/video.h>
#include <reprise_cuda/device/dynamic_programming.h>
#include <reprise_cuda/device/synchronization.h>
#include <reprise_cuda/device/warp.h>
#include <reprise_cuda/device/atomics.h>
#include <reprise_cuda/device/wide_atomics.h>
#include <reprise_cuda/device/memory_access.h>
#include <reprise_cuda/device/launch_control.h>
#include <reprise_cuda/device/clusters.h>
#include <reprise_cuda/device/textures.h>
#include <reprise_cuda/device/lambda_traits.h>

#endif  // __CUDA__
