// threadIdx and its kin as variables that a debugger shows. In the program they are no variables at all: reading one is
// a marker.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "ir/device_module.h"

namespace reprise_compiler::device {

// Tells the debugger that from here on in `body` threadIdx is {x, y, z}, 32 bits each. Nothing where the kernel has no
// debug information.
void describe_thread_index(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> x_y_z);

}  // namespace reprise_compiler::device
