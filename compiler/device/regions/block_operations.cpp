#include "regions/block_operations.h"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "ir/builtin.h"
#include "ir/special_register.h"
#include "ir/thread_arguments.h"

namespace reprise_compiler::device {

using llvm::Value;

void BlockOperations::capture_operands() {
  for (llvm::BasicBlock* node : graph_.syncs()) {
    auto* call = llvm::cast<llvm::CallInst>(&node->front());
    if (builtin_of(*call) != Builtin::barrier_reduce) continue;
    llvm::IRBuilder<> b(node->getSinglePredecessor()->getTerminator());
    Reduction reduction{call, slots_.allocate(b.getInt1Ty()), scalars_.make_scalar(call->getArgOperand(0))};
    slots_.store(b, reduction.predicates, b.CreateICmpNE(call->getArgOperand(1), b.getInt32(0)));
    call->setArgOperand(1, b.getInt32(0));
    reductions_.push_back(reduction);
  }
}

// __syncthreads_count, _and or _or over the threads that have not exited.
void BlockOperations::emit(const Reduction& reduction, const ExitedThreads& exited) {
  llvm::Function& body = *reduction.call->getFunction();
  llvm::IRBuilder<> at_entry(&body.getEntryBlock(), body.getEntryBlock().begin());
  Value* true_count = at_entry.CreateAlloca(at_entry.getInt32Ty());
  Value* live_count = at_entry.CreateAlloca(at_entry.getInt32Ty());
  llvm::IRBuilder<> b(reduction.call);
  b.CreateStore(b.getInt32(0), true_count);
  b.CreateStore(b.getInt32(0), live_count);
  auto [place, thread] = llvm::SplitBlockAndInsertSimpleForLoop(slots_.thread_count(), reduction.call);
  b.SetInsertPoint(place);
  auto flag = [&](const SpillSlot& slot) {
    Value* byte = b.CreateLoad(slot.type, b.CreateInBoundsGEP(slot.type, slot.array, thread));
    return b.CreateZExt(byte, b.getInt32Ty());
  };
  auto add = [&](Value* counter, Value* amount) {
    b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt32Ty(), counter), amount), counter);
  };
  Value* alive = exited.any() ? flag(exited.alive()) : b.getInt32(1);
  add(true_count, b.CreateAnd(flag(reduction.predicates), alive));
  add(live_count, alive);

  b.SetInsertPoint(reduction.call);
  Value* agreed = b.CreateLoad(b.getInt32Ty(), true_count);
  Value* all = b.CreateZExt(b.CreateICmpEQ(agreed, b.CreateLoad(b.getInt32Ty(), live_count)), b.getInt32Ty());
  Value* any = b.CreateZExt(b.CreateICmpNE(agreed, b.getInt32(0)), b.getInt32Ty());
  Value* and_or = b.CreateSelect(b.CreateICmpEQ(reduction.operation, b.getInt32(1)), all, any);
  Value* result = b.CreateSelect(b.CreateICmpEQ(reduction.operation, b.getInt32(0)), agreed, and_or);
  reduction.call->replaceAllUsesWith(result);
  reduction.call->eraseFromParent();
}

void BlockOperations::emit(const ExitedThreads& exited) {
  for (llvm::BasicBlock* node : graph_.syncs()) polling_.yield_before(node->front());
  for (const Reduction& reduction : reductions_) emit(reduction, exited);
  for (llvm::BasicBlock* node : graph_.syncs())
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*node)) {
      if (builtin_of(instruction) == Builtin::grid_barrier) {
        llvm::IRBuilder<> b(&instruction);
        call_runtime(b, "__reprise_grid_sync", b.getVoidTy(),
                     {thread_argument(*node->getParent(), ThreadArgument::launch)});
      }
      if (is_block_level(builtin_of(instruction))) instruction.eraseFromParent();
    }
}

}  // namespace reprise_compiler::device
