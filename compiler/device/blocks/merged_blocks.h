// Blocks of one row of the grid, run as one wide block.
//
//   blocks 3, 4, 5 of 256 threads, i = blockIdx.x * blockDim.x + threadIdx.x
//                                  |
//                                  v
//   one block of 768 threads whose blockIdx.x is 3: the same i, in one loop
//
// Right for kernels without barriers to which blockIdx.x and threadIdx.x matter only in that sum.
#pragma once

#include <llvm/IR/Function.h>

namespace reprise_compiler::device {

bool can_merge_blocks(llvm::Function& body);

}  // namespace reprise_compiler::device
