#include "regions/control_flow.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace reprise_compiler::device {

using llvm::BasicBlock;

BasicBlock* unify_returns(llvm::Function& body) {
  auto* end = BasicBlock::Create(body.getContext(), "end", &body);
  auto* last = llvm::ReturnInst::Create(body.getContext(), end);
  for (BasicBlock& block : body)
    if (auto* ret = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()); ret && ret != last) {
      llvm::BranchInst::Create(end, ret->getIterator())->setDebugLoc(ret->getDebugLoc());
      ret->eraseFromParent();
    }
  return end;
}

std::set<const BasicBlock*> blocks_leading_to(llvm::Function& body, bool (*is)(Builtin)) {
  std::set<const BasicBlock*> leading;
  std::vector<BasicBlock*> pending;
  for (llvm::Instruction& instruction : llvm::instructions(body))
    if (is(builtin_of(instruction))) pending.push_back(instruction.getParent());
  while (!pending.empty()) {
    BasicBlock* block = pending.back();
    pending.pop_back();
    if (!leading.insert(block).second) continue;
    for (BasicBlock* before : llvm::predecessors(block)) pending.push_back(before);
  }
  return leading;
}

void drop_unreachable(llvm::Function& body, BasicBlock* end, const std::vector<EarlyExit>& exits) {
  std::set<BasicBlock*> keep{end};
  for (const EarlyExit& exit : exits) keep.insert(exit.tail.begin(), exit.tail.end());
  std::vector<BasicBlock*> reachable{&body.getEntryBlock()};
  std::set<BasicBlock*> seen{&body.getEntryBlock()};
  while (!reachable.empty()) {
    BasicBlock* block = reachable.back();
    reachable.pop_back();
    for (BasicBlock* next : llvm::successors(block))
      if (seen.insert(next).second) reachable.push_back(next);
  }
  llvm::SmallVector<BasicBlock*, 8> dead;
  for (BasicBlock& block : body)
    if (!seen.count(&block) && !keep.count(&block)) dead.push_back(&block);
  llvm::DeleteDeadBlocks(dead);
}

}  // namespace reprise_compiler::device
