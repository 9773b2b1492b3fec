// Errors are exceptions whose message names the operation and its arguments.
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

// A failed call of the CUDA API, with the error code that it returned.
class CudaError : public Error {
 public:
  CudaError(cudaError_t code, const std::string& what) : Error(what), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

// Throws an Error whose message is the parts, printed by operator<<.
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw Error(text.str());
}

// Throws unless `condition`. The parts are printed only if it throws.
template <class... Parts>
void check(bool condition, const Parts&... parts) {
  if (!condition) fail(parts...);
}

[[noreturn]] void fail_cuda(cudaError_t code, const char* asked);

// Throws a CudaError unless `code` is cudaSuccess. `asked` names what was attempted: "copying 12 bytes to the host".
inline void check_cuda(cudaError_t code, const char* asked) {
  if (code != cudaSuccess) fail_cuda(code, asked);
}

}  // namespace reprise
