#include "loops/uniform_trip_count.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "ir/builtin.h"
#include "ir/thread_arguments.h"
#include "loops/guarded_loop.h"
#include "loops/thread_bounds.h"
#include "loops/thread_interchange.h"
#include "threads/uniformity.h"

namespace reprise_compiler::device {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Value;

class DivergentLoop {
 public:
  DivergentLoop(llvm::Loop& loop, llvm::Function& body, Level level, const Uniformity& uniformity)
      : loop_(loop), body_(body), uniformity_(uniformity), threads_(body, level, uniformity) {}

  // With a guard, also matches loops that start at a uniform value known before the guard.
  bool matches(const GuardedLoop* guard) {
    header_ = loop_.getHeader();
    latch_ = loop_.getLoopLatch();
    if (!latch_ || latch_ == header_ || !loop_.getLoopPreheader() || loop_.getExitingBlock() != header_) return false;
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(header_->getTerminator());
    condition_ = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!condition_ || !condition_->hasOneUse()) return false;
    index_ = llvm::dyn_cast<llvm::PHINode>(condition_->getOperand(0));
    limit_ = condition_->getOperand(1);
    if (!index_ || index_->getParent() != header_ || !has_uniform_step() || !continues_below_limit(*branch) ||
        !is_header_movable() || synchronizes())
      return false;
    return guard ? is_known_before(*guard) : first_thread_iterates_most();
  }

  // `split_off_full_iterations`: iterations in which all threads have work come first, in a loop of their own.
  void rewrite(GuardedLoop* around, bool split_off_full_iterations) {
    llvm::IRBuilder<> b(around ? around->branch() : loop_.getLoopPreheader()->getTerminator());
    const Bounds bounds = compute_bounds(b, around, split_off_full_iterations);
    if (around) around->hoist_loop();
    BasicBlock* preheader = loop_.getLoopPreheader();

    auto* branch = llvm::cast<llvm::BranchInst>(header_->getTerminator());
    if (!loop_.contains(branch->getSuccessor(0))) branch->swapSuccessors();
    BasicBlock* work = branch->getSuccessor(0);
    auto* guard = BasicBlock::Create(body_.getContext(), "active", &body_, work);
    auto* next = BasicBlock::Create(body_.getContext(), "next", &body_, work);
    b.SetInsertPoint(header_, header_->begin());
    llvm::PHINode* done = b.CreatePHI(b.getInt64Ty(), 2, "done");
    move_rest_of_header(guard);
    emit_uniform_condition(b, *branch, done, bounds);
    branch->setSuccessor(0, guard);
    work->replacePhiUsesWith(header_, guard);
    Value* index = emit_guard(b, guard, work, next, done, bounds);

    b.SetInsertPoint(next);
    close_other_phis(b, guard, next);
    Value* more = b.CreateAdd(done, bounds.step, "", true, true);
    b.CreateBr(header_);
    done->addIncoming(b.getInt64(0), preheader);
    done->addIncoming(more, next);
    latch_->getTerminator()->replaceSuccessorWith(header_, next);
    index_->replaceAllUsesWith(index);
    index_->eraseFromParent();
    condition_->eraseFromParent();
    if (split_off_full_iterations) emit_full_iterations_first(preheader, guard, next, done, bounds);
  }

 private:
  // Computed before the loop, 64 bits.
  struct Bounds {
    Value *start, *first_start, *last_start;  // of this thread, of the first, of the last; null if not needed
    Value *end, *step;
    Value *works, *any_works;  // condition of the guard for this thread, and for any; null without guard
  };

  Bounds compute_bounds(llvm::IRBuilder<>& b, GuardedLoop* around, bool with_last) const {
    using Edge = ThreadBounds::Edge;
    auto wide = [&](Value* value) {
      return is_signed_ ? b.CreateSExt(value, b.getInt64Ty()) : b.CreateZExt(value, b.getInt64Ty());
    };
    Value* own_start = index_->getIncomingValueForBlock(loop_.getLoopPreheader());
    Bounds bounds{};
    bounds.first_start = wide(threads_.bound_of(b, own_start, Edge::first, is_signed_));
    if (with_last) bounds.last_start = wide(threads_.bound_of(b, own_start, Edge::last, is_signed_));
    bounds.end = wide(limit_);
    bounds.step = wide(step_);
    bounds.start = wide(own_start);
    if (around) bounds.works = around->condition();
    if (around) bounds.any_works = threads_.value_at(b, bounds.works, Edge::first);
    return bounds;
  }

  // The loop goes on as long as the first thread has work.
  void emit_uniform_condition(llvm::IRBuilder<>& b, llvm::BranchInst& branch, Value* done, const Bounds& bounds) const {
    b.SetInsertPoint(&branch);
    Value* any_left = compare(b, b.CreateAdd(bounds.first_start, done, "", !is_signed_, true), bounds.end);
    branch.setCondition(bounds.works ? b.CreateLogicalAnd(bounds.any_works, any_left) : any_left);
  }

  // Branches to `work` if this thread has work, else to `next`. Returns the thread's index.
  Value* emit_guard(llvm::IRBuilder<>& b, BasicBlock* guard, BasicBlock* work, BasicBlock* next, Value* done,
                    const Bounds& bounds) const {
    b.SetInsertPoint(guard, guard->begin());
    // The start may be negative, as in a loop over a halo.
    Value* index = b.CreateAdd(bounds.start, done, "", !is_signed_, true);
    Value* narrow = index_->getType()->isIntegerTy(64)
                        ? index
                        : b.CreateTrunc(index, index_->getType(), "", !is_signed_, is_signed_);
    b.SetInsertPoint(guard);
    Value* is_left = compare(b, index, bounds.end);
    b.CreateCondBr(bounds.works ? b.CreateLogicalAnd(bounds.works, is_left) : is_left, work, next);
    return narrow;
  }

  Value* compare(llvm::IRBuilder<>& b, Value* left, Value* right) const {
    return is_signed_ ? b.CreateICmpSLT(left, right) : b.CreateICmpULT(left, right);
  }

  // LLVM canonicalises the condition of a loop that counts from 0 by ones to `counter != limit`.
  bool continues_below_limit(const llvm::BranchInst& branch) {
    const bool first_continues = loop_.contains(branch.getSuccessor(0));
    const auto predicate = first_continues ? condition_->getPredicate() : condition_->getInversePredicate();
    is_signed_ = predicate == llvm::CmpInst::ICMP_SLT;
    if (is_signed_ || predicate == llvm::CmpInst::ICMP_ULT) return first_continues;
    return predicate == llvm::CmpInst::ICMP_NE && match(step_, m_One()) &&
           match(index_->getIncomingValueForBlock(loop_.getLoopPreheader()), m_Zero());
  }

  bool is_uniform_and_invariant(Value* value) const {
    return uniformity_.is_uniform(value) && loop_.isLoopInvariant(value);
  }

  bool has_uniform_step() {
    Value* stepped = index_->getIncomingValueForBlock(latch_);
    if (!match(stepped, m_c_Add(m_Specific(index_), m_Value(step_)))) return false;
    const llvm::APInt* constant;
    if (match(step_, m_APInt(constant)) && !constant->isStrictlyPositive()) return false;
    return is_uniform_and_invariant(step_) && is_uniform_and_invariant(limit_) && stepped->hasOneUse();
  }

  // If start, limit and step are known before the guard, threads that skip it can take part in the loop.
  bool is_known_before(const GuardedLoop& guard) const {
    Value* start = index_->getIncomingValueForBlock(loop_.getLoopPreheader());
    return guard.is_known_before(start) && guard.is_known_before(limit_) && guard.is_known_before(step_) &&
           threads_.is_count(step_) && (uniformity_.is_uniform(start) || threads_.grows_with_index(start));
  }

  // True if the start grows with the thread index, so that the first thread has the most iterations.
  bool first_thread_iterates_most() {
    Value* start = index_->getIncomingValueForBlock(loop_.getLoopPreheader());
    return !uniformity_.is_uniform(start) && threads_.grows_with_index(start);
  }

  // Copies the loop in front of itself without the condition; the copy runs as long as the last thread has work.
  void emit_full_iterations_first(BasicBlock* preheader, BasicBlock* guard, BasicBlock* next, llvm::PHINode* done,
                                  const Bounds& bounds) {
    llvm::ValueToValueMapTy map;
    llvm::SmallVector<BasicBlock*, 8> copies;
    std::vector<BasicBlock*> originals(loop_.blocks().begin(), loop_.blocks().end());
    originals.insert(originals.end(), {guard, next});
    for (BasicBlock* block : originals) {
      copies.push_back(llvm::CloneBasicBlock(block, map, ".full", &body_));
      map[block] = copies.back();
    }
    llvm::remapInstructionsInBlocks(copies, map);

    auto* full = llvm::cast<BasicBlock>(map[header_]);
    auto* rest = BasicBlock::Create(body_.getContext(), "rest", &body_, header_);
    llvm::BranchInst::Create(header_, rest);
    preheader->getTerminator()->replaceSuccessorWith(header_, full);
    for (llvm::PHINode& phi : header_->phis()) {
      const unsigned place = unsigned(phi.getBasicBlockIndex(preheader));
      phi.setIncomingBlock(place, rest);
      phi.setIncomingValue(place, map[&phi]);
    }
    auto* branch = llvm::cast<llvm::BranchInst>(full->getTerminator());
    llvm::IRBuilder<> b(branch);
    branch->setCondition(compare(b, b.CreateAdd(bounds.last_start, map[done], "", !is_signed_, true), bounds.end));
    branch->setSuccessor(1, rest);

    auto* tests = llvm::cast<BasicBlock>(map[guard]);
    llvm::cast<BasicBlock>(map[next])->removePredecessor(tests, true);
    llvm::ReplaceInstWithInst(tests->getTerminator(),
                              llvm::BranchInst::Create(tests->getTerminator()->getSuccessor(0)));
  }

  // True if the header has only phis and arithmetic, and nothing but other phis is used after the loop.
  bool is_header_movable() const {
    for (llvm::Instruction& instruction : *header_) {
      if (llvm::isa<llvm::PHINode>(instruction) && &instruction != index_) continue;
      if (instruction.mayReadOrWriteMemory()) return false;
      for (const llvm::User* user : instruction.users())
        if (!loop_.contains(llvm::cast<llvm::Instruction>(user))) return false;
    }
    return true;
  }

  bool synchronizes() const {
    return llvm::any_of(loop_.blocks(), [](BasicBlock* block) {
      return llvm::any_of(*block, [](llvm::Instruction& i) { return is_synchronization(builtin_of(i)); });
    });
  }

  void move_rest_of_header(BasicBlock* guard) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*header_))
      if (!llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() && &instruction != condition_)
        instruction.moveBefore(*guard, guard->end());
  }

  // A thread without work in an iteration keeps its values.
  void close_other_phis(llvm::IRBuilder<>& b, BasicBlock* guard, BasicBlock* next) {
    for (llvm::PHINode& phi : header_->phis()) {
      if (&phi == index_ || phi.getNumIncomingValues() == 0) continue;  // the new counter has none yet
      llvm::PHINode* kept = b.CreatePHI(phi.getType(), 2);
      kept->addIncoming(phi.getIncomingValueForBlock(latch_), latch_);
      kept->addIncoming(&phi, guard);
      const int place = phi.getBasicBlockIndex(latch_);
      phi.setIncomingValue(unsigned(place), kept);
      phi.setIncomingBlock(unsigned(place), next);
    }
  }

  llvm::Loop& loop_;
  llvm::Function& body_;
  const Uniformity& uniformity_;
  const ThreadBounds threads_;
  BasicBlock *header_ = nullptr, *latch_ = nullptr;
  llvm::ICmpInst* condition_ = nullptr;
  llvm::PHINode* index_ = nullptr;
  Value *limit_ = nullptr, *step_ = nullptr;
  bool is_signed_ = false;
};

bool make_one_trip_count_uniform(llvm::Function& body, Level level) {
  llvm::DominatorTree dominators(body);
  llvm::LoopInfo loops(dominators);
  if (loops.empty()) return false;
  const llvm::PostDominatorTree post_dominators(body);
  const Uniformity uniformity(body, level);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    DivergentLoop divergent(*loop, body, level, uniformity);
    GuardedLoop guarded(*loop, body, level, uniformity, dominators, post_dominators, loops);
    GuardedLoop* guard = guarded.matches() && benefits_from_interchange(*loop, body, level) ? &guarded : nullptr;
    if (guard && !divergent.matches(guard)) guard = nullptr;
    if (!guard && !divergent.matches(nullptr)) continue;
    // A loop over lanes keeps its 32 iterations and tests each lane; a loop over the threads of a block gets bounds.
    divergent.rewrite(guard, !guard && level == Level::warp && benefits_from_interchange(*loop, body, level));
    return true;
  }
  return false;
}

}  // namespace

void make_trip_counts_uniform(llvm::Function& body, Level level) {
  // Each rewrite changes the loop structure, so the search starts anew.
  while (make_one_trip_count_uniform(body, level)) {
  }
}

}  // namespace reprise_compiler::device
