// Explains a refused call from any layer: `return diagnose::refuse(cudaErrorInvalidValue, "the source %p is ...", p);`
//
// The reason is kept for the calling thread until the entry point returns the error and logs it under its own name. A
// call that succeeds costs nothing.
//
// Thread safety: every function may be called from any thread; each thread has one reason.
#pragma once

#include <driver_types.h>

#include <functional>
#include <string>

namespace reprise_runtime::diagnose {

// Returns `code`. The last reason before the return is logged.
[[gnu::cold, gnu::noinline, gnu::format(printf, 2, 3)]] cudaError_t refuse(cudaError_t code, const char* format, ...);

// Puts a subject before the reason kept for `code`: "node 3: ...". Returns `code`.
[[gnu::cold, gnu::noinline, gnu::format(printf, 2, 3)]] cudaError_t refuse_of(cudaError_t code, const char* format,
                                                                              ...);

// As refuse(), with further lines, each after a line break, which the log prints after the error. `on_logged`, if
// given, is called with the refused call and its arguments when they are known.
[[gnu::cold, gnu::noinline]] cudaError_t refuse_in_detail(cudaError_t code, std::string words, std::string details,
                                                          std::function<void(const std::string&)> on_logged = {});

// Whether refuse has left words for `code` on the calling thread; and those words.
[[nodiscard]] bool has_reason(cudaError_t code);
[[nodiscard]] std::string reason_of(cudaError_t code);

// Logs that `call` failed with `code`, with the words that refuse left for it, and its arguments where they are known.
[[gnu::cold, gnu::noinline]] void call_failed(const char* call, const std::string& arguments, cudaError_t code);

}  // namespace reprise_runtime::diagnose
