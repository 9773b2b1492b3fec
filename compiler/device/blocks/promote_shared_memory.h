// Promotes a block's shared memory to the stack, in the copy of a kernel for a known block shape.
//
//   %shared = load launch.shared         %shared = alloca [1024 x i8]
//   for each block:                 ->   for each block:
//     sums[t] = x[t]                       lifetime.start %shared
//     ...                                  ...
//
// LLVM then knows that the memory is dead afterwards, and keeps the intermediate values of a reduction in registers.
// Done only if the address does not escape. Loads are frozen, since reading a word that was never written is not
// undefined in CUDA.
#pragma once

#include <llvm/IR/Instructions.h>

#include "ir/device_module.h"

namespace reprise_compiler::device {

// Inlines `block`, the call of the block's code in `thunk`.
void inline_with_promoted_shared_memory(llvm::Function& thunk, const Kernel& kernel, llvm::CallInst& block);

}  // namespace reprise_compiler::device
