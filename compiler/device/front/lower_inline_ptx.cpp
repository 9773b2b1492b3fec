// Translates inline PTX to LLVM instructions, statement by statement.
//
//   asm "mov.u32 $0, %laneid;"                                   ->   call i32 @__reprise_laneid()
//   asm "{ .reg .pred p; setp.lt.s32 p, $1, 0; selp.s32 $0, 1, 2, p; }"
//                                                                ->   %p = icmp slt i32 %x, 0
//                                                                     select i1 %p, i32 1, i32 2
//
// The text has no branches, so a register holds the value that was last written to it. An unknown statement is an error
// at its line.
//
// Runs before define_arithmetic, which then covers translated PTX too.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

#include "front/passes.h"
#include "front/ptx_translation.h"
#include "ir/diagnostic.h"

namespace reprise_compiler::device {
namespace {

void translate(DeviceModule& module, llvm::CallInst& call) {
  const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  const PtxText text = parse_ptx(assembly->getAsmString());
  if (!text.problem.empty())
    fail_at(call, "inline PTX with " + text.problem + " is not supported: " + assembly->getAsmString());
  PtxTranslation translation(module, call);
  for (const PtxStatement& statement : text.statements)
    if (!translation.translate(statement)) fail_at(call, "inline PTX is not supported: " + statement.text);
  if (!call.getType()->isVoidTy()) {
    llvm::Value* result = translation.result();
    if (!result) fail_at(call, "inline PTX leaves an output unwritten: " + assembly->getAsmString());
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
}

}  // namespace

void lower_inline_ptx(DeviceModule& module) {
  std::vector<llvm::CallInst*> calls;  // collected first: a predicate splits the block that contains the call
  for (llvm::Function& function : module.ir)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->isInlineAsm()) calls.push_back(call);
  for (llvm::CallInst* call : calls) translate(module, *call);
}

}  // namespace reprise_compiler::device
