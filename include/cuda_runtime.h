/* The CUDA runtime, as C++ and CUDA C++ see it. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__)
#include "host_defines.h"
#include "reprise/device/before_standard_library.h"
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
#include "reprise/cpp/launch.h"
#include "reprise/cpp/memory.h"
#include "reprise/cpp/object.h"
#include "reprise/cpp/occupancy.h"
#endif

/* Kernels and device variables can be named where a CUDA compiler makes them. */
#if defined(__CUDACC__)
#include "reprise/cpp/function.h"
#include "reprise/cpp/symbol.h"
#endif

#if defined(__CUDA__)
#include "reprise/api/call_configuration.h"
#include "reprise/device/device.h"
#endif

#endif /* __CUDA_RUNTIME_H__ */
