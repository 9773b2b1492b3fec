// Services of the kernel ABI that end a kernel.
#include "kernel/traps.h"

#include <algorithm>
#include <cstdio>

#include "base/export.h"
#include "kernel/fault.h"

namespace reprise_runtime::kernel {
namespace {

// The state of device code that calls the runtime, whose frame and return address are given. The caller's frame pointer
// is what that frame saved.
FaultState state_at_call(const void* frame, const void* return_address) {
  FaultState state = {};
  state.registers[FaultState::instruction_pointer] = reinterpret_cast<uintptr_t>(return_address) - 1;
  state.registers[FaultState::stack_pointer] = reinterpret_cast<uintptr_t>(frame) + 2 * sizeof(void*);
  state.registers[FaultState::frame_pointer] = *static_cast<const uintptr_t*>(frame);
  return state;
}

}  // namespace

void trap_because(const char* reason) {
  FaultState state = {};
  state.reason = reason;
  leave_kernel(cudaErrorLaunchFailure, state);
}

}  // namespace reprise_runtime::kernel

using namespace reprise_runtime::kernel;

REPRISE_EXPORT void __reprise_trap(void) {
  leave_kernel(cudaErrorLaunchFailure, state_at_call(__builtin_frame_address(0), __builtin_return_address(0)));
}

REPRISE_EXPORT void __reprise_assert_fail(const char* message, const char* file, uint32_t line, const char* function,
                                          const uint32_t* at) {
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
               function, at[0], at[1], at[2], at[3], at[4], at[5], message);
  FaultState state = state_at_call(__builtin_frame_address(0), __builtin_return_address(0));
  state.knows_thread = true;
  std::copy_n(at, 3, state.block);
  std::copy_n(at + 3, 3, state.thread);
  leave_kernel(cudaErrorAssert, state);
}
