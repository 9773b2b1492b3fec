// How the runtime says why device code does not get what it asks for. A kernel seldom looks at the error, and cannot
// ask for the reason; so it goes to the log at once.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::graph {

// Why not: words for the log, or null when it is done.
using Refusal = const char*;

// "CALL in a kernel: WORDS; returns cudaErrorInvalidValue", which is also what it returns.
// A kernel that asks again and again is told of sixteen times, and then once a second.
[[gnu::cold, gnu::noinline, gnu::format(printf, 2, 3)]] cudaError_t refuse_device(const char* call, const char* format,
                                                                                  ...);
// For a call that returns nothing.
[[gnu::cold, gnu::noinline, gnu::format(printf, 2, 3)]] void warn_device(const char* call, const char* format, ...);

}  // namespace reprise_runtime::graph
