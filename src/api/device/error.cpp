// Error codes: the thread's last error, and the names and texts of codes.
#include <cuda_runtime_api.h>

#include "base/last_error.h"
#include "diagnose/error_text.h"

using namespace reprise_runtime;

extern "C" {

cudaError_t cudaGetLastError() { return take_last_error(); }
cudaError_t cudaPeekAtLastError() { return peek_last_error(); }

const char* cudaGetErrorName(cudaError_t error) { return diagnose::error_name(error); }
const char* cudaGetErrorString(cudaError_t error) { return diagnose::error_text(error); }
}
