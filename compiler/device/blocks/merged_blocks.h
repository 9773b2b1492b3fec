// Runs the blocks of a grid row as one wide block.
//
//   blocks 3, 4, 5 of 256 threads, i = blockIdx.x * blockDim.x + threadIdx.x
//                                  |
//                                  v
//   one block of 768 threads whose blockIdx.x is 3: the same i, in one loop
//
// Correct for kernels without barriers that use blockIdx.x and threadIdx.x in that sum only.
#pragma once

#include <llvm/IR/Function.h>

namespace reprise_compiler::device {

bool can_merge_blocks(llvm::Function& body);

}  // namespace reprise_compiler::device
