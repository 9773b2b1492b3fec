/* Double-precision intrinsics: all of it comes with cuda_runtime.h. */
#ifndef __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif /* __DEVICE_DOUBLE_FUNCTIONS_H__ */
