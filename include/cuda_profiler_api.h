/* Marks the part of a program that a profiler records. */
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__

#include "reprise_cuda/api/profiler.h"

#endif /* __CUDA_PROFILER_API_H__ */
