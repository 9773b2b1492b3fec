#include "loops/thread_interchange.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/builtin.h"
#include "loops/divergent_blocks.h"
#include "loops/stride.h"
#include "threads/uniformity.h"

namespace reprise_compiler::device {
namespace {

bool has_uniform_exits(const llvm::Loop& loop, const Uniformity& uniformity) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return !exiting.empty() &&
         llvm::none_of(exiting, [&](llvm::BasicBlock* block) { return uniformity.is_divergent_branch(*block); });
}

// True for instructions that cannot be vectorised in any loop order.
bool must_stay_scalar(const llvm::Instruction& instruction) {
  if (instruction.isAtomic() || instruction.isVolatile()) return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && !llvm::isa<llvm::IntrinsicInst>(call) && call->mayHaveSideEffects();
}

class Candidate {
 public:
  Candidate(llvm::Loop& loop, llvm::Function& body, Level level) : loop_(loop), body_(body), level_(level) {}

  bool is_worth_it() {
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block) {
        if (must_stay_scalar(instruction)) return false;
        if (llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction))
          count_access(address, llvm::getLoadStoreType(&instruction));
      }
    return along_loop_ <= along_threads_;
  }
  bool has_neighbours() const { return along_threads_ > 0; }

 private:
  void count_access(llvm::Value* address, llvm::Type* type) {
    const int64_t size = int64_t(body_.getParent()->getDataLayout().getTypeStoreSize(type).getFixedValue());
    const auto by_thread = stride_in_x(address, body_, level_);
    if (by_thread == size) {
      ++along_threads_;
      return;
    }
    if (by_thread == 0) return;
    for (llvm::PHINode& counter : loop_.getHeader()->phis())
      if (counter.getType()->isIntegerTy() && stride_in(address, counter) == size) ++along_loop_;
  }

  llvm::Loop& loop_;
  llvm::Function& body_;
  Level level_;
  unsigned along_threads_ = 0, along_loop_ = 0;
};

class Search {
 public:
  Search(llvm::Function& body, Level level)
      : body_(body), level_(level), uniformity_(body, level), divergent_(divergent_blocks(body, uniformity_, false)) {}

  void visit(llvm::Loop& loop) {
    if (divergent_.count(loop.getHeader()) || !has_uniform_exits(loop, uniformity_)) return;
    const std::size_t before = latches_.size();
    for (llvm::Loop* inner : loop) visit(*inner);
    // Interchanging an inner loop moves this one outside too.
    if (latches_.size() == before && loop.getLoopLatch() && Candidate(loop, body_, level_).is_worth_it())
      latches_.push_back(loop.getLoopLatch());
  }

  llvm::ArrayRef<llvm::BasicBlock*> latches() const { return latches_; }

 private:
  llvm::Function& body_;
  Level level_;
  const Uniformity uniformity_;
  const std::set<const llvm::BasicBlock*> divergent_;
  std::vector<llvm::BasicBlock*> latches_;
};

}  // namespace

bool benefits_from_interchange(llvm::Loop& loop, llvm::Function& body, Level level) {
  Candidate candidate(loop, body, level);
  return candidate.is_worth_it() && candidate.has_neighbours();
}

void interchange_with_thread_loop(llvm::Function& body, Level level) {
  llvm::DominatorTree dominators(body);
  llvm::LoopInfo loops(dominators);
  if (loops.empty()) return;
  Search search(body, level);
  for (llvm::Loop* loop : loops) search.visit(*loop);
  for (llvm::BasicBlock* latch : search.latches()) {
    llvm::IRBuilder<> b(latch->getTerminator());
    if (level == Level::block)
      call_builtin(b, Builtin::region_end);
    else
      call_builtin(b, Builtin::warp_sync, {b.getInt32(~0u)});
  }
}

}  // namespace reprise_compiler::device
