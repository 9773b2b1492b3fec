// Calls every entry point that always fails according to docs/api.md, and compares the error.
//
//   refusals docs/api.md
//
// Arguments are zero: calls that check their arguments first, according to the page, may return another error.
#define CUDA_ENABLE_DEPRECATED
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <type_traits>

namespace {

template <class R, class... P>
cudaError_t with_zeros(R (*function)(P...)) {
  if constexpr (std::is_same_v<R, cudaError_t>) {
    return function(P{}...);
  } else {
    return cudaSuccess;
  }
}

// The types select the C function among C++ overloads.
#define CALL(result, name, types, ...) {#name, [] { return with_zeros(static_cast<result(*) types>(&name)); }},
const std::map<std::string, cudaError_t (*)()> calls = {
#include "calls.inc"
};
#undef CALL

}  // namespace

int main(int count, char** arguments) {
  std::ifstream page(count > 1 ? arguments[1] : "");
  int asked = 0, wrong = 0;
  for (std::string line; std::getline(page, line);) {
    // | `call` | `error`[, after a look at its arguments]: why |
    const size_t name = line.find("| `cuda"), error = line.find("` | `cudaError");
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
    const cudaError_t status = found->second();
    const bool right =
        status == cudaGetLastError() && status != cudaSuccess && (told == cudaGetErrorName(status) || looks);
    if (!right)
      std::printf("%s answers %s, and the page says %s\n", call.c_str(), cudaGetErrorName(status), told.c_str());
    wrong += !right;
  }
  std::printf("%d calls asked, %d other than the page says\n", asked, wrong);
  return asked == 0 || wrong != 0;
}
