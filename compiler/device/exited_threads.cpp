#include "exited_threads.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <set>

namespace reprise::device {
namespace {

using llvm::BasicBlock;
using llvm::Value;

class Guard {
 public:
  Guard(Skeleton& skeleton, RegionValues& values, Slots& slots) : skeleton_(skeleton), values_(values), slots_(slots) {}

  void run() {
    for (Region& region : skeleton_.regions())
      if (!region.exits.empty()) note_followers(region);
    const EarlyExit* look_again = reason_to_look_at_again();
    if (!look_again) make_flags();
    for (Region* region : followers_) {
      llvm::IRBuilder<> b(region->entry->getTerminator());
      if (look_again) {
        Value* left = values_.value_in(*region, look_again->condition);
        b.SetInsertPoint(region->entry->getTerminator());
        guard(*region, look_again->when ? b.CreateNot(left) : left);
      } else {
        guard(*region, slots_.load(b, alive_, b.getInt1Ty()));
      }
    }
    for (Region& region : skeleton_.regions())
      for (BasicBlock* block : region.exits) leave(region, block);
  }

 private:
  // Every region that can run after this one.
  void note_followers(Region& region) {
    std::vector<BasicBlock*> pending{region.next};
    std::set<BasicBlock*> seen;
    while (!pending.empty()) {
      BasicBlock* block = pending.back();
      pending.pop_back();
      if (!seen.insert(block).second) continue;
      if (Region* follower = skeleton_.region_of(block)) followers_.insert(follower);
      for (BasicBlock* next : llvm::successors(block)) pending.push_back(next);
    }
  }

  // One exit only, by which every thread passes, once, and whose condition costs little.
  const EarlyExit* reason_to_look_at_again() {
    if (skeleton_.early_exits.size() != 1) return nullptr;
    const EarlyExit& exit = skeleton_.early_exits.front();
    if (!values_.is_cheap(exit.condition)) return nullptr;
    for (Region& region : skeleton_.regions()) {
      if (region.exits.empty() || followers_.count(&region)) continue;
      // Followed without a branch from the first node of all.
      if (region.prologue->getSinglePredecessor() != &region.entry->getParent()->getEntryBlock()) continue;
      for (BasicBlock* block = region.entry; block; block = block->getSingleSuccessor())
        if (llvm::is_contained(llvm::successors(block), exit.tail.front())) return &exit;
    }
    return nullptr;
  }

  void make_flags() {
    BasicBlock& start = skeleton_.regions().front().entry->getParent()->getEntryBlock();
    llvm::IRBuilder<> b(start.getTerminator());
    alive_ = slots_.allocate(b.getInt1Ty());
    b.CreateMemSet(alive_.array, b.getInt8(1), slots_.thread_count(), llvm::Align(1));
  }

  // What the scalar phis of the next node get from this region; all its ways out bring the same.
  void bring_same(Region& region, BasicBlock* from) {
    for (llvm::PHINode& phi : region.next->phis())
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
        if (skeleton_.region_of(phi.getIncomingBlock(i)) == &region) {
          phi.addIncoming(phi.getIncomingValue(i), from);
          break;
        }
  }

  void guard(Region& region, Value* alive) {
    BasicBlock* first = region.entry->getSingleSuccessor();
    auto* skip = BasicBlock::Create(first->getContext(), "exited", first->getParent(), first);
    llvm::BranchInst::Create(region.next, skip);
    bring_same(region, skip);
    skeleton_.add_block(region, skip);
    llvm::Instruction* old = region.entry->getTerminator();
    llvm::BranchInst::Create(first, skip, alive, old->getIterator());
    old->eraseFromParent();
  }

  void leave(Region& region, BasicBlock* block) {
    llvm::IRBuilder<> b(block->getTerminator());
    if (alive_.type) slots_.store(b, alive_, b.getFalse());
    b.CreateBr(region.next);
    bring_same(region, block);
    block->getTerminator()->eraseFromParent();
  }

  Skeleton& skeleton_;
  RegionValues& values_;
  Slots& slots_;
  Slot alive_;
  std::set<Region*> followers_;
};

}  // namespace

void guard_against_exited_threads(Skeleton& skeleton, RegionValues& values, Slots& slots) {
  if (!skeleton.early_exits.empty()) Guard(skeleton, values, slots).run();
}

}  // namespace reprise::device
