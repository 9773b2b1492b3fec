// The fault guard around device code: __trap, a failed assert or a wild pointer ends the kernel, not the process. The
// thread leaves the kernel by longjmp, which is safe because device code owns nothing that needs unwinding.
//
// Thread safety: a frame belongs to the thread that enters it; the signal handlers use the frame of the faulting
// thread.
#pragma once

#include <driver_types.h>
#include <setjmp.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kernel/kernel_abi.h"

namespace reprise_runtime::kernel {

// A kernel that runs under a guard.
struct GuardedKernel {
  reprise_thunk thunk = nullptr;
  const void* params = nullptr;
  const reprise_launch* launch = nullptr;
};

// Several kernels that run one after the other under one guard. The owner says which of them runs.
struct GuardedBatch {
  GuardedKernel (*running)(const GuardedBatch& batch);
};

// The processor at the moment of a fault.
struct FaultState {
  static constexpr unsigned register_count = 17;  // in DWARF's order: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8, ...
  static constexpr unsigned frame_pointer = 6, stack_pointer = 7, instruction_pointer = 16;

  int signal;          // 0: the code called the runtime
  bool knows_address;  // of the access
  bool writes;
  const void* address;
  uintptr_t registers[register_count];
  bool knows_thread;  // a failed assertion tells it
  uint32_t block[3], thread[3];
  const char* reason;  // that the runtime has given; null: none
  // A copy of the faulting stack from the stack pointer on. It is made at once, since the report runs on that stack.
  const char* stack;
  size_t stack_bytes;
};

// Where a fault on this thread continues. A thread that runs blocks on stacks of their own has a frame for each.
struct FaultFrame {
  jmp_buf target;
  cudaError_t error = cudaSuccess;
  GuardedKernel kernel;
  const GuardedBatch* batch;  // null: the guard is for `kernel` alone
  FaultFrame* outer = nullptr;
  FaultState state;  // set by a fault

  GuardedKernel running() const { return batch ? batch->running(*batch) : kernel; }
};

// Set the functions that are called after a fault, on the thread that faulted. There is one of each for the process.
//
// Called with the address of every wild access, after the thread has left the kernel, or, for host code, before the
// process ends.
void set_memory_fault_reporter(void (*report)(const void* address));
// Called after the thread has left a kernel; and before a wild access of host code ends the process.
void set_fault_reporter(void (*of_kernel)(const FaultFrame& frame),
                        void (*of_host_code)(const void* address, const void* instruction));

// Finds the thread that runs on the stack at `stack_pointer` as a fiber, and its block. Set by device/fibers.cpp, null
// in programs without fibers.
inline std::atomic<bool (*)(const void* stack_pointer, uint32_t (&block)[3], uint32_t (&thread)[3])>
    find_running_fiber = nullptr;

// Runs the thunk. Returns the error that stopped it, or cudaSuccess. `batch` says that the thunk runs several kernels.
[[nodiscard]] cudaError_t run_guarded(reprise_thunk thunk, const void* params, const reprise_launch& launch,
                                      const GuardedBatch* batch = nullptr);

// Ends the kernel that the calling thread runs. `state` is copied.
[[noreturn]] void leave_kernel(cudaError_t error, const FaultState& state);

// Calls visit(thread, entries, thunk) for every thread that is inside a guard: `entries` counts the guards that it has
// entered so far. The thunk may just have ended; null stands for a batch of kernels. For reports of work that takes
// long.
void for_each_guarded_thread(void (*visit)(void* context, int thread, uint64_t entries, reprise_thunk thunk),
                             void* context);

// The innermost frame of the calling thread, for code that switches stacks.
FaultFrame* current_fault_frame();
void set_current_fault_frame(FaultFrame* frame);

}  // namespace reprise_runtime::kernel
