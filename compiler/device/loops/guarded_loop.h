// A loop inside a branch that only some threads take, taken out of it.
//
//   if (column < n) {                  if (column < n) A
//     A                                for (k = 0; k < rows; ++k)
//     for (k = 0; k < rows; ++k)  ->     if (column < n) work
//       work                           if (column < n) B
//     B
//   }
//
// All threads then go through the loop together, and loops/thread_interchange.h can put them inside. Only for
// conditions that become the bounds of the loop over threads (regions/thread_range.h): where few threads work, no
// others are asked each turn.
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
              const llvm::DominatorTree& dominators, const llvm::PostDominatorTree& after, const llvm::LoopInfo& loops)
      : loop_(loop),
        body_(body),
        level_(level),
        uniformity_(uniformity),
        dominators_(dominators),
        after_(after),
        loops_(loops) {}

  // Of loops left from their first block only. Moves arithmetic on indices before the branch.
  bool matches();

  llvm::BranchInst* branch() const { return branch_; }
  bool is_known_before(const llvm::Value* value) const;

  // Under which a thread has work in the loop. Where the first thread has none, nobody has.
  llvm::Value* condition();
  // Every thread now comes to the loop, and what comes after it in the branch is behind a branch of its own. The
  // condition is to be put into the loop: until then the code is wrong.
  void take_out();

 private:
  bool is_bound(llvm::Value* condition, bool wanted) const;
  bool is_place(llvm::Value* value, bool is_signed, unsigned depth) const;
  void move_arithmetic_before();
  std::vector<llvm::BasicBlock*> blocks_before_loop() const;

  llvm::Loop& loop_;
  llvm::Function& body_;
  Level level_;
  const Uniformity& uniformity_;
  const llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& after_;
  const llvm::LoopInfo& loops_;
  llvm::BranchInst* branch_ = nullptr;
  llvm::Value* condition_ = nullptr;
  llvm::BasicBlock *inside_ = nullptr, *join_ = nullptr;
  bool wanted_ = true;  // what the condition is for threads that take the branch
};

}  // namespace reprise_compiler::device
