#include "regions/polling_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "ir/builtin.h"
#include "ir/special_register.h"
#include "ir/thread_arguments.h"

namespace reprise_compiler::device {
namespace {

using llvm::Instruction;

// True if the instruction reads memory that another block may write meanwhile.
bool observes_other_blocks(const Instruction& instruction) {
  return (instruction.isVolatile() || instruction.isAtomic()) && instruction.mayReadFromMemory() &&
         !llvm::isa<llvm::FenceInst>(instruction);
}

bool observes_other_blocks(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const Instruction& i) { return observes_other_blocks(i); });
  });
}

// True if the exit condition depends on memory read in the loop; counted loops do not wait.
bool exits_depend_on_memory(const llvm::Loop& loop) {
  std::vector<const llvm::Value*> pending;
  std::set<const llvm::Value*> seen;
  auto follow_branches = [&](llvm::ArrayRef<llvm::BasicBlock*> blocks) {
    for (const llvm::BasicBlock* block : blocks)
      if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
          branch && branch->isConditional())
        pending.push_back(branch->getCondition());
  };
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  follow_branches(exiting);
  while (!pending.empty()) {
    const auto* instruction = llvm::dyn_cast<Instruction>(pending.back());
    pending.pop_back();
    if (!instruction || !loop.contains(instruction) || !seen.insert(instruction).second) continue;
    if (instruction->mayReadFromMemory()) return true;
    if (llvm::isa<llvm::PHINode>(instruction) && instruction->getParent() != loop.getHeader())
      follow_branches(loop.getBlocks());
    pending.insert(pending.end(), instruction->op_begin(), instruction->op_end());
  }
  return false;
}

}  // namespace

PollingLoops::PollingLoops(llvm::Function& body) {
  llvm::DominatorTree dominators(body);
  llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!observes_other_blocks(*loop) || !exits_depend_on_memory(*loop)) continue;
    llvm::SmallVector<llvm::BasicBlock*, 2> latches;
    loop->getLoopLatches(latches);
    std::vector<const Instruction*> sometimes;
    const Instruction* always = nullptr;
    for (const llvm::BasicBlock* block : loop->blocks())
      for (const Instruction& instruction : *block) {
        if (!is_barrier(builtin_of(instruction)) && !is_warp_level(builtin_of(instruction))) continue;
        sometimes.push_back(&instruction);
        if (llvm::all_of(latches, [&](auto* latch) { return dominators.dominates(block, latch); }))
          always = &instruction;
      }
    if (always)
      operations_.insert(always);
    else
      operations_.insert(sometimes.begin(), sometimes.end());
  }
}

void PollingLoops::yield_before(Instruction& operation) const {
  if (!operations_.count(&operation)) return;
  llvm::IRBuilder<> b(&operation);
  call_runtime(b, "__reprise_let_others_run", b.getVoidTy(),
               {thread_argument(*operation.getFunction(), ThreadArgument::launch)});
}

}  // namespace reprise_compiler::device
