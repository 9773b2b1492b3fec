// Marks index computations as not wrapping.
//
// Indices such as blockIdx.x * blockDim.x + threadIdx.x do not wrap in launches of fewer than 2^31 threads, so that
// consecutive threads access consecutive words. Unsigned arithmetic does not express this.
//
//   %i = add i32 %row, %tid.x      ->      %i = add nuw nsw i32 %row, %tid.x
//
// The thunk checks the assumption once per call from the size of the launch, and runs the kernel as fibers if it fails.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <string>
#include <vector>

#include "ir/thread_arguments.h"

namespace reprise_compiler::device {

// A sum of products of launch dimensions and indices.
struct IndexTerm {
  enum class Kind { constant, argument, sum, product } kind;
  uint64_t constant = 0;
  ThreadArgument argument = ThreadArgument::count;
  std::vector<IndexTerm> operands;

  std::string key() const;
  // Emits the largest value that the term has in a launch, as 64 bits.
  llvm::Value* emit_largest(llvm::IRBuilderBase& builder, llvm::Value* launch) const;
};

// Marks such indices as not wrapping. Returns the terms that must stay below 2^31 for that to hold.
std::vector<IndexTerm> mark_indices(llvm::Function& body);

}  // namespace reprise_compiler::device
