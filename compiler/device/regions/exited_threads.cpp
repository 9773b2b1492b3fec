#include "regions/exited_threads.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace reprise_compiler::device {
namespace {

using llvm::BasicBlock;
using llvm::Value;

// What the scalar phis of the next node get from this region; all its ways out bring the same.
void bring_same(Skeleton& skeleton, Region& region, BasicBlock* from) {
  for (llvm::PHINode& phi : region.next->phis())
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      if (skeleton.region_of(phi.getIncomingBlock(i)) == &region) {
        phi.addIncoming(phi.getIncomingValue(i), from);
        break;
      }
}

}  // namespace

ExitedThreads::ExitedThreads(Skeleton& skeleton, RegionValues& values, ThreadSlots& slots, bool with_flags)
    : slots_(slots), any_(!skeleton.early_exits.empty()), followers_(followers(skeleton)) {
  if (!any_) return;
  if (!with_flags) look_again_ = reason_to_look_at_again(skeleton, values);
  if (!look_again_) make_flags(skeleton);
}

std::set<Region*> ExitedThreads::followers(Skeleton& skeleton) {
  std::set<Region*> found;
  std::vector<BasicBlock*> pending;
  std::set<BasicBlock*> seen;
  for (Region& region : skeleton.regions())
    if (!region.exits.empty()) pending.push_back(region.next);
  while (!pending.empty()) {
    BasicBlock* block = pending.back();
    pending.pop_back();
    if (!seen.insert(block).second) continue;
    if (Region* follower = skeleton.region_of(block)) found.insert(follower);
    if (!skeleton.region_of(block) && !skeleton.is_node(block)) continue;
    for (BasicBlock* next : llvm::successors(block)) pending.push_back(next);
  }
  return found;
}

// One exit only, by which every thread passes, once, and whose condition costs little.
const EarlyExit* ExitedThreads::reason_to_look_at_again(Skeleton& skeleton, RegionValues& values) const {
  if (skeleton.early_exits.size() != 1) return nullptr;
  const EarlyExit& exit = skeleton.early_exits.front();
  if (!values.is_cheap(present_condition(exit))) return nullptr;
  for (Region& region : skeleton.regions()) {
    if (region.exits.empty() || followers_.count(&region)) continue;
    if (region.prologue->getSinglePredecessor() != skeleton.start()) continue;
    for (BasicBlock* block = region.entry; block; block = block->getSingleSuccessor())
      if (llvm::is_contained(llvm::successors(block), exit.tail.front())) return &exit;
  }
  return nullptr;
}

void ExitedThreads::make_flags(Skeleton& skeleton) {
  llvm::IRBuilder<> b(skeleton.start()->getTerminator());
  alive_ = slots_.allocate(b.getInt1Ty());
  b.SetInsertPoint(skeleton.start()->getTerminator());
  b.CreateMemSet(alive_.array, b.getInt8(1), slots_.thread_count(), llvm::Align(1));
}

void ExitedThreads::guard(Skeleton& skeleton, Region& region, RegionValues& values) const {
  llvm::IRBuilder<> b(region.entry->getTerminator());
  Value* alive;
  if (look_again_) {
    Value* condition = values.value_in(region, present_condition(*look_again_));
    b.SetInsertPoint(region.entry->getTerminator());
    alive = look_again_->when ? b.CreateNot(condition) : condition;
  } else {
    alive = slots_.load(b, alive_, b.getInt1Ty());
  }
  BasicBlock* first = region.entry->getSingleSuccessor();
  auto* skip = BasicBlock::Create(first->getContext(), "exited", first->getParent(), first);
  llvm::BranchInst::Create(region.next, skip);
  bring_same(skeleton, region, skip);
  skeleton.add_block(region, skip);
  llvm::Instruction* old = region.entry->getTerminator();
  llvm::BranchInst::Create(first, skip, alive, old->getIterator());
  old->eraseFromParent();
}

void ExitedThreads::let_leave(Skeleton& skeleton, Region& region) const {
  for (BasicBlock* block : region.exits) {
    llvm::Instruction* ret = block->getTerminator();
    llvm::IRBuilder<> b(ret);
    if (alive_.type) slots_.store(b, alive_, b.getFalse());
    b.CreateBr(region.next);
    ret->eraseFromParent();
    bring_same(skeleton, region, block);
  }
}

}  // namespace reprise_compiler::device
