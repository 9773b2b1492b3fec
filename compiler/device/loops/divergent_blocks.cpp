#include "loops/divergent_blocks.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace reprise_compiler::device {

using llvm::BasicBlock;

std::set<const BasicBlock*> divergent_blocks(llvm::Function& body, const Uniformity& uniformity, bool include_exits) {
  const llvm::PostDominatorTree post_dominators(body);
  std::set<const BasicBlock*> divergent;
  for (BasicBlock& block : body) {
    if (!uniformity.is_divergent_branch(block)) continue;
    const auto* node = post_dominators.getNode(&block);
    const BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!include_exits && (!join || llvm::isa<llvm::ReturnInst>(join->getFirstNonPHIOrDbg()))) continue;
    std::vector<BasicBlock*> pending(llvm::succ_begin(&block), llvm::succ_end(&block));
    std::set<const BasicBlock*> seen;
    while (!pending.empty()) {
      BasicBlock* next = pending.back();
      pending.pop_back();
      if (next == join || !seen.insert(next).second) continue;
      pending.insert(pending.end(), llvm::succ_begin(next), llvm::succ_end(next));
    }
    divergent.insert(seen.begin(), seen.end());
  }
  return divergent;
}

}  // namespace reprise_compiler::device
