// The services of the kernel ABI that end a kernel, and those of programmatic launch.
#include <cstdio>

#include "base/export.h"
#include "kernel/fault.h"

REPRISE_EXPORT void __reprise_trap(void) { reprise::kernel::leave_kernel(cudaErrorLaunchFailure); }

REPRISE_EXPORT void __reprise_assert_fail(const char* message, const char* file, uint32_t line, const char* function,
                                          const uint32_t* at) {
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
               function, at[0], at[1], at[2], at[3], at[4], at[5], message);
  reprise::kernel::leave_kernel(cudaErrorAssert);
}

// In a stream a kernel starts when the one before it has ended, so there is nothing left to trigger or to wait for.
REPRISE_EXPORT void __reprise_trigger_programmatic_launch(const reprise_launch*) {}
REPRISE_EXPORT void __reprise_grid_dependency_synchronize(const reprise_launch*) {}
