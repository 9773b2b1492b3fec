// Inline PTX, statement by statement, as LLVM instructions.
//
//   call i32 asm "mov.u32 $0, %laneid;", "=r"()    ->    call i32 @__reprise_laneid()
//   call void asm sideeffect "membar.gl;", ""()    ->    fence seq_cst
//
// A statement that is not known ends the compilation at its line: no guessing.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "diagnostic.h"
#include "passes.h"
#include "special_register.h"

namespace reprise::device {
namespace {

llvm::Value* translate(llvm::IRBuilder<>& b, llvm::StringRef text, llvm::CallInst& call) {
  text = text.trim(" \t\n;");
  if (text.empty()) return b.getInt32(0);
  if (text.starts_with("membar.") || text.starts_with("fence."))
    return b.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
  auto [opcode, operands] = text.split(' ');
  auto [to, from] = operands.split(',');
  from = from.trim();
  if (opcode.starts_with("mov.") && to.trim() == "$0" && from.consume_front("%"))
    if (llvm::Value* value = read_special_register(b, from)) return b.CreateZExtOrTrunc(value, call.getType());
  return nullptr;
}

}  // namespace

void translate_inline_ptx(DeviceModule& module) {
  for (llvm::Function& function : module.ir)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || !call->isInlineAsm()) continue;
      const auto* assembly = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
      llvm::IRBuilder<> builder(call);
      llvm::Value* value = translate(builder, assembly->getAsmString(), *call);
      if (!value) fail_at(*call, "inline PTX is not supported: " + assembly->getAsmString());
      if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
}

}  // namespace reprise::device
