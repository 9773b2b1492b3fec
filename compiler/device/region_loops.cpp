#include "region_loops.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "thread_arguments.h"

namespace reprise::device {
namespace {

using llvm::BasicBlock;
using llvm::Value;

// One loop of the nest: counts from 0 to a limit of 64 bits.
struct Counter {
  BasicBlock *header, *latch;
  llvm::PHINode* index;
  llvm::BranchInst* branch = nullptr;

  Counter(llvm::Function& function, BasicBlock* before, llvm::StringRef name) {
    llvm::LLVMContext& context = function.getContext();
    header = BasicBlock::Create(context, name + ".loop", &function, before);
    latch = BasicBlock::Create(context, name + ".next", &function, before);
    index = llvm::IRBuilder<>(header).CreatePHI(llvm::Type::getInt64Ty(context), 2, name);
  }

  void close(BasicBlock* from, Value* limit, BasicBlock* after) {
    llvm::IRBuilder<> b(latch);
    Value* next = b.CreateAdd(index, b.getInt64(1), index->getName() + ".up", true, true);
    index->addIncoming(b.getInt64(0), from);
    index->addIncoming(next, latch);
    branch = b.CreateCondBr(b.CreateICmpULT(next, limit), header, after);
  }
};

// Every way from the region to the next node now goes to `latch`; the node is reached from `last` instead.
void redirect(Skeleton& skeleton, Region& region, BasicBlock* latch, BasicBlock* last) {
  for (llvm::PHINode& phi : region.next->phis()) {
    Value* brought = nullptr;
    for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
      if (skeleton.region_of(phi.getIncomingBlock(i)) == &region) {
        brought = phi.getIncomingValue(i);
        phi.removeIncomingValue(i, false);
      }
    phi.addIncoming(brought, last);
  }
  for (BasicBlock* block : region.blocks) {
    llvm::Instruction* terminator = block->getTerminator();
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
      if (terminator->getSuccessor(i) == region.next) terminator->setSuccessor(i, latch);
  }
}

void replace_in(const Region& region, Value* old, Value* replacement) {
  old->replaceUsesWithIf(replacement, [&](llvm::Use& use) {
    auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    return user && llvm::is_contained(region.blocks, user->getParent());
  });
}

}  // namespace

llvm::MDNode* group_accesses(llvm::ArrayRef<BasicBlock*> blocks) {
  auto* group = llvm::MDNode::getDistinct(blocks.front()->getContext(), {});
  for (BasicBlock* block : blocks)
    for (llvm::Instruction& instruction : *block) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || instruction.isVolatile() || instruction.isAtomic()) continue;
      if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer))) continue;  // one copy for all threads
      instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
    }
  return group;
}

void declare_parallel(llvm::BranchInst* latch, llvm::MDNode* group) {
  llvm::LLVMContext& context = latch->getContext();
  auto* accesses = llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group});
  auto* progress = llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.mustprogress")});
  auto* loop = llvm::MDNode::getDistinct(context, {nullptr, accesses, progress});
  loop->replaceOperandWith(0, loop);
  latch->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

bool does_nothing(const Region& region) {
  return llvm::none_of(region.blocks, [](BasicBlock* block) {
    return llvm::any_of(*block, [](llvm::Instruction& i) { return i.mayHaveSideEffects(); });
  });
}

void bypass(Skeleton& skeleton, Region& region) {
  redirect(skeleton, region, region.entry, region.prologue);  // leaves the region's blocks without a way in or out
  region.prologue->getTerminator()->setSuccessor(0, region.next);
}

void wrap_in_thread_loop(Skeleton& skeleton, Region& region) {
  llvm::Function& body = *region.entry->getParent();
  Counter z(body, region.entry, "tid.z"), y(body, region.entry, "tid.y"), x(body, region.entry, "tid.x");
  redirect(skeleton, region, x.latch, z.latch);

  llvm::IRBuilder<> b(region.prologue->getTerminator());
  auto limit = [&](ThreadArgument which) { return b.CreateZExt(thread_argument(body, which), b.getInt64Ty()); };
  Value* size_x = limit(ThreadArgument::block_x);
  Value* size_y = limit(ThreadArgument::block_y);
  Value* size_z = limit(ThreadArgument::block_z);
  region.prologue->getTerminator()->setSuccessor(0, z.header);

  b.SetInsertPoint(z.header);
  Value* plane = b.CreateMul(z.index, size_y, "", true, true);
  b.CreateBr(y.header);
  b.SetInsertPoint(y.header);
  Value* row = b.CreateMul(b.CreateAdd(plane, y.index, "", true, true), size_x, "row", true, true);
  b.CreateBr(x.header);
  b.SetInsertPoint(x.header);
  Value* thread = b.CreateAdd(row, x.index, "thread", true, true);
  const std::pair<ThreadArgument, Value*> indices[] = {{ThreadArgument::thread_index_x, x.index},
                                                       {ThreadArgument::thread_index_y, y.index},
                                                       {ThreadArgument::thread_index_z, z.index}};
  for (const auto& [argument, index] : indices)
    replace_in(region, thread_argument(body, argument), b.CreateTrunc(index, b.getInt32Ty(), "", true, true));
  replace_in(region, thread_argument(body, ThreadArgument::thread_number), thread);
  b.CreateBr(region.entry);

  z.close(region.prologue, size_z, region.next);
  y.close(z.header, size_y, z.latch);
  x.close(y.header, size_x, y.latch);
  declare_parallel(x.branch, group_accesses(region.blocks));
}

}  // namespace reprise::device
