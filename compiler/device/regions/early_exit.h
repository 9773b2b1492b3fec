// Early exits: branches by which threads leave the kernel while others go on to a barrier.
//
//   if (i >= n) return;         from:  br %out, %tail, %on            from:  br %on
//   ...                    ->   tail:  ret                      ->    tail:  (detached, for threads that leave)
//   __syncthreads();            on:    ... sync ...                   on:    ... sync ...
//
// An exited thread counts as arrived at every later barrier. While an exit is detached, barriers do not appear to
// depend on it; attach() puts it back into its region.
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

namespace reprise_compiler::device {

struct EarlyExit {
  llvm::Instruction* branch;            // while detached: the unconditional branch in its place
  llvm::Value* condition;               // while detached
  bool when;                            // value of the condition for which a thread leaves
  std::vector<llvm::BasicBlock*> tail;  // code up to the return; the first block is the target of the branch
};

// Detaches all early exits. Returns false if the code to be copied for threads that leave is too large.
// `leads_to_sync` is true for blocks from which a synchronization is reachable.
using BlockPredicate = llvm::function_ref<bool(const llvm::BasicBlock&)>;
bool detach_early_exits(llvm::Function& body, BlockPredicate leads_to_sync, BlockPredicate is_divergent,
                        std::vector<EarlyExit>& exits);
void attach(EarlyExit& exit);
void detach(EarlyExit& exit);
// Condition of an attached exit, which passes may have replaced since.
llvm::Value* current_condition(const EarlyExit& exit);

}  // namespace reprise_compiler::device
