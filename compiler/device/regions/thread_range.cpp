#include "regions/thread_range.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <optional>

#include "ir/thread_arguments.h"
#include "threads/warp_uniformity.h"

namespace reprise_compiler::device {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Value;

// threadIdx.x * (0 or 1) + rest, in 64 bits without wrapping.
struct Affine {
  bool has_x;
  Value* rest;
};

class Narrowing {
 public:
  Narrowing(Region& region, llvm::IRBuilder<>& builder, const ThreadRow& row)
      : region_(region),
        body_(*region.entry->getParent()),
        row_(builder),
        first_(row),
        range_{builder.getInt64(0), row.length, false} {}

  ThreadRange run() {
    BasicBlock* block = region_.entry;
    while (BasicBlock* work = pass_condition(block)) block = work;
    return range_;
  }

 private:
  // Follows the region from `block` past blocks without side effects to a branch of which one side leaves the region.
  // Turns its condition into bounds and returns the other side; null at the end of the search.
  BasicBlock* pass_condition(BasicBlock* block) {
    llvm::BranchInst* branch = nullptr;
    for (unsigned steps = 0; steps < 8; ++steps) {
      if (has_effect(*block) || !is_inside(block)) return nullptr;
      before_.insert(block);
      branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (!branch || branch->isConditional()) break;
      block = branch->getSuccessor(0);
    }
    if (!branch || !branch->isConditional()) return nullptr;
    const bool first_works = leads_out(branch->getSuccessor(1)), second_works = leads_out(branch->getSuccessor(0));
    if (first_works == second_works) return nullptr;
    Value* left_over = extract_bounds(branch->getCondition(), first_works);
    if (left_over == branch->getCondition()) return nullptr;
    Value* always = llvm::ConstantInt::getBool(branch->getContext(), first_works);
    branch->setCondition(left_over ? left_over : always);
    if (left_over) return nullptr;
    return branch->getSuccessor(first_works ? 0 : 1);
  }

  bool is_inside(BasicBlock* block) const { return llvm::is_contained(region_.blocks, block); }

  static bool has_effect(const BasicBlock& block) {
    return llvm::isa<llvm::PHINode>(block.front()) ||
           llvm::any_of(block, [](const llvm::Instruction& i) { return i.mayHaveSideEffects(); });
  }

  bool leads_out(BasicBlock* block) const {
    for (unsigned steps = 0; steps < 8; ++steps) {
      if (block == region_.next) return true;
      if (!is_inside(block) || has_effect(*block)) return false;
      block = block->getSingleSuccessor();
      if (!block) return false;
    }
    return false;
  }

  // ---- conditions ----

  // Turns the parts of a condition that must be `wanted` into bounds. Returns the remaining condition; null if none.
  Value* extract_bounds(Value* condition, bool wanted) {
    Value *a, *b;
    const bool both = wanted ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                             : match(condition, m_LogicalOr(m_Value(a), m_Value(b)));
    if (both) {
      Value* left_a = extract_bounds(a, wanted);
      Value* left_b = extract_bounds(b, wanted);
      if (!left_a) return left_b;
      if (!left_b) return left_a;
      return left_a == a && left_b == b ? condition : combine(left_a, left_b, wanted, condition);
    }
    if (match(condition, m_Not(m_Value(a)))) {
      Value* left = extract_bounds(a, !wanted);
      return left ? condition : nullptr;
    }
    return convert_to_bound(condition, wanted) ? nullptr : condition;
  }

  static Value* combine(Value* a, Value* b, bool wanted, Value* at) {
    llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(at));
    return wanted ? builder.CreateLogicalAnd(a, b) : builder.CreateLogicalOr(a, b);
  }

  bool convert_to_bound(Value* condition, bool wanted) {
    const bool of_warp = first_.lane != nullptr;
    if (Value* known = of_warp ? nullptr : in_row(condition)) {
      Value* works = wanted ? known : row_.CreateNot(known);
      range_.end = row_.CreateSelect(works, range_.end, row_.getInt64(0));
      return true;
    }
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (!compare || !compare->getOperand(0)->getType()->isIntegerTy()) return false;
    auto predicate = wanted ? compare->getPredicate() : compare->getInversePredicate();
    Value *left = compare->getOperand(0), *right = compare->getOperand(1);
    if (depends_on_x(right)) {
      std::swap(left, right);
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    }
    if (predicate == llvm::CmpInst::ICMP_NE || (of_warp && predicate != llvm::CmpInst::ICMP_EQ)) return false;
    const bool is_signed = !llvm::CmpInst::isUnsigned(predicate);
    const auto index = decompose(left, is_signed), limit = decompose(right, is_signed);
    if (!index || !limit || !index->has_x || limit->has_x) return false;
    range_.is_local |= llvm::isa<llvm::Constant>(index->rest);
    bound(predicate, *index, *limit, left->getType()->getIntegerBitWidth() > 32 && !is_signed);
    return true;
  }

  // x + index.rest <predicate> limit.rest
  void bound(llvm::CmpInst::Predicate predicate, const Affine& index, const Affine& limit, bool huge) {
    const auto difference = huge ? llvm::Intrinsic::usub_sat : llvm::Intrinsic::ssub_sat;
    Value* edge = row_.CreateBinaryIntrinsic(difference, limit.rest, index.rest);
    Value* beyond = row_.CreateBinaryIntrinsic(huge ? llvm::Intrinsic::uadd_sat : llvm::Intrinsic::sadd_sat, edge,
                                               row_.getInt64(1));
    auto before = [&](Value* end) {
      range_.end = row_.CreateBinaryIntrinsic(huge ? llvm::Intrinsic::umin : llvm::Intrinsic::smin, range_.end, end);
    };
    auto from = [&](Value* first) {
      range_.first =
          row_.CreateBinaryIntrinsic(huge ? llvm::Intrinsic::umax : llvm::Intrinsic::smax, range_.first, first);
    };
    switch (predicate) {
      case llvm::CmpInst::ICMP_SLT:
      case llvm::CmpInst::ICMP_ULT:
        return before(edge);
      case llvm::CmpInst::ICMP_SLE:
      case llvm::CmpInst::ICMP_ULE:
        return before(beyond);
      case llvm::CmpInst::ICMP_SGT:
      case llvm::CmpInst::ICMP_UGT:
        return from(beyond);
      case llvm::CmpInst::ICMP_SGE:
      case llvm::CmpInst::ICMP_UGE:
        return from(edge);
      default:  // equal
        from(edge);
        before(beyond);
    }
  }

  // ---- values ----

  bool depends_on_x(Value* value) {
    if (value == thread_argument(body_, ThreadArgument::thread_index_x) ||
        value == thread_argument(body_, ThreadArgument::thread_number) ||
        value == thread_argument(body_, ThreadArgument::lane))
      return true;
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !before_.count(instruction->getParent())) return false;
    return llvm::any_of(instruction->operands(), [&](llvm::Use& operand) { return depends_on_x(operand); });
  }

  // The value computed once for the row; null if it differs between threads of the row.
  Value* in_row(Value* value) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return depends_on_x(value) ? nullptr : value;
    if (!is_inside(instruction->getParent())) return value;
    if (!before_.count(instruction->getParent()) || depends_on_x(value)) return nullptr;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
        instruction->mayReadFromMemory() && !(load && load->isSimple()))
      return nullptr;
    if (Value* made = made_[value]) return made;
    llvm::Instruction* copy = instruction->clone();
    for (llvm::Use& operand : copy->operands()) operand.set(in_row(operand));
    return made_[value] = row_.Insert(copy);
  }

  Value* widen(Value* value, bool is_signed) {
    return is_signed ? row_.CreateSExt(value, row_.getInt64Ty()) : row_.CreateZExt(value, row_.getInt64Ty());
  }

  std::optional<Affine> decompose(Value* value, bool is_signed) {
    if (value->getType()->getIntegerBitWidth() > 64) return std::nullopt;
    if (value == thread_argument(body_, ThreadArgument::thread_index_x)) return Affine{true, first_.x};
    if (value == thread_argument(body_, ThreadArgument::thread_number)) return Affine{true, first_.number};
    if (first_.lane && is_lane(value, body_)) return Affine{true, first_.lane};
    if (!depends_on_x(value)) {
      Value* known = in_row(value);
      return known ? std::optional(Affine{false, widen(known, is_signed)}) : std::nullopt;
    }
    Value *a, *b;
    if (match(value, m_ZExt(m_Value(a)))) return decompose(a, false);
    if (match(value, m_SExt(m_Value(a)))) return is_signed ? decompose(a, true) : std::nullopt;
    if (match(value, m_Trunc(m_Specific(thread_argument(body_, ThreadArgument::thread_number)))) &&
        value->getType()->getIntegerBitWidth() >= 32)
      return Affine{true, first_.number};
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (!operation || !is_exact(*operation, is_signed)) return std::nullopt;
    a = operation->getOperand(0), b = operation->getOperand(1);
    const auto left = decompose(a, is_signed), right = decompose(b, is_signed);
    if (!left || !right) return std::nullopt;
    if (operation->getOpcode() == llvm::Instruction::Sub)
      return right->has_x ? std::nullopt : std::optional(Affine{left->has_x, row_.CreateSub(left->rest, right->rest)});
    if (left->has_x && right->has_x) return std::nullopt;
    return Affine{left->has_x || right->has_x, row_.CreateAdd(left->rest, right->rest)};
  }

  // A sum or difference that does not wrap.
  static bool is_exact(const llvm::BinaryOperator& operation, bool is_signed) {
    if (operation.getOpcode() == llvm::Instruction::Or)
      return llvm::cast<llvm::PossiblyDisjointInst>(operation).isDisjoint();
    if (operation.getOpcode() != llvm::Instruction::Add && operation.getOpcode() != llvm::Instruction::Sub)
      return false;
    return is_signed ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap();
  }

  Region& region_;
  llvm::Function& body_;
  llvm::IRBuilder<>& row_;
  ThreadRow first_;
  ThreadRange range_;
  std::set<BasicBlock*> before_;  // blocks that every thread runs before the branch
  std::map<Value*, Value*> made_;
};

}  // namespace

ThreadRange narrow_to_active_threads(Region& region, llvm::IRBuilder<>& builder, const ThreadRow& row) {
  return Narrowing(region, builder, row).run();
}

}  // namespace reprise_compiler::device
