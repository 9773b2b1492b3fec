#include "loops/guarded_loop.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <set>

#include "ir/thread_arguments.h"
#include "threads/warp_uniformity.h"

namespace reprise_compiler::device {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Value;

bool GuardedLoop::matches() {
  BasicBlock *header = loop_.getHeader(), *preheader = loop_.getLoopPreheader(), *exit = loop_.getExitBlock();
  if (!preheader || !exit || loop_.getExitingBlock() != header || exit->getSinglePredecessor() != header) return false;
  // The nearest dominator that the loop does not post-dominate.
  const auto* node = dominators_.getNode(preheader);
  while (node && post_dominators_.dominates(header, node->getBlock())) node = node->getIDom();
  if (!node || loops_.getLoopFor(node->getBlock()) != loop_.getParentLoop()) return false;
  BasicBlock* from = node->getBlock();
  branch_ = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
  if (!branch_ || !branch_->isConditional() || !uniformity_.is_divergent_branch(*from)) return false;
  const auto* parent = post_dominators_.getNode(from) ? post_dominators_.getNode(from)->getIDom() : nullptr;
  join_ = parent ? parent->getBlock() : nullptr;
  // Threads that leave the kernel need no handling here (regions/early_exit.h).
  if (!join_ || llvm::isa<llvm::ReturnInst>(join_->getFirstNonPHIOrDbg())) return false;
  wanted_ = branch_->getSuccessor(1) == join_;
  if (!wanted_ && branch_->getSuccessor(0) != join_) return false;
  inside_ = branch_->getSuccessor(wanted_ ? 0 : 1);
  if (inside_ == join_ || inside_->getSinglePredecessor() != from || llvm::isa<llvm::PHINode>(inside_->front()) ||
      !post_dominators_.dominates(header, inside_) || !is_bound(branch_->getCondition(), wanted_))
    return false;
  move_arithmetic_before();
  return true;
}

Value* GuardedLoop::condition() {
  if (!condition_)
    condition_ = wanted_ ? branch_->getCondition() : llvm::IRBuilder<>(branch_).CreateNot(branch_->getCondition());
  return condition_;
}

// True for a condition that regions/thread_range.h can turn into a bound and that is false for all threads if it is
// false for the first: a thread's position compared with a uniform limit.
bool GuardedLoop::is_bound(Value* condition, bool wanted) const {
  if (uniformity_.is_uniform(condition)) return true;
  Value *a, *b;
  const bool both = wanted ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                           : match(condition, m_LogicalOr(m_Value(a), m_Value(b)));
  if (both) return is_bound(a, wanted) && is_bound(b, wanted);
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (!compare || !compare->isRelational()) return false;
  auto predicate = wanted ? compare->getPredicate() : compare->getInversePredicate();
  Value *place = compare->getOperand(0), *limit = compare->getOperand(1);
  if (llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate)) std::swap(place, limit);
  return uniformity_.is_uniform(limit) && is_position(place, compare->isSigned(), 8);
}

// Grows with the thread index without wrapping.
bool GuardedLoop::is_position(Value* value, bool is_signed, unsigned depth) const {
  if (uniformity_.is_uniform(value) || (level_ == Level::warp && is_lane(value, body_))) return true;
  for (ThreadArgument which : {ThreadArgument::thread_index_x, ThreadArgument::thread_index_y,
                               ThreadArgument::thread_index_z, ThreadArgument::thread_number})
    if (value == thread_argument(body_, which)) return true;
  Value *a, *b;
  if (!depth--) return false;
  if (match(value, m_ZExt(m_Value(a)))) return is_position(a, false, depth);
  if (match(value, m_SExt(m_Value(a)))) return is_signed && is_position(a, true, depth);
  const bool exact =
      is_signed ? match(value, m_NSWAdd(m_Value(a), m_Value(b))) : match(value, m_NUWAdd(m_Value(a), m_Value(b)));
  return exact && is_position(a, is_signed, depth) && is_position(b, is_signed, depth);
}

bool GuardedLoop::is_known_before(const Value* value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return !instruction || dominators_.dominates(instruction, branch_);
}

std::vector<BasicBlock*> GuardedLoop::blocks_before_loop() const {
  std::vector<BasicBlock*> found{inside_};
  std::set<BasicBlock*> seen{inside_, loop_.getHeader()};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (BasicBlock* next : llvm::successors(found[i]))
      if (seen.insert(next).second) found.push_back(next);
  return found;
}

void GuardedLoop::move_arithmetic_before() {
  for (BasicBlock* block : blocks_before_loop())
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
      const bool is_arithmetic =
          llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::MinMaxIntrinsic>(instruction) ||
          (llvm::isa<llvm::BinaryOperator>(instruction) && instruction.getType()->isIntegerTy() &&
           !instruction.isIntDivRem());
      if (is_arithmetic &&
          llvm::all_of(instruction.operands(), [&](const llvm::Use& use) { return is_known_before(use.get()); }))
        instruction.moveBefore(branch_);
    }
}

void GuardedLoop::hoist_loop() {
  BasicBlock *from = branch_->getParent(), *header = loop_.getHeader(), *last = loop_.getLoopPreheader(),
             *exit = loop_.getExitBlock();
  const std::vector<BasicBlock*> before = blocks_before_loop();
  Value* works = condition();
  llvm::IRBuilder<> b(branch_);

  auto* loop_entry = BasicBlock::Create(body_.getContext(), "loop.entry", &body_, header);
  auto* loop_exit = BasicBlock::Create(body_.getContext(), "loop.exit", &body_, exit);
  branch_->replaceSuccessorWith(join_, loop_entry);
  last->getTerminator()->replaceSuccessorWith(header, loop_entry);
  header->replacePhiUsesWith(last, loop_entry);
  header->getTerminator()->replaceSuccessorWith(exit, loop_exit);
  exit->replacePhiUsesWith(header, loop_exit);
  join_->replacePhiUsesWith(from, loop_exit);

  // Values computed on the way to the loop are poison for threads that did not take the branch.
  b.SetInsertPoint(loop_entry);
  for (BasicBlock* block : before)
    for (llvm::Instruction& instruction : *block) {
      std::vector<llvm::Use*> uses;
      for (llvm::Use& use : instruction.uses()) {
        auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
        BasicBlock* place = phi ? phi->getIncomingBlock(use) : user->getParent();
        if (place == loop_entry || !llvm::is_contained(before, place)) uses.push_back(&use);
      }
      if (uses.empty()) continue;
      llvm::PHINode* kept = b.CreatePHI(instruction.getType(), 2);
      kept->addIncoming(&instruction, last);
      kept->addIncoming(llvm::PoisonValue::get(instruction.getType()), from);
      for (llvm::Use* use : uses) use->set(kept);
    }
  b.CreateBr(header);
  b.SetInsertPoint(loop_exit);
  b.CreateCondBr(works, exit, join_);
}

}  // namespace reprise_compiler::device
