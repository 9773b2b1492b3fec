#include "regions/uniform_choices.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "ir/builtin.h"
#include "loops/divergent_blocks.h"
#include "threads/uniformity.h"

namespace reprise_compiler::device {
namespace {

using llvm::BasicBlock;

// Values on which uniform branches depend.
std::set<const llvm::Value*> deciding_values(const llvm::Function& body, const Uniformity& uniformity) {
  std::vector<const llvm::Value*> pending;
  for (const BasicBlock& block : body)
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
        branch && branch->isConditional() && !uniformity.is_divergent_branch(block))
      pending.push_back(branch->getCondition());
  std::set<const llvm::Value*> found;
  while (!pending.empty()) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(pending.back());
    pending.pop_back();
    if (instruction && found.insert(instruction).second)
      pending.insert(pending.end(), instruction->op_begin(), instruction->op_end());
  }
  return found;
}

}  // namespace

bool isolate_uniform_choices(llvm::Function& body) {
  const Uniformity uniformity(body, Level::block);
  const std::set<const llvm::Value*> deciding = deciding_values(body, uniformity);
  const std::set<const BasicBlock*> divergent = divergent_blocks(body, uniformity, true);
  const llvm::DominatorTree dominators(body);
  const llvm::LoopInfo loops(dominators);
  llvm::SmallSetVector<BasicBlock*, 4> branches;
  for (BasicBlock& join : body) {
    if (loops.isLoopHeader(&join) || divergent.count(&join)) continue;
    for (llvm::PHINode& phi : join.phis())
      if (deciding.count(&phi) && uniformity.is_uniform(&phi))
        for (BasicBlock* from : phi.blocks())
          if (from->getSingleSuccessor() && from->getSinglePredecessor() && !divergent.count(from))
            branches.insert(from);
  }
  for (BasicBlock* branch : branches) {
    llvm::IRBuilder<> b(&*branch->getFirstInsertionPt());
    call_builtin(b, Builtin::region_end);
  }
  return !branches.empty();
}

}  // namespace reprise_compiler::device
