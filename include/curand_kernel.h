// Random numbers made by kernels: cuRAND's generators XORWOW and Philox4_32_10 with the same numbers as on a GPU, and
// uniform, normal and log-normal distributions.
#pragma once

#include <cuda_runtime.h>
#include <curand.h>

#ifdef __CUDA__
#include <reprise/random/xorwow.h>
#include <reprise/random/philox.h>
#include <reprise/random/distributions.h>

typedef curandStateXORWOW_t curandState_t;
typedef curandStateXORWOW_t curandState;
#endif
