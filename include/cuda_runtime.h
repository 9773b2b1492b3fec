/* The CUDA runtime for C++ and CUDA C++. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__)
#include "host_defines.h"
#include "reprise_cuda/device/before_standard_library.h"
#endif

#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_device_runtime_api.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "host_defines.h"
#include "library_types.h"
#include "vector_functions.h"

#if defined(__cplusplus)
#include "reprise_cuda/cpp/launch.h"
#include "reprise_cuda/cpp/memory.h"
#include "reprise_cuda/cpp/object.h"
#include "reprise_cuda/cpp/occupancy.h"
#endif

/* Overloads that take kernels and device variables by name, which need a CUDA compiler. */
#if defined(__CUDACC__)
#include "reprise_cuda/cpp/function.h"
#include "reprise_cuda/cpp/symbol.h"
#endif

#if defined(__CUDA__)
#include "reprise_cuda/api/call_configuration.h"
#include "reprise_cuda/device/device.h"
#endif

#endif /* __CUDA_RUNTIME_H__ */
