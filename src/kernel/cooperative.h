// Cooperative launches: all blocks of the grid are resident at once, so that they can wait for each other.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include "kernel/kernel_abi.h"

namespace reprise_runtime::kernel {

class Function;

// Runs each block on a stack of its own, the blocks spread over this thread and idle workers. `launch` gives shape and
// device. Returns when every block has ended or one has faulted.
void run_cooperative(const Function& function, const reprise_launch& launch, const void* params);

// Called in a block whose threads all wait for another block or the host. In a cooperative launch, where one thread
// runs several blocks, lets the other blocks of the thread run. Returns false in any other launch.
bool let_other_blocks_run(const reprise_launch& launch);

}  // namespace reprise_runtime::kernel
