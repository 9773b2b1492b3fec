/* The CUDA runtime, as C++ and CUDA C++ see it. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "host_defines.h"
#include "library_types.h"
#include "vector_functions.h"

#if defined(__CUDA__)
#include "reprise/api/call_configuration.h"
#if __has_include("reprise/device/device.h")
#include "reprise/device/device.h"
#endif
#endif

#endif /* __CUDA_RUNTIME_H__ */
