// Ends regions in the branches of a uniform choice, for kernels in which a barrier depends on the value chosen.
//
//   if (blockIdx.x == gridDim.x - 1)        if (blockIdx.x == gridDim.x - 1)
//     end = n;                                end = n;
//   else                               ->   else { region end;
//     end = offsets[blockIdx.x + 1];          end = offsets[blockIdx.x + 1]; }
//   for (...; i < end; ...)                 for (...; i < end; ...)
//     __syncthreads();                        __syncthreads();
//
// The choice then is a branch around the loops over threads, which runs once, as must all that decides about barriers.
// It is not worth it where the barrier does not depend on the value.
#pragma once

#include <llvm/IR/Function.h>

namespace reprise_compiler::device {

// Returns false if there is no such choice.
bool isolate_uniform_choices(llvm::Function& body);

}  // namespace reprise_compiler::device
