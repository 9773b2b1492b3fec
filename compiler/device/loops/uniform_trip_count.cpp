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
#include "loops/thread_interchange.h"
#include "threads/uniformity.h"
#include "threads/warp_uniformity.h"

namespace reprise_compiler::device {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Value;

class EvenLoop {
 public:
  EvenLoop(llvm::Loop& loop, llvm::Function& body, Level level, const Uniformity& uniformity)
      : loop_(loop), body_(body), level_(level), uniformity_(uniformity) {}

  // With a guard also a loop that all its threads begin alike, from values known before the guard.
  bool matches(const GuardedLoop* guard) {
    header_ = loop_.getHeader();
    latch_ = loop_.getLoopLatch();
    if (!latch_ || latch_ == header_ || !loop_.getLoopPreheader() || loop_.getExitingBlock() != header_) return false;
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(header_->getTerminator());
    condition_ = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!condition_ || !condition_->hasOneUse()) return false;
    index_ = llvm::dyn_cast<llvm::PHINode>(condition_->getOperand(0));
    limit_ = condition_->getOperand(1);
    if (!index_ || index_->getParent() != header_ || !has_even_step() || !goes_on_below_limit(*branch) ||
        !stays_inside() || synchronises())
      return false;
    return guard ? is_known_before(*guard) : has_first_thread_last();
  }

  // `whole_turns_apart`: turns in which all threads have work come first, in a loop of their own.
  void rewrite(GuardedLoop* around, bool whole_turns_apart) {
    BasicBlock* preheader = loop_.getLoopPreheader();
    llvm::IRBuilder<> b(around ? around->branch() : preheader->getTerminator());
    auto wide = [&](Value* value) {
      return is_signed_ ? b.CreateSExt(value, b.getInt64Ty()) : b.CreateZExt(value, b.getInt64Ty());
    };
    Value* own_start = index_->getIncomingValueForBlock(preheader);
    Value* first_start = wide(bound_of(b, own_start, Edge::first, is_signed_));
    Value* last_start = whole_turns_apart ? wide(bound_of(b, own_start, Edge::last, is_signed_)) : nullptr;
    Value* end = wide(limit_);
    Value* step = wide(step_);
    Value* start = wide(own_start);
    Value* works = around ? around->condition() : nullptr;
    Value* anyone_works = works ? for_thread(b, works, Edge::first) : nullptr;
    if (around) around->take_out();
    preheader = loop_.getLoopPreheader();

    auto* branch = llvm::cast<llvm::BranchInst>(header_->getTerminator());
    if (!loop_.contains(branch->getSuccessor(0))) branch->swapSuccessors();
    BasicBlock* work = branch->getSuccessor(0);
    auto* guard = BasicBlock::Create(body_.getContext(), "active", &body_, work);
    auto* next = BasicBlock::Create(body_.getContext(), "turn", &body_, work);
    b.SetInsertPoint(header_, header_->begin());
    llvm::PHINode* done = b.CreatePHI(b.getInt64Ty(), 2, "done");
    move_rest_of_header(guard);

    b.SetInsertPoint(header_->getTerminator());
    Value* anyone = compare(b, b.CreateAdd(first_start, done, "", !is_signed_, true), end);
    branch->setCondition(works ? b.CreateLogicalAnd(anyone_works, anyone) : anyone);
    branch->setSuccessor(0, guard);
    work->replacePhiUsesWith(header_, guard);

    b.SetInsertPoint(guard, guard->begin());
    // A loop over a halo starts below zero.
    Value* index = b.CreateAdd(start, done, "", !is_signed_, true);
    Value* narrow = index_->getType()->isIntegerTy(64)
                        ? index
                        : b.CreateTrunc(index, index_->getType(), "", !is_signed_, is_signed_);
    b.SetInsertPoint(guard);
    Value* has_turn = compare(b, index, end);
    b.CreateCondBr(works ? b.CreateLogicalAnd(works, has_turn) : has_turn, work, next);

    b.SetInsertPoint(next);
    close_other_phis(b, preheader, guard, next);
    llvm::Value* more = b.CreateAdd(done, step, "", true, true);
    b.CreateBr(header_);
    done->addIncoming(b.getInt64(0), preheader);
    done->addIncoming(more, next);
    latch_->getTerminator()->replaceSuccessorWith(header_, next);
    index_->replaceAllUsesWith(narrow);
    index_->eraseFromParent();
    condition_->eraseFromParent();
    if (whole_turns_apart) run_whole_turns_first(preheader, guard, next, done, last_start, end);
  }

 private:
  Value* compare(llvm::IRBuilder<>& b, Value* left, Value* right) const {
    return is_signed_ ? b.CreateICmpSLT(left, right) : b.CreateICmpULT(left, right);
  }

  // LLVM makes `counter != limit` of a loop that counts from 0 by ones.
  bool goes_on_below_limit(const llvm::BranchInst& branch) {
    const bool first_goes_on = loop_.contains(branch.getSuccessor(0));
    const auto predicate = first_goes_on ? condition_->getPredicate() : condition_->getInversePredicate();
    is_signed_ = predicate == llvm::CmpInst::ICMP_SLT;
    if (is_signed_ || predicate == llvm::CmpInst::ICMP_ULT) return first_goes_on;
    return predicate == llvm::CmpInst::ICMP_NE && match(step_, m_One()) &&
           match(index_->getIncomingValueForBlock(loop_.getLoopPreheader()), m_Zero());
  }

  bool is_even(Value* value) const { return uniformity_.is_uniform(value) && loop_.isLoopInvariant(value); }

  bool has_even_step() {
    Value* stepped = index_->getIncomingValueForBlock(latch_);
    if (!match(stepped, m_c_Add(m_Specific(index_), m_Value(step_)))) return false;
    const llvm::APInt* constant;
    if (match(step_, m_APInt(constant)) && !constant->isStrictlyPositive()) return false;
    return is_even(step_) && is_even(limit_) && stepped->hasOneUse();
  }

  // Then it matters to nobody who is absent.
  bool is_known_before(const GuardedLoop& guard) const {
    Value* start = index_->getIncomingValueForBlock(loop_.getLoopPreheader());
    return guard.is_known_before(start) && guard.is_known_before(limit_) && guard.is_known_before(step_) &&
           is_count(step_, 4) && (uniformity_.is_uniform(start) || grows_with_thread(start, 8));
  }

  // Grows with every index of the thread, and not for any other reason.
  bool has_first_thread_last() {
    Value* start = index_->getIncomingValueForBlock(loop_.getLoopPreheader());
    return !uniformity_.is_uniform(start) && grows_with_thread(start, 8);
  }

  bool is_thread_index(const Value* value) const {
    if (level_ == Level::warp && is_lane(value, body_)) return true;
    for (ThreadArgument which : {ThreadArgument::thread_index_x, ThreadArgument::thread_index_y,
                                 ThreadArgument::thread_index_z, ThreadArgument::thread_number, ThreadArgument::lane})
      if (value == thread_argument(body_, which)) return true;
    return false;
  }

  bool is_size(const Value* value) const {
    const llvm::APInt* constant;
    if (match(value, m_APInt(constant))) return constant->isNonNegative();
    for (ThreadArgument which = ThreadArgument::grid_x; which != ThreadArgument::block_index_x; which = which + 1)
      if (value == thread_argument(body_, which)) return true;
    return false;
  }

  // Made of sizes: never 0.
  bool is_count(Value* value, unsigned depth) const {
    Value *a, *b;
    if (match(value, m_Zero())) return false;
    if (is_size(value)) return true;
    if (!depth--) return false;
    if (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Shl(m_Value(a), m_ConstantInt())))
      return is_count(a, depth);
    return match(value, m_Mul(m_Value(a), m_Value(b))) && is_count(a, depth) && is_count(b, depth);
  }

  bool grows_with_thread(Value* value, unsigned depth) const {
    if (is_thread_index(value) || uniformity_.is_uniform(value)) return true;
    Value *a, *b;
    if (!depth--) return false;
    if (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Trunc(m_Value(a)))) return grows_with_thread(a, depth);
    if (match(value, m_Add(m_Value(a), m_Value(b)))) return grows_with_thread(a, depth) && grows_with_thread(b, depth);
    if (match(value, m_c_Mul(m_Value(a), m_Value(b)))) {
      if (!is_size(b)) std::swap(a, b);
      return is_size(b) && grows_with_thread(a, depth);
    }
    const llvm::APInt* amount;
    return match(value, m_Shl(m_Value(a), m_APInt(amount))) && grows_with_thread(a, depth);
  }

  // The last one is known of a warp alone.
  enum class Edge { first, last };
  Value* for_thread(llvm::IRBuilder<>& b, Value* value, Edge edge) const {
    if (uniformity_.is_uniform(value)) return value;
    if (is_thread_index(value)) {
      if (level_ == Level::block || is_lane(value, body_))
        return llvm::ConstantInt::get(value->getType(), edge == Edge::first ? 0 : warp_size - 1);
      return edge == Edge::first ? b.CreateAnd(value, ~uint64_t(warp_size - 1)) : b.CreateOr(value, warp_size - 1);
    }
    llvm::Instruction* copy = llvm::cast<llvm::Instruction>(value)->clone();
    const bool widens = llvm::isa<llvm::ZExtInst>(copy) && !copy->hasNonNeg();
    for (llvm::Use& operand : copy->operands())
      operand.set(widens ? bound_of(b, operand, edge, false) : for_thread(b, operand, edge));
    return b.Insert(copy);
  }

  // Nobody's value is below that of the first, or above that of the last. An unsigned `threadIdx.x - 5` is, where the
  // first threads are below zero and the others are not: those that are next to wrapping say nothing of the others.
  Value* bound_of(llvm::IRBuilder<>& b, Value* value, Edge edge, bool is_signed) const {
    Value* own = for_thread(b, value, edge);
    if (is_signed || uniformity_.is_uniform(value)) return own;
    Value* first = edge == Edge::first ? own : for_thread(b, value, Edge::first);
    llvm::Type* type = value->getType();
    Value* utmost = edge == Edge::first ? llvm::Constant::getNullValue(type) : llvm::Constant::getAllOnesValue(type);
    return b.CreateSelect(b.CreateICmpSLT(first, llvm::Constant::getNullValue(type)), utmost, own);
  }

  // A copy of the loop before it, without the question who has a turn: it goes on as long as the last thread has one.
  void run_whole_turns_first(BasicBlock* preheader, BasicBlock* guard, BasicBlock* next, llvm::PHINode* done,
                             Value* last_start, Value* end) {
    llvm::ValueToValueMapTy map;
    llvm::SmallVector<BasicBlock*, 8> copies;
    std::vector<BasicBlock*> originals(loop_.blocks().begin(), loop_.blocks().end());
    originals.insert(originals.end(), {guard, next});
    for (BasicBlock* block : originals) {
      copies.push_back(llvm::CloneBasicBlock(block, map, ".whole", &body_));
      map[block] = copies.back();
    }
    llvm::remapInstructionsInBlocks(copies, map);

    auto* whole = llvm::cast<BasicBlock>(map[header_]);
    auto* rest = BasicBlock::Create(body_.getContext(), "rest", &body_, header_);
    llvm::BranchInst::Create(header_, rest);
    preheader->getTerminator()->replaceSuccessorWith(header_, whole);
    for (llvm::PHINode& phi : header_->phis()) {
      const unsigned place = unsigned(phi.getBasicBlockIndex(preheader));
      phi.setIncomingBlock(place, rest);
      phi.setIncomingValue(place, map[&phi]);
    }
    auto* branch = llvm::cast<llvm::BranchInst>(whole->getTerminator());
    llvm::IRBuilder<> b(branch);
    branch->setCondition(compare(b, b.CreateAdd(last_start, map[done], "", !is_signed_, true), end));
    branch->setSuccessor(1, rest);

    auto* asks = llvm::cast<BasicBlock>(map[guard]);
    llvm::cast<BasicBlock>(map[next])->removePredecessor(asks, true);
    llvm::ReplaceInstWithInst(asks->getTerminator(), llvm::BranchInst::Create(asks->getTerminator()->getSuccessor(0)));
  }

  // Nothing but phis and plain arithmetic in the header, and none of it needed after the loop but other phis.
  bool stays_inside() const {
    for (llvm::Instruction& instruction : *header_) {
      if (llvm::isa<llvm::PHINode>(instruction) && &instruction != index_) continue;
      if (instruction.mayReadOrWriteMemory()) return false;
      for (const llvm::User* user : instruction.users())
        if (!loop_.contains(llvm::cast<llvm::Instruction>(user))) return false;
    }
    return true;
  }

  bool synchronises() const {
    return llvm::any_of(loop_.blocks(), [](BasicBlock* block) {
      return llvm::any_of(*block, [](llvm::Instruction& i) { return is_synchronisation(marker_of(i)); });
    });
  }

  void move_rest_of_header(BasicBlock* guard) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*header_))
      if (!llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() && &instruction != condition_)
        instruction.moveBefore(*guard, guard->end());
  }

  // A thread that has no work this turn keeps what it had.
  void close_other_phis(llvm::IRBuilder<>& b, BasicBlock*, BasicBlock* guard, BasicBlock* next) {
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
  Level level_;
  const Uniformity& uniformity_;
  BasicBlock *header_ = nullptr, *latch_ = nullptr;
  llvm::ICmpInst* condition_ = nullptr;
  llvm::PHINode* index_ = nullptr;
  Value *limit_ = nullptr, *step_ = nullptr;
  bool is_signed_ = false;
};

bool even_out_one(llvm::Function& body, Level level) {
  llvm::DominatorTree dominators(body);
  llvm::LoopInfo loops(dominators);
  if (loops.empty()) return false;
  const llvm::PostDominatorTree after(body);
  const Uniformity uniformity(body, level);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    EvenLoop even(*loop, body, level, uniformity);
    GuardedLoop guarded(*loop, body, level, uniformity, dominators, after, loops);
    GuardedLoop* guard = guarded.matches() && runs_along_threads(*loop, body, level) ? &guarded : nullptr;
    if (guard && !even.matches(guard)) guard = nullptr;
    if (!guard && !even.matches(nullptr)) continue;
    // A warp's loop stays 32 long, and asks each lane; the threads of a block get bounds.
    even.rewrite(guard, !guard && level == Level::warp && runs_along_threads(*loop, body, level));
    return true;
  }
  return false;
}

}  // namespace

void even_out_loops(llvm::Function& body, Level level) {
  // Each changes the loops that the next is found among.
  while (even_out_one(body, level)) {
  }
}

}  // namespace reprise_compiler::device
