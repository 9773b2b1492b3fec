// What belongs to a block that lives on a stack of its own, beside others on the same thread: services that keep state
// for the block that runs keep it here instead of with the thread.
#pragma once

#include <memory>

#include "base/thread_local.h"

namespace reprise_runtime::kernel {

struct BlockLocals {
  // For device/: the fibers of the block's threads.
  std::shared_ptr<void> fibers;
};

namespace detail {
inline REPRISE_THREAD_LOCAL BlockLocals* block_locals = nullptr;
}

// Null when the thread runs blocks on its own stack, one at a time.
inline BlockLocals* current_block_locals() { return detail::block_locals; }
inline void set_current_block_locals(BlockLocals* locals) { detail::block_locals = locals; }

}  // namespace reprise_runtime::kernel
