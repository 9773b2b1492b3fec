// Services of the kernel ABI that end a kernel.
#include <cstdio>

#include "base/export.h"
#include "kernel/fault.h"

REPRISE_EXPORT void __reprise_trap(void) { reprise_runtime::kernel::leave_kernel(cudaErrorLaunchFailure); }

REPRISE_EXPORT void __reprise_assert_fail(const char* message, const char* file, uint32_t line, const char* function,
                                          const uint32_t* at) {
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
               function, at[0], at[1], at[2], at[3], at[4], at[5], message);
  reprise_runtime::kernel::leave_kernel(cudaErrorAssert);
}
