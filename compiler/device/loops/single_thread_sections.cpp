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

bool is_place_in_block(const Value* value, llvm::Function& body, unsigned depth = 4) {
  for (ThreadArgument which = ThreadArgument::thread_index_x; which != ThreadArgument::row_length; which = which + 1)
    if (value == thread_argument(body, which)) return true;
  Value *a, *b;
  if (!depth--) return false;
  if (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Trunc(m_Value(a))))
    return is_place_in_block(a, body, depth);
  if (match(value, m_c_Mul(m_Value(a), m_Value(b))) || match(value, m_Shl(m_Value(a), m_Value(b))))
    return is_place_in_block(a, body, depth) && !llvm::isa<llvm::Instruction>(b);
  return match(value, m_c_Add(m_Value(a), m_Value(b))) && is_place_in_block(a, body, depth) &&
         is_place_in_block(b, body, depth);
}

class Search {
 public:
  Search(llvm::Function& body, Level level)
      : body_(body), level_(level), after_(body), parted_(parted_blocks(body, Uniformity(body, level), true)) {}

  // A branch that few threads take, and where they meet the others again.
  struct Section {
    llvm::BranchInst* branch;
    BasicBlock* join;
  };
  std::vector<Section> sections() {
    std::vector<Section> found;
    for (BasicBlock& block : body_) {
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
      if (!branch || !branch->isConditional() || parted_.count(&block)) continue;
      BasicBlock* join = meeting_point(block);
      if (!join || llvm::isa<llvm::PHINode>(join->front())) continue;
      const bool skips = branch->getSuccessor(1) == join;
      if ((skips || branch->getSuccessor(0) == join) && picks_threads(branch->getCondition(), skips))
        found.push_back({branch, join});
    }
    return found;
  }

 private:
  BasicBlock* meeting_point(BasicBlock& block) const {
    const auto* node = after_.getNode(&block);
    return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  }

  // Holds for one place in the block, or one in each row or warp.
  bool picks_threads(Value* condition, bool wanted) const {
    Value *a, *b;
    const bool both = wanted ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                             : match(condition, m_LogicalOr(m_Value(a), m_Value(b)));
    if (both) return picks_threads(a, wanted) || picks_threads(b, wanted);
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
    const auto equal = wanted ? llvm::CmpInst::ICMP_EQ : llvm::CmpInst::ICMP_NE;
    if (!compare || compare->getPredicate() != equal || !llvm::isa<llvm::Constant>(compare->getOperand(1)))
      return false;
    return is_place_in_block(compare->getOperand(0), body_) ||
           (level_ == Level::warp && is_lane(compare->getOperand(0), body_));
  }

  llvm::Function& body_;
  Level level_;
  const llvm::PostDominatorTree after_;
  const std::set<const BasicBlock*> parted_;
};

}  // namespace

void set_lone_threads_apart(llvm::Function& body, Level level) {
  for (const Search::Section& section : Search(body, level).sections()) {
    llvm::IRBuilder<> b(section.branch);
    auto cut = [&] {
      if (level == Level::block)
        call_marker(b, Marker::end_of_turn);
      else
        call_marker(b, Marker::warp_sync, {b.getInt32(~0u)});
    };
    const auto start = section.join->getFirstInsertionPt();
    const bool is_cut_after = is_synchronisation(marker_of(*start));
    const llvm::Instruction* before = section.branch->getPrevNode();
    if (!before || !is_synchronisation(marker_of(*before))) cut();
    b.SetInsertPoint(section.join, start);
    if (!is_cut_after) cut();
  }
}

}  // namespace reprise_compiler::device
