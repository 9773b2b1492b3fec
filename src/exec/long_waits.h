// Looks at running work now and then, while threads wait or have nothing to do: work that takes very long is reported.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace reprise_runtime::exec {

// The time between two looks. Tests set a shorter one before the first wait.
inline std::atomic<int64_t> watch_period_ns = 10'000'000'000;

// If set, it is called at most once in a period, by a thread that waits or is idle.
inline std::atomic<void (*)()> watch = nullptr;

// Calls `watch` if a period has passed since the last call.
void watch_if_due();

}  // namespace reprise_runtime::exec
