// Calls every entry point that always fails according to docs/api.md, and compares the error.
//
//   refusals docs/api.md
//
// Arguments are zero: calls that check their arguments first, according to the page, may return another error.
#define CUDA_ENABLE_DEPRECATED
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <type_traits>

namespace {

// The name of the error that a call returns; empty for success.
std::string name_of(cudaError_t status) { return status == cudaSuccess ? "" : cudaGetErrorName(status); }
std::string name_of(CUresult result) {
  const char* name = "";
  return result == CUDA_SUCCESS || cuGetErrorName(result, &name) != CUDA_SUCCESS ? "" : name;
}

template <class R, class... P>
std::string with_zeros(R (*function)(P...)) {
  if constexpr (std::is_same_v<R, cudaError_t> || std::is_same_v<R, CUresult>) {
    return name_of(function(P{}...));
  } else {
    return "";
  }
}

// The types select the C function among C++ overloads.
#define CALL(result, name, types, ...) {#name, [] { return with_zeros(static_cast<result(*) types>(&name)); }},
const std::map<std::string, std::string (*)()> calls = {
#include "calls.inc"
};
#undef CALL

}  // namespace

int main(int count, char** arguments) {
  static_cast<void>(cudaSetDevice(0));  // calls of the driver API need a context
  std::ifstream page(count > 1 ? arguments[1] : "");
  int asked = 0, wrong = 0;
  for (std::string line; std::getline(page, line);) {
    // | `call` | `error`[, after a look at its arguments]: why |
    const size_t name = line.find("| `cu"), error = line.find("` | `");
    if (name != 0 || error == std::string::npos) continue;
    const std::string call = line.substr(3, error - 3);
    const std::string told = line.substr(error + 5, line.find('`', error + 5) - error - 5);
    const bool looks = line.find("`, after a look", error) != std::string::npos;
    const auto found = calls.find(call);
    ++asked;
    if (found == calls.end()) {
      std::printf("%s is in no header\n", call.c_str());
      ++wrong;
      continue;
    }
    const std::string answer = found->second();
    // The driver API leaves the runtime's last error as it is.
    const std::string kept = name_of(cudaGetLastError());
    const bool right =
        !answer.empty() && (answer == told || looks) && kept == (call.starts_with("cuda") ? answer : std::string());
    if (!right) {
      std::printf("%s answers '%s', keeps '%s', and the page says %s\n", call.c_str(), answer.c_str(), kept.c_str(),
                  told.c_str());
    }
    wrong += !right;
  }
  std::printf("%d calls asked, %d other than the page says\n", asked, wrong);
  return asked == 0 || wrong != 0;
}
