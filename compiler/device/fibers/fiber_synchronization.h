// Barriers and warp operations of code that runs in a fiber, as calls of the runtime's fiber services.
#pragma once

#include <llvm/IR/Function.h>

namespace reprise_compiler::device {

void lower_synchronisation_to_fibers(llvm::Function& function, bool is_kernel_body);

}  // namespace reprise_compiler::device
