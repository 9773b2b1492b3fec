// The cuBLAS handle of this thread, on the current stream.
#pragma once

#include <cublas_v2.h>
#include <reprise/memory.h>

namespace reprise::kernels {

// Used for the calls of one operation. It allocates the workspace like a tensor, so that in a capture it belongs to the
// graph; the handle's default workspace would be shared with work that runs concurrently with a replay.
class CublasCall {
 public:
  CublasCall();
  cublasHandle_t handle() const { return handle_; }

 private:
  cublasHandle_t handle_;
  std::shared_ptr<Memory> workspace_;
};

void check_cublas(cublasStatus_t status, const char* operation);

}  // namespace reprise::kernels
