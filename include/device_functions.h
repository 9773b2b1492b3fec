/* Intrinsics of device code: all of it comes with cuda_runtime.h. */
#ifndef __DEVICE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif /* __DEVICE_FUNCTIONS_H__ */
