#include "lone_threads.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "marker.h"
#include "thread_arguments.h"

namespace reprise::device {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Value;

bool is_place_in_block(const Value* value, llvm::Function& body, unsigned depth = 4) {
  for (ThreadArgument which = ThreadArgument::thread_index_x; which != ThreadArgument::row_length; which = which + 1)
    if (value == thread_argument(body, which)) return true;
  Value *a, *b;
  if (!depth--) return false;
  if (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Trunc(m_Value(a)))) return is_place_in_block(a, body, depth);
  if (match(value, m_c_Mul(m_Value(a), m_Value(b))) || match(value, m_Shl(m_Value(a), m_Value(b))))
    return is_place_in_block(a, body, depth) && !llvm::isa<llvm::Instruction>(b);
  return match(value, m_c_Add(m_Value(a), m_Value(b))) && is_place_in_block(a, body, depth) && is_place_in_block(b, body, depth);
}

// Holds for one place in the block, or one in each row.
bool picks_threads(Value* condition, llvm::Function& body, bool wanted) {
  Value *a, *b;
  const bool both = wanted ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                           : match(condition, m_LogicalOr(m_Value(a), m_Value(b)));
  if (both) return picks_threads(a, body, wanted) || picks_threads(b, body, wanted);
  auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
  const auto equal = wanted ? llvm::CmpInst::ICMP_EQ : llvm::CmpInst::ICMP_NE;
  return compare && compare->getPredicate() == equal && llvm::isa<llvm::Constant>(compare->getOperand(1)) &&
         is_place_in_block(compare->getOperand(0), body);
}

}  // namespace

void set_lone_threads_apart(llvm::Function& body) {
  const llvm::PostDominatorTree after(body);
  std::vector<std::pair<llvm::BranchInst*, BasicBlock*>> sections;
  for (BasicBlock& block : body) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || !after.dominates(&block, &body.getEntryBlock())) continue;
    auto* node = after.getNode(&block)->getIDom();
    BasicBlock* join = node ? node->getBlock() : nullptr;
    if (!join || llvm::isa<llvm::PHINode>(join->front())) continue;
    const bool skips = branch->getSuccessor(1) == join;
    if ((skips || branch->getSuccessor(0) == join) && picks_threads(branch->getCondition(), body, skips))
      sections.emplace_back(branch, join);
  }
  for (auto [branch, join] : sections) {
    llvm::IRBuilder<> b(branch);
    call_marker(b, Marker::end_of_turn);
    b.SetInsertPoint(join, join->getFirstInsertionPt());
    call_marker(b, Marker::end_of_turn);
  }
}

}  // namespace reprise::device
