// How any layer says why it refuses a call: `return diagnose::refuse(cudaErrorInvalidValue, "the source %p is ...",
// p);`
//
// The words wait, on the calling thread, for the entry point that returns the error; it puts them into the log
// under its name. A call that succeeds costs nothing.
#pragma once

#include <driver_types.h>

#include <functional>
#include <string>

namespace reprise_runtime::diagnose {

// Returns `code`. What is said last is what is logged.
[[gnu::cold, gnu::noinline, gnu::format(printf, 2, 3)]] cudaError_t refuse(cudaError_t code, const char* format, ...);

// Says of what the words are that wait for `code`: what is told goes before them. Returns `code`.
[[gnu::cold, gnu::noinline, gnu::format(printf, 2, 3)]] cudaError_t refuse_of(cudaError_t code, const char* format,
                                                                              ...);

// As refuse, with further lines, each after a line break, for the log to have behind the error.
// `told`, if there is one, is called with the refused call and its arguments as soon as these are known.
[[gnu::cold, gnu::noinline]] cudaError_t refuse_in_detail(cudaError_t code, std::string words, std::string details,
                                                          std::function<void(const std::string&)> told = {});

// Whether refuse has left words for `code` on the calling thread; and those words.
[[nodiscard]] bool has_reason(cudaError_t code);
[[nodiscard]] std::string reason_of(cudaError_t code);

// Logs that `call` failed with `code`, with the words that refuse left for it, and its arguments where they are known.
[[gnu::cold, gnu::noinline]] void call_failed(const char* call, const std::string& arguments, cudaError_t code);

}  // namespace reprise_runtime::diagnose
