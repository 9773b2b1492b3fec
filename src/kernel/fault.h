// Faults in device code: __trap, a failed assert, a wild pointer. The thread leaves the kernel by a jump, which is safe
// because device code owns nothing that needs unwinding.
//
// Thread safety: frames belong to the thread that enters them; the signal handlers look at the faulting thread's own.
#pragma once

#include <driver_types.h>
#include <setjmp.h>

#include "kernel/kernel_abi.h"

namespace reprise_runtime::kernel {

// Where a fault on this thread goes. One that runs blocks on stacks of their own has a frame for each.
struct FaultFrame {
  jmp_buf target;
  cudaError_t error = cudaSuccess;
  const void* address = nullptr;  // that was touched, where that is what went wrong
  FaultFrame* outer = nullptr;
};

// Called with the address, on the thread that touched it: when it has left the kernel, or, for what is no kernel,
// before the process ends. One for the process.
void set_fault_reporter(void (*report)(const void* address));

// Runs the thunk; what stopped it, or cudaSuccess.
[[nodiscard]] cudaError_t run_guarded(reprise_thunk thunk, const void* params, const reprise_launch& launch);

// Leaves the kernel that the calling thread runs.
[[noreturn]] void leave_kernel(cudaError_t error);

// The innermost frame of the calling thread, for those who switch stacks.
FaultFrame* current_fault_frame();
void set_current_fault_frame(FaultFrame* frame);

}  // namespace reprise_runtime::kernel
