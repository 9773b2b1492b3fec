// Thunks: the functions by which the runtime runs a kernel. A thunk unpacks the parameters and runs a range of blocks.
//
//   void thunk(const void* params, const reprise_launch* launch) {
//     load parameters and launch fields
//     for (block in [block_begin, block_end)) { ...emit_block... }
//   }
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "ir/device_module.h"
#include "ir/thread_arguments.h"

namespace reprise_compiler::device {

// The arguments of a kernel's body, in order; thread indices are null until a loop supplies them.
class BodyArguments {
 public:
  BodyArguments(llvm::IRBuilderBase& builder, const Kernel& kernel, llvm::Value* params, llvm::Value* launch);
  llvm::Value*& operator[](ThreadArgument which) { return values_[user_count_ + unsigned(which)]; }
  llvm::ArrayRef<llvm::Value*> all() const { return values_; }

 private:
  unsigned user_count_;
  std::vector<llvm::Value*> values_;
};

// Computes thread_number and lane from the indices.
void set_thread_number(llvm::IRBuilderBase& builder, BodyArguments& arguments);

// Creates kernel.thunk. `emit_block` gets the builder at the start of a block's code and leaves it at the end. With
// `merged` it runs all blocks of a grid row that are in the range at once (blocks/merged_blocks.h).
void make_thunk(DeviceModule& module, Kernel& kernel, bool merged,
                llvm::function_ref<void(llvm::IRBuilder<>&, BodyArguments&)> emit_block);

// for (i = 0; i < count; ++i) emit(i), with count > 0. Returns the branch that closes the loop.
llvm::BranchInst* emit_counted_loop(llvm::IRBuilder<>& builder, llvm::Value* count, llvm::StringRef name,
                                    llvm::function_ref<void(llvm::IRBuilder<>&, llvm::Value*)> emit);

}  // namespace reprise_compiler::device
