// What goes wrong is an exception that says what was asked of what.
#pragma once

#include <cuda_runtime_api.h>

#include <sstream>
#include <stdexcept>
#include <string>

namespace reprise {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A call of the CUDA API that failed; `code` is what it returned.
class CudaError : public Error {
 public:
  CudaError(cudaError_t code, const std::string& what) : Error(what), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

// Throws an Error whose text is the parts, each as operator<< prints it.
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw Error(text.str());
}

// The parts are printed only when the condition does not hold.
template <class... Parts>
void check(bool condition, const Parts&... parts) {
  if (!condition) fail(parts...);
}

[[noreturn]] void fail_cuda(cudaError_t code, const char* asked);

// `asked` says what was asked for: "copying 12 bytes to the host".
inline void check_cuda(cudaError_t code, const char* asked) {
  if (code != cudaSuccess) fail_cuda(code, asked);
}

}  // namespace reprise
