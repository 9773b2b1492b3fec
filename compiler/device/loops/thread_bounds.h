// How a value depends on the thread index, and its bounds over all threads of the block or lanes of the warp.
//
//   start = blockIdx.x * 256 + threadIdx.x      first: blockIdx.x * 256      last lane: start | 31
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include "threads/uniformity.h"

namespace reprise_compiler::device {

class ThreadBounds {
 public:
  ThreadBounds(llvm::Function& body, Level level, const Uniformity& uniformity)
      : body_(body), level_(level), uniformity_(uniformity) {}

  // True for a product of dimensions and positive constants: never 0.
  bool is_count(llvm::Value* value, unsigned depth = 4) const;
  // True for a value that is uniform or grows with the thread index.
  bool grows_with_index(llvm::Value* value, unsigned depth = 8) const;

  // The last thread is known for a warp only.
  enum class Edge { first, last };
  // The value that the first or the last thread has.
  llvm::Value* value_at(llvm::IRBuilder<>& b, llvm::Value* value, Edge edge) const;
  // A lower bound (first) or upper bound (last) of the value over all threads. The first thread's value is no lower
  // bound of an unsigned `threadIdx.x - 5`, which wraps for the first threads only; then the bound is the extreme of
  // the type.
  llvm::Value* bound_of(llvm::IRBuilder<>& b, llvm::Value* value, Edge edge, bool is_signed) const;

 private:
  bool is_thread_index(const llvm::Value* value) const;
  bool is_size(const llvm::Value* value) const;

  llvm::Function& body_;
  Level level_;
  const Uniformity& uniformity_;
};

}  // namespace reprise_compiler::device
