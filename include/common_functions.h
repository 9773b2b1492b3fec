/* Functions that host and device share: all of it comes with cuda_runtime.h. */
#ifndef __COMMON_FUNCTIONS_H__
#define __COMMON_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif /* __COMMON_FUNCTIONS_H__ */
