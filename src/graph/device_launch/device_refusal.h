// Errors of calls in device code. A kernel seldom checks the error and cannot query the reason, so the reason is
// written to the log at once.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::graph {

// The reason of a failure, for the log; null for success.
using Refusal = const char*;

// Logs "CALL in a kernel: REASON; returns cudaErrorInvalidValue" and returns that error. After sixteen messages only
// one a second is logged.
[[gnu::cold, gnu::noinline, gnu::format(printf, 2, 3)]] cudaError_t refuse_device(const char* call, const char* format,
                                                                                  ...);
// For a call that returns nothing.
[[gnu::cold, gnu::noinline, gnu::format(printf, 2, 3)]] void warn_device(const char* call, const char* format, ...);

}  // namespace reprise_runtime::graph
