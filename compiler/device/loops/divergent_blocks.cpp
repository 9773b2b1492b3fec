#include "loops/divergent_blocks.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace reprise_compiler::device {

using llvm::BasicBlock;

std::set<const BasicBlock*> parted_blocks(llvm::Function& body, const Uniformity& uniformity, bool with_leaving) {
  const llvm::PostDominatorTree after(body);
  std::set<const BasicBlock*> parted;
  for (BasicBlock& block : body) {
    if (!uniformity.is_divergent_branch(block)) continue;
    const auto* node = after.getNode(&block);
    const BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!with_leaving && (!join || llvm::isa<llvm::ReturnInst>(join->getFirstNonPHIOrDbg()))) continue;
    std::vector<BasicBlock*> pending(llvm::succ_begin(&block), llvm::succ_end(&block));
    std::set<const BasicBlock*> seen;
    while (!pending.empty()) {
      BasicBlock* next = pending.back();
      pending.pop_back();
      if (next == join || !seen.insert(next).second) continue;
      pending.insert(pending.end(), llvm::succ_begin(next), llvm::succ_end(next));
    }
    parted.insert(seen.begin(), seen.end());
  }
  return parted;
}

}  // namespace reprise_compiler::device
