// Finds loops in which a thread waits for a time, and has no other effect.
//
//                                                       __reprise_wait_start();
//   while (clock64() - start < n) {}             ->     while (clock64() - start < n) __reprise_wait();
//
// All threads of a grid wait at the same time. Regions give each thread a clock of its own for that
// (regions/thread_clocks.h), and fibers yield. The number of iterations is not observable.
//
// Runs in SSA form, where a condition can be traced to a clock, and before regions change the loops.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <set>

#include "ir/builtin.h"
#include "ir/clock_reads.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
namespace {

// True if nothing but time depends on how often the loop iterates.
bool has_no_effect(const llvm::Loop& loop) {
  return llvm::all_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::all_of(*block, [](const llvm::Instruction& i) {
      return reads_clock(i) || i.isLifetimeStartOrEnd() ||
             !(i.mayHaveSideEffects() || i.isVolatile() || i.isAtomic() || is_synchronization(builtin_of(i)));
    });
  });
}

// True if a clock that the loop reads decides whether it ends.
bool ends_by_clock(const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  std::vector<const llvm::Value*> pending;
  for (const llvm::BasicBlock* block : exiting)
    pending.insert(pending.end(), block->getTerminator()->op_begin(), block->getTerminator()->op_end());
  std::set<const llvm::Value*> seen;
  while (!pending.empty()) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(pending.back());
    pending.pop_back();
    if (!instruction || !loop.contains(instruction) || !seen.insert(instruction).second) continue;
    if (reads_clock(*instruction)) return true;
    pending.insert(pending.end(), instruction->op_begin(), instruction->op_end());
  }
  return false;
}

void find_waits(const llvm::Loop& loop, std::vector<llvm::Loop*>& waits) {
  if (has_no_effect(loop) && ends_by_clock(loop))
    waits.push_back(const_cast<llvm::Loop*>(&loop));
  else
    for (const llvm::Loop* inner : loop) find_waits(*inner, waits);
}

void mark_waits(llvm::Function& body) {
  llvm::DominatorTree dominators(body);
  llvm::LoopInfo loops(dominators);
  std::vector<llvm::Loop*> waits;
  for (const llvm::Loop* loop : loops) find_waits(*loop, waits);
  for (llvm::Loop* loop : waits) {
    llvm::simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
    if (!loop->getLoopPreheader() || !loop->getLoopLatch()) continue;
    llvm::IRBuilder<> before(loop->getLoopPreheader()->getTerminator());
    call_builtin(before, Builtin::wait_start);
    llvm::IRBuilder<> after(loop->getLoopLatch()->getTerminator());
    call_builtin(after, Builtin::wait);
  }
}

}  // namespace

void mark_timed_waits(DeviceModule& module) {
  if (module.options.optimisation == 0) return;
  for (Kernel& kernel : module.kernels) mark_waits(*kernel.body);
}

}  // namespace reprise_compiler::device
