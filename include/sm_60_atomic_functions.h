/* Atomic functions: all of it comes with cuda_runtime.h. */
#ifndef __SM_60_ATOMIC_FUNCTIONS_H__
#define __SM_60_ATOMIC_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif /* __SM_60_ATOMIC_FUNCTIONS_H__ */
