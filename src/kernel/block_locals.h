// Per-block state of services such as fibers. Blocks of a cooperative launch share a thread, each on its own stack, so
// such state cannot be thread-local there.
//
// Thread safety: a block belongs to one thread.
#pragma once

#include <memory>

#include "base/thread_local.h"

namespace reprise_runtime::kernel {

struct BlockLocals {
  // For device/: the fibers of the block's threads.
  std::shared_ptr<void> fibers;
  const char* workspace_end = nullptr;  // of the block's shared and scratch memory
};

namespace detail {
inline REPRISE_THREAD_LOCAL BlockLocals* block_locals = nullptr;
}

// Null while the thread runs one block at a time on its own stack.
inline BlockLocals* current_block_locals() { return detail::block_locals; }
inline void set_current_block_locals(BlockLocals* locals) { detail::block_locals = locals; }

}  // namespace reprise_runtime::kernel
