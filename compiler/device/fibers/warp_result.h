// What a warp operation gives one lane, from the values of all lanes laid out one after the other in memory.
// Used by fibers, where the warp's slots are the runtime's, and by regions, where they are the kernel's scratch.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "ir/builtin.h"

namespace reprise_compiler::device {

struct WarpOperation {
  Marker marker;
  llvm::CallInst* call;  // the marker's call, for its operands
  llvm::Value* slots;    // 32 words of 64 bits
  llvm::Value* lane;
  llvm::Value* live;  // i32: lanes that take part, as far as they have not exited
};

// The operand that every lane contributes, as 64 bits; null for operations without one.
llvm::Value* contribution(llvm::IRBuilderBase& builder, const llvm::CallInst& call, Marker marker);
llvm::Value* emit_warp_result(llvm::IRBuilderBase& builder, const WarpOperation& operation);

}  // namespace reprise_compiler::device
