// The state behind a cublasHandle_t. As in NVIDIA's library, only one thread at a time may use a handle; calls with
// different handles are independent.
#pragma once

#include <cublas_v2.h>

struct cublasContext {
  static constexpr unsigned long long alive = 0x7265707269736562;

  unsigned long long state = alive;
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  int multiprocessors_asked = 0;
  int cores = 1;

  bool scalars_on_host() const { return pointer_mode == CUBLAS_POINTER_MODE_HOST; }
};

namespace reprise_cublas {

inline bool usable(cublasHandle_t handle) { return handle && handle->state == cublasContext::alive; }

}  // namespace reprise_cublas
