// Clocks. now_ns() is the time that users see, in events and %globaltimer. ticks() is a cheap counter for the runtime's
// own decisions.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <cstdint>
#include <ctime>

namespace reprise_runtime {

inline uint64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

#if defined(__x86_64__)
inline uint64_t ticks() { return __builtin_ia32_rdtsc(); }
#else
inline uint64_t ticks() { return now_ns(); }
#endif

// Measured once, against now_ns().
double ns_per_tick();
inline double ticks_to_ns(uint64_t count) { return static_cast<double>(count) * ns_per_tick(); }

}  // namespace reprise_runtime
