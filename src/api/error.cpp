// Error codes: the thread's last one, names and words.
#include <cuda_runtime_api.h>

#include "base/last_error.h"
#include "diagnose/error_text.h"

using namespace reprise;

extern "C" {

// After a fault in a kernel the device's error is there again however often it is taken.
cudaError_t cudaGetLastError() {
  const cudaError_t last = take_last_error();
  const cudaError_t sticky = sticky_error(current_device());
  return sticky != cudaSuccess ? sticky : last;
}

cudaError_t cudaPeekAtLastError() {
  const cudaError_t sticky = sticky_error(current_device());
  return sticky != cudaSuccess ? sticky : peek_last_error();
}

const char* cudaGetErrorName(cudaError_t error) { return diagnose::error_name(error); }
const char* cudaGetErrorString(cudaError_t error) { return diagnose::error_text(error); }

}
