// clock64() and %globaltimer.
#include <time.h>
#include <x86intrin.h>

#include "base/export.h"
#include "kernel/kernel_abi.h"

REPRISE_EXPORT uint64_t __reprise_clock(void) { return __rdtsc(); }

REPRISE_EXPORT uint64_t __reprise_globaltimer(void) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}
