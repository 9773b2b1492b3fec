// Random numbers made by kernels: cuRAND's generators XORWOW and Philox4_32_10 with the same numbers as on a GPU, and
// uniform, normal and log-normal distributions. Host code has the types of the states alone.
#pragma once

#include <cuda_runtime.h>
#include <curand.h>

#include <reprise_cuda/random/states.h>
#ifdef __CUDA__
#include <reprise_cuda/random/xorwow.h>
#include <reprise_cuda/random/philox.h>
#include <reprise_cuda/random/distributions.h>
#endif
