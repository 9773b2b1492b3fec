// The fault guard around device code: __trap, a failed assert or a wild pointer ends the kernel, not the process. The
// thread leaves the kernel by longjmp, which is safe because device code owns nothing that needs unwinding.
//
// Thread safety: a frame belongs to the thread that enters it; the signal handlers use the frame of the faulting
// thread.
#pragma once

#include <driver_types.h>
#include <setjmp.h>

#include "kernel/kernel_abi.h"

namespace reprise_runtime::kernel {

// Where a fault on this thread continues. A thread that runs blocks on stacks of their own has a frame for each.
struct FaultFrame {
  jmp_buf target;
  cudaError_t error = cudaSuccess;
  const void* address = nullptr;  // that was accessed, for faults of that kind
  FaultFrame* outer = nullptr;
};

// Sets the function that is called with a faulting address, on the thread that accessed it: after it has left the
// kernel, or, for host code, before the process ends. There is one for the process.
void set_fault_reporter(void (*report)(const void* address));

// Runs the thunk. Returns the error that stopped it, or cudaSuccess.
[[nodiscard]] cudaError_t run_guarded(reprise_thunk thunk, const void* params, const reprise_launch& launch);

// Ends the kernel that the calling thread runs.
[[noreturn]] void leave_kernel(cudaError_t error);

// The innermost frame of the calling thread, for code that switches stacks.
FaultFrame* current_fault_frame();
void set_current_fault_frame(FaultFrame* frame);

}  // namespace reprise_runtime::kernel
