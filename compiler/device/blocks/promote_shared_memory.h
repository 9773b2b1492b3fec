// A block's shared memory on the stack, in the copy of a kernel for a known block, where nobody else can see it.
//
//   %shared = load launch.shared         %shared = alloca [1024 x i8]
//   for each block:                 ->   for each block:
//     sums[t] = x[t]                       lifetime.start %shared
//     ...                                  ...
//
// LLVM then knows that the memory is nobody's afterwards: what is stored in steps of a reduction stays in registers. A
// word that nothing was stored to is still some word, not one that LLVM may take for what suits it.
#pragma once

#include <llvm/IR/Instructions.h>

#include "ir/device_module.h"

namespace reprise_compiler::device {

// `block` is the call of the block's code in `thunk`; it is inlined.
void inline_with_memory_on_stack(llvm::Function& thunk, const Kernel& kernel, llvm::CallInst& block);

}  // namespace reprise_compiler::device
