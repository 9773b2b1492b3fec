// Turns PTX exit into a return from the kernel.
//
//   call void @__reprise_exit()         ->    ret void
//   %y = ...                                  (deleted)
//
// Runs after inlining, so that an exit in a function has become part of the kernel.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "ir/builtin.h"
#include "ir/diagnostic.h"
#include "threads/passes.h"

namespace reprise_compiler::device {

void lower_thread_exits(DeviceModule& module) {
  llvm::Function* builtin = module.ir.getFunction(exit_builtin);
  if (!builtin) return;
  while (!builtin->use_empty()) {
    auto* call = llvm::cast<llvm::CallInst>(*builtin->user_begin());
    llvm::Function& function = *call->getFunction();
    if (!module.kernel_of(&function)) fail_at(*call, "PTX exit in a function that is not inlined into its kernel");
    llvm::BasicBlock* block = call->getParent();
    llvm::changeToUnreachable(call);  // also deletes the rest of the block
    llvm::Instruction* end = block->getTerminator();
    llvm::IRBuilder<>(end).CreateRetVoid();
    end->eraseFromParent();
  }
  builtin->eraseFromParent();
}

}  // namespace reprise_compiler::device
