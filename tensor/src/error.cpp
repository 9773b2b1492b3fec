#include <reprise/error.h>

namespace reprise {

void fail_cuda(cudaError_t code, const char* asked) {
  // The next call must not find this failure as the last error.
  cudaGetLastError();
  throw CudaError(code, std::string(asked) + ": " + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ")");
}

}  // namespace reprise
