#include <reprise/error.h>

#include <vector>

namespace reprise {
namespace {

// The reason for an error from CUDA's log, if there is one: the line "why" of the last message about `name`. It says,
// for example, which call invalidated a capture.
std::string why(const std::string& name) {
  std::vector<char> log(25600);
  std::size_t size = log.size();
  if (cudaLogsDumpToMemory(nullptr, log.data(), &size, 0) != cudaSuccess) return "";
  const std::string text(log.data(), size), mark = "\n  why: ";
  std::size_t at = text.rfind("returns " + name);
  if (at == std::string::npos) return "";
  const std::size_t next = text.find("\n[", at);
  at = text.find(mark, at);
  if (at == std::string::npos || at > next) return "";
  at += mark.size();
  return ": " + text.substr(at, text.find('\n', at) - at);
}

}  // namespace

void fail_cuda(cudaError_t code, const char* asked) {
  std::string text = std::string(asked) + ": " + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ")";
  if (code == cudaErrorStreamCaptureInvalidated) text += why(cudaGetErrorName(code));
  // Clears the last error, so that the next call does not report this failure.
  cudaGetLastError();
  throw CudaError(code, text);
}

}  // namespace reprise
