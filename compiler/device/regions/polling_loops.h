// Loops around a barrier or a warp operation that may wait for another block.
//
//   while (!__syncthreads_or(*flag)) {}    ->    while (!any thread's *flag) __reprise_let_others_run(launch);
//
// Blocks of a cooperative launch that share a core run one at a time, each until it yields. Such loops need no fibers,
// since all threads of a block, or of a warp, iterate together.
#pragma once

#include <llvm/IR/Function.h>

#include <set>

namespace reprise_compiler::device {

class PollingLoops {
 public:
  explicit PollingLoops(llvm::Function& body);

  // Emits a yield before a barrier or warp operation, which runs once for all threads, if it is in such a loop.
  void yield_before(llvm::Instruction& operation) const;

 private:
  std::set<const llvm::Instruction*> operations_;  // at least one per iteration
};

}  // namespace reprise_compiler::device
