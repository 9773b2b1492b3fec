// The memory of a running block: shared memory and the scratch memory of its threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/kernel_abi.h"

namespace reprise_runtime::kernel {

struct WorkspaceSize {
  size_t shared = 0, scratch = 0;

  static WorkspaceSize of(const reprise_kernel& code, uint32_t threads, uint32_t dynamic_shared) {
    size_t rounded = (size_t{threads} + 31) / 32 * 32;
    size_t shared = (size_t{code.static_shared} + dynamic_shared + 127) / 128 * 128;
    return {shared, code.scratch_per_block + code.scratch_per_thread * rounded};
  }
  size_t bytes() const { return shared + scratch; }
};

struct Workspace {
  char* shared;   // 128-byte aligned
  char* scratch;  // 64-byte aligned

  Workspace(char* memory, const WorkspaceSize& size) : shared(memory), scratch(memory + size.shared) {}
};

// Returns memory of the calling thread for one block at a time, at least `bytes`. Contents undefined.
char* thread_workspace(size_t bytes);
const char* thread_workspace_end();  // of all that the thread has

}  // namespace reprise_runtime::kernel
