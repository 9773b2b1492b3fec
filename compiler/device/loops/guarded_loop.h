// Swaps a divergent branch with the loop inside it.
//
//   if (column < n) {                  if (column < n) A
//     A                                for (k = 0; k < rows; ++k)
//     for (k = 0; k < rows; ++k)  ->     if (column < n) work
//       work                           if (column < n) B
//     B
//   }
//
// All threads then run the loop together, so that loops/thread_interchange.h can interchange it with the loop over
// threads. Done only for conditions that become bounds of that loop (regions/thread_range.h), so that threads without
// work cost nothing per iteration.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "threads/uniformity.h"

namespace reprise_compiler::device {

class GuardedLoop {
 public:
  GuardedLoop(llvm::Loop& loop, llvm::Function& body, Level level, const Uniformity& uniformity,
              const llvm::DominatorTree& dominators, const llvm::PostDominatorTree& post_dominators,
              const llvm::LoopInfo& loops)
      : loop_(loop),
        body_(body),
        level_(level),
        uniformity_(uniformity),
        dominators_(dominators),
        post_dominators_(post_dominators),
        loops_(loops) {}

  // Matches loops whose only exit is in the header. Moves index arithmetic before the branch.
  bool matches();

  llvm::BranchInst* branch() const { return branch_; }
  bool is_known_before(const llvm::Value* value) const;

  // Condition under which a thread has work in the loop. If it is false for the first thread, it is false for all.
  llvm::Value* condition();
  // Makes every thread reach the loop and puts the code after it under a branch of its own. The caller must then put
  // the condition into the loop; until then the code is wrong.
  void hoist_loop();

 private:
  bool is_bound(llvm::Value* condition, bool wanted) const;
  bool is_position(llvm::Value* value, bool is_signed, unsigned depth) const;
  void move_arithmetic_before();
  std::vector<llvm::BasicBlock*> blocks_before_loop() const;

  llvm::Loop& loop_;
  llvm::Function& body_;
  Level level_;
  const Uniformity& uniformity_;
  const llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& post_dominators_;
  const llvm::LoopInfo& loops_;
  llvm::BranchInst* branch_ = nullptr;
  llvm::Value* condition_ = nullptr;
  llvm::BasicBlock *inside_ = nullptr, *join_ = nullptr;
  bool wanted_ = true;  // value of the condition for threads that take the branch
};

}  // namespace reprise_compiler::device
