// Indices such as blockIdx.x * blockDim.x + threadIdx.x do not wrap around in any launch of fewer than 2^31 threads,
// and then neighbours in threadIdx.x are neighbours in memory. Written in unsigned arithmetic, the code does not say
// so.
//
//   %i = add i32 %row, %tid.x      ->      %i = add nuw nsw i32 %row, %tid.x
//
// The thunk checks it once per call, from the launch's size, and runs the plain form of the kernel where it is not so.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <string>
#include <vector>

#include "ir/thread_arguments.h"

namespace reprise_compiler::device {

// A sum of products of sizes and indices of the launch.
struct IndexTerm {
  enum class Kind { constant, argument, sum, product } kind;
  uint64_t constant = 0;
  ThreadArgument argument = ThreadArgument::count;
  std::vector<IndexTerm> operands;

  std::string key() const;
  // Its largest value in a launch, 64 bits.
  llvm::Value* emit_largest(llvm::IRBuilderBase& builder, llvm::Value* launch) const;
};

// Marks such indices as not wrapping, and returns what has to be below 2^31 for that to be true.
std::vector<IndexTerm> mark_indices(llvm::Function& body);

}  // namespace reprise_compiler::device
