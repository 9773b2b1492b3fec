/* Dot products of packed integers: all of it comes with cuda_runtime.h. */
#ifndef __SM_61_INTRINSICS_H__
#define __SM_61_INTRINSICS_H__

#include "cuda_runtime.h"

#endif /* __SM_61_INTRINSICS_H__ */
