// Result of a warp operation for one lane of a warp of fibers, from the operands of all lanes in the runtime's array.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "ir/builtin.h"

namespace reprise_compiler::device {

struct WarpOperation {
  Builtin builtin;
  llvm::CallInst* call;  // the call of the builtin
  llvm::Value* slots;    // 32 words of 64 bits
  llvm::Value* lane;
  llvm::Value* live;  // i32: lanes that have not exited
};

// The operand that every lane contributes, as 64 bits; null for operations without operand.
llvm::Value* contribution(llvm::IRBuilderBase& builder, const llvm::CallInst& call, Builtin builtin);
llvm::Value* emit_warp_result(llvm::IRBuilderBase& builder, const WarpOperation& operation);

}  // namespace reprise_compiler::device
