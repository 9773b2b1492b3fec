// Cooperative launches: all blocks of the grid alive at once, so that they can wait for each other.
#pragma once

#include "kernel/function.h"

namespace reprise::kernel {

// Runs each block on a stack of its own, the blocks spread over this thread and idle workers. `launch` gives shape and
// device. Returns when every block has ended or one has faulted.
void run_cooperative(const Function& function, const reprise_launch& launch, const void* params);

}  // namespace reprise::kernel
