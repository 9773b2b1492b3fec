#include "loops/pointer_induction.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include "loops/stride.h"

namespace reprise_compiler::device {
namespace {

using llvm::BasicBlock;
using llvm::Value;

// The address base + index, in words
struct Place {
  Value *base, *index;
};

class PointerLoop {
 public:
  PointerLoop(llvm::Loop& loop, llvm::Function& body)
      : loop_(loop), body_(body), layout_(body.getParent()->getDataLayout()) {}

  // Matches loops that exit in the header when a pointer, starting at the thread's own word, reaches an invariant end.
  bool matches() {
    header_ = loop_.getHeader(), latch_ = loop_.getLoopLatch(), preheader_ = loop_.getLoopPreheader();
    if (!latch_ || !preheader_ || loop_.getExitingBlock() != header_) return false;
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(header_->getTerminator());
    condition_ = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!condition_ || condition_->getPredicate() != llvm::CmpInst::ICMP_ULT ||
        !loop_.contains(branch->getSuccessor(0)))
      return false;
    pointer_ = llvm::dyn_cast<llvm::PHINode>(condition_->getOperand(0));
    if (!pointer_ || pointer_->getParent() != header_ || !pointer_->getType()->isPointerTy() || !is_stepped(*pointer_))
      return false;
    word_ = size_of_step(*pointer_);
    step_ = step_of(*pointer_)->getOperand(1);
    return llvm::isPowerOf2_64(word_) && loop_.isLoopInvariant(condition_->getOperand(1)) &&
           stride_in_x(start_of(*pointer_), body_, Level::block) == int64_t(word_);
  }

  void rewrite() {
    llvm::IRBuilder<> b(preheader_->getTerminator());
    const Place start = place_of(b, *pointer_);
    auto address = [&](Value* pointer) { return b.CreatePtrToInt(pointer, b.getInt64Ty()); };
    Value* bytes = b.CreateSub(address(condition_->getOperand(1)), address(start.base), "", false, true);
    Value* limit = b.CreateAShr(b.CreateAdd(bytes, b.getInt64(word_ - 1), "", false, true), llvm::Log2_64(word_));

    b.SetInsertPoint(header_, header_->begin());
    llvm::PHINode* index = b.CreatePHI(b.getInt64Ty(), 2, "word");
    b.SetInsertPoint(latch_->getTerminator());
    index->addIncoming(start.index, preheader_);
    index->addIncoming(b.CreateAdd(index, b.CreateSExtOrTrunc(step_, b.getInt64Ty()), "", false, true), latch_);

    for (llvm::PHINode& phi : llvm::make_early_inc_range(header_->phis())) {
      if (&phi == index || !phi.getType()->isPointerTy() || !is_stepped(phi) || step_of(phi)->getOperand(1) != step_)
        continue;
      b.SetInsertPoint(preheader_->getTerminator());
      const Place own = &phi == pointer_ ? start : place_of(b, phi);
      Value* ahead = own.index == start.index ? nullptr : b.CreateSub(own.index, start.index, "", false, true);
      b.SetInsertPoint(header_, header_->getFirstInsertionPt());
      Value* place = ahead ? b.CreateAdd(index, ahead, "", false, true) : index;
      Value* counted = b.CreateGEP(step_of(phi)->getSourceElementType(), own.base, place);
      llvm::Instruction* step = step_of(phi);
      phi.replaceAllUsesWith(counted);
      phi.eraseFromParent();
      if (step->use_empty()) step->eraseFromParent();
    }
    b.SetInsertPoint(condition_);
    condition_->replaceAllUsesWith(b.CreateICmpSLT(index, limit));
    condition_->eraseFromParent();
  }

 private:
  llvm::GetElementPtrInst* step_of(llvm::PHINode& phi) const {
    return llvm::dyn_cast<llvm::GetElementPtrInst>(phi.getIncomingValueForBlock(latch_));
  }
  Value* start_of(llvm::PHINode& phi) const { return phi.getIncomingValueForBlock(preheader_); }

  uint64_t size_of(const llvm::GetElementPtrInst& address) const {
    return layout_.getTypeAllocSize(address.getSourceElementType()).getFixedValue();
  }
  uint64_t size_of_step(llvm::PHINode& phi) const { return size_of(*step_of(phi)); }

  bool is_stepped(llvm::PHINode& phi) const {
    const llvm::GetElementPtrInst* step = step_of(phi);
    return step && step->getPointerOperand() == &phi && step->getNumIndices() == 1 &&
           loop_.isLoopInvariant(step->getOperand(1));
  }

  // Start of a pointer, decomposed as far as its offsets count elements of the size of its step.
  Place place_of(llvm::IRBuilder<>& b, llvm::PHINode& phi) const {
    Place place{start_of(phi), nullptr};
    for (;;) {
      auto* sum = llvm::dyn_cast<llvm::GetElementPtrInst>(place.base);
      if (!sum || sum->getNumIndices() != 1 || size_of(*sum) != size_of_step(phi)) break;
      Value* words = b.CreateSExtOrTrunc(sum->getOperand(1), b.getInt64Ty());
      place = {sum->getPointerOperand(), place.index ? b.CreateAdd(place.index, words, "", false, true) : words};
    }
    if (!place.index) place.index = b.getInt64(0);
    return place;
  }

  llvm::Loop& loop_;
  llvm::Function& body_;
  const llvm::DataLayout& layout_;
  BasicBlock *header_ = nullptr, *latch_ = nullptr, *preheader_ = nullptr;
  llvm::ICmpInst* condition_ = nullptr;
  llvm::PHINode* pointer_ = nullptr;
  Value* step_ = nullptr;
  uint64_t word_ = 0;
};

}  // namespace

void rewrite_pointer_induction(llvm::Function& body) {
  llvm::DominatorTree dominators(body);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (PointerLoop found(*loop, body); found.matches()) found.rewrite();
}

}  // namespace reprise_compiler::device
