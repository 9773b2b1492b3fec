// Loops with a barrier or a warp operation in their rounds that may wait for another block.
//
//   while (!__syncthreads_or(*flag)) {}    ->    while (!any thread's *flag) __reprise_let_others_run(launch);
//
// The blocks of a cooperative launch that share a core run one after the other, each until it lets the others run. Such
// loops need no fibers, since all threads of a block, or of a warp, go round them together.
#pragma once

#include <llvm/IR/Function.h>

#include <set>

namespace reprise_compiler::device {

class WaitingLoops {
 public:
  explicit WaitingLoops(llvm::Function& body);

  // Before a barrier or a warp operation, which happens once for all threads, if it is one that was found.
  void let_others_run_at(llvm::Instruction& operation) const;

 private:
  std::set<const llvm::Instruction*> operations_;  // at least one in every round
};

}  // namespace reprise_compiler::device
