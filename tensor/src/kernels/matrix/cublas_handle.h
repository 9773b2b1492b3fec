// This thread's cuBLAS handle, on the current stream.
#pragma once

#include <cublas_v2.h>
#include <reprise/memory.h>

namespace reprise::kernels {

// For the calls of one operation. The workspace comes from the tensors' own memory, so that within a capture it belongs
// to the graph: cuBLAS's own would be shared with whatever runs beside a replay.
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
