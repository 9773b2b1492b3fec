// Random numbers in kernels: cuRAND's generators XORWOW and Philox4_32_10, which give the same numbers as on a GPU, and
// uniform, normal and log-normal distributions. Host code gets only the types of the states.
#pragma once

#include <cuda_runtime.h>
#include <curand.h>

#include <reprise_cuda/random/states.h>
#ifdef __CUDA__
#include <reprise_cuda/random/xorwow.h>
#include <reprise_cuda/random/philox.h>
#include <reprise_cuda/random/distributions.h>
#endif
