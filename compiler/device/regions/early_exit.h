// Threads that leave the kernel while others go on to a barrier.
//
//   if (i >= n) return;             from:  br %out, %tail, %on          from:  br %on
//   ...                        ->                                 ->    tail:  (set aside, run by the threads that
//   leave)
//   __syncthreads();                tail:  ret
//
// An exited thread counts as arrived at every barrier to come. Set aside, such an exit no longer makes barriers look
// as if they depended on it; the region that it is in gets it back in the end.
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

namespace reprise_compiler::device {

struct EarlyExit {
  llvm::Instruction* branch;            // while detached, the unconditional one that stands in
  llvm::Value* condition;               // while detached
  bool when;                            // the value of condition for which a thread leaves
  std::vector<llvm::BasicBlock*> tail;  // what it still does; the first is where it goes; some end in ret
};

// False where the code to be copied for threads that leave is too large.
// `leads_to_sync` are the blocks from which a synchronisation can still be reached.
using BlockPredicate = llvm::function_ref<bool(const llvm::BasicBlock&)>;
bool detach_early_exits(llvm::Function& body, BlockPredicate leads_to_sync, BlockPredicate is_divergent,
                        std::vector<EarlyExit>& exits);
void attach(EarlyExit& exit);
void detach(EarlyExit& exit);  // again
// Of an attached exit: what passes have put in the place of the first one counts.
llvm::Value* present_condition(const EarlyExit& exit);

}  // namespace reprise_compiler::device
