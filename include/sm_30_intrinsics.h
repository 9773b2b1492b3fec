/* Shuffles and the like: all of it comes with cuda_runtime.h. */
#ifndef __SM_30_INTRINSICS_H__
#define __SM_30_INTRINSICS_H__

#include "cuda_runtime.h"

#endif /* __SM_30_INTRINSICS_H__ */
