// A thread that ends in the middle (PTX exit) returns from its kernel.
//
//   call void @__reprise_exit()         ->    ret void
//   %y = ...                                  (what followed is gone)
//
// After inlining, so that an exit within a function has become the kernel's own.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "ir/builtin.h"
#include "ir/diagnostic.h"
#include "threads/passes.h"

namespace reprise_compiler::device {

void lower_thread_exits(DeviceModule& module) {
  llvm::Function* marker = module.ir.getFunction(exit_marker);
  if (!marker) return;
  while (!marker->use_empty()) {
    auto* call = llvm::cast<llvm::CallInst>(*marker->user_begin());
    llvm::Function& function = *call->getFunction();
    if (!module.kernel_of(&function)) fail_at(*call, "PTX exit in a function that is not inlined into its kernel");
    llvm::BasicBlock* block = call->getParent();
    llvm::changeToUnreachable(call);  // and all that follows in the block
    llvm::Instruction* end = block->getTerminator();
    llvm::IRBuilder<>(end).CreateRetVoid();
    end->eraseFromParent();
  }
  marker->eraseFromParent();
}

}  // namespace reprise_compiler::device
