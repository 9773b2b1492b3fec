/* Cached loads and funnel shifts: all of it comes with cuda_runtime.h. */
#ifndef __SM_35_INTRINSICS_H__
#define __SM_35_INTRINSICS_H__

#include "cuda_runtime.h"

#endif /* __SM_35_INTRINSICS_H__ */
