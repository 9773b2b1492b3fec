// Declares threadIdx, blockIdx, blockDim and gridDim as variables for the debugger. In the program they are calls of
// device builtins, not variables.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "ir/device_module.h"

namespace reprise_compiler::device {

// Describes threadIdx as {x, y, z}, 32 bits each, from the builder's position on. Does nothing without debug
// information.
void describe_thread_index(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> x_y_z);

}  // namespace reprise_compiler::device
