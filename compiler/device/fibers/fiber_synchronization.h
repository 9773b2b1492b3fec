// Lowers barriers and warp operations of code that runs in a fiber to calls of the runtime.
#pragma once

#include <llvm/IR/Function.h>

namespace reprise_compiler::device {

void lower_synchronization_to_fibers(llvm::Function& function, bool is_kernel_body);

}  // namespace reprise_compiler::device
