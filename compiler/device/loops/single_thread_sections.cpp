#include "loops/single_thread_sections.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "ir/builtin.h"
#include "ir/thread_arguments.h"
#include "loops/divergent_blocks.h"
#include "threads/warp_uniformity.h"

namespace reprise_compiler::device {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Value;

bool is_thread_position(const Value* value, llvm::Function& body, unsigned depth = 4) {
  for (ThreadArgument which = ThreadArgument::thread_index_x; which != ThreadArgument::row_length; which = which + 1)
    if (value == thread_argument(body, which)) return true;
  Value *a, *b;
  if (!depth--) return false;
  if (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Trunc(m_Value(a))))
    return is_thread_position(a, body, depth);
  if (match(value, m_c_Mul(m_Value(a), m_Value(b))) || match(value, m_Shl(m_Value(a), m_Value(b))))
    return is_thread_position(a, body, depth) && !llvm::isa<llvm::Instruction>(b);
  return match(value, m_c_Add(m_Value(a), m_Value(b))) && is_thread_position(a, body, depth) &&
         is_thread_position(b, body, depth);
}

class Search {
 public:
  Search(llvm::Function& body, Level level)
      : body_(body),
        level_(level),
        post_dominators_(body),
        divergent_(divergent_blocks(body, Uniformity(body, level), true)) {}

  // A branch that single threads take, and the block where they reconverge with the others.
  struct Section {
    llvm::BranchInst* branch;
    BasicBlock* join;
  };
  std::vector<Section> sections() {
    std::vector<Section> found;
    for (BasicBlock& block : body_) {
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
      if (!branch || !branch->isConditional() || divergent_.count(&block)) continue;
      BasicBlock* join = reconvergence_point(block);
      if (!join || llvm::isa<llvm::PHINode>(join->front())) continue;
      const bool skips = branch->getSuccessor(1) == join;
      if ((skips || branch->getSuccessor(0) == join) && selects_single_threads(branch->getCondition(), skips))
        found.push_back({branch, join});
    }
    return found;
  }

 private:
  BasicBlock* reconvergence_point(BasicBlock& block) const {
    const auto* node = post_dominators_.getNode(&block);
    return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  }

  // True if the condition holds for one thread of the block, or of each row or warp.
  bool selects_single_threads(Value* condition, bool wanted) const {
    Value *a, *b;
    const bool both = wanted ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                             : match(condition, m_LogicalOr(m_Value(a), m_Value(b)));
    if (both) return selects_single_threads(a, wanted) || selects_single_threads(b, wanted);
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
    const auto equal = wanted ? llvm::CmpInst::ICMP_EQ : llvm::CmpInst::ICMP_NE;
    if (!compare || compare->getPredicate() != equal || !llvm::isa<llvm::Constant>(compare->getOperand(1)))
      return false;
    return is_thread_position(compare->getOperand(0), body_) ||
           (level_ == Level::warp && is_lane(compare->getOperand(0), body_));
  }

  llvm::Function& body_;
  Level level_;
  const llvm::PostDominatorTree post_dominators_;
  const std::set<const BasicBlock*> divergent_;
};

}  // namespace

void isolate_single_thread_sections(llvm::Function& body, Level level) {
  for (const Search::Section& section : Search(body, level).sections()) {
    llvm::IRBuilder<> b(section.branch);
    auto cut = [&] {
      if (level == Level::block)
        call_builtin(b, Builtin::region_end);
      else
        call_builtin(b, Builtin::warp_sync, {b.getInt32(~0u)});
    };
    const auto start = section.join->getFirstInsertionPt();
    const bool is_cut_after = is_synchronization(builtin_of(*start));
    const llvm::Instruction* before = section.branch->getPrevNode();
    if (!before || !is_synchronization(builtin_of(*before))) cut();
    b.SetInsertPoint(section.join, start);
    if (!is_cut_after) cut();
  }
}

}  // namespace reprise_compiler::device
