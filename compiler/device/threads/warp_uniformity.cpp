#include "threads/warp_uniformity.h"

#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "ir/builtin.h"
#include "ir/thread_arguments.h"
#include "ir/warp_builtins.h"

namespace reprise_compiler::device {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;

constexpr unsigned search_depth = 6;

bool is_multiple_of_32(const Value* value, llvm::Function& body, unsigned depth = search_depth) {
  const llvm::APInt* constant;
  if (match(value, m_APInt(constant))) return constant->countr_zero() >= 5;
  if (value == thread_argument(body, ThreadArgument::block_x)) return true;
  if (!depth--) return false;
  const Value *a, *b;
  if (match(value, m_Shl(m_Value(a), m_APInt(constant))) && constant->uge(5)) return true;
  if (match(value, m_And(m_Value(a), m_APInt(constant))) && constant->countr_zero() >= 5) return true;
  if (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Trunc(m_Value(a))))
    return is_multiple_of_32(a, body, depth);
  if (match(value, m_Mul(m_Value(a), m_Value(b))))
    return is_multiple_of_32(a, body, depth) || is_multiple_of_32(b, body, depth);
  if (match(value, m_Add(m_Value(a), m_Value(b))) || match(value, m_Sub(m_Value(a), m_Value(b))))
    return is_multiple_of_32(a, body, depth) && is_multiple_of_32(b, body, depth);
  return false;
}

// Computed from constants and from values of the block and of the launch by simple operations.
bool is_warp_uniform(const Value* value, llvm::Function& body, unsigned depth = search_depth) {
  if (llvm::isa<llvm::Constant>(value)) return true;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (axis > 0 && value == thread_argument(body, ThreadArgument::thread_index_x + axis)) return true;
  if (llvm::isa<llvm::Argument>(value))
    return value != thread_argument(body, ThreadArgument::thread_index_x) &&
           value != thread_argument(body, ThreadArgument::thread_number) &&
           value != thread_argument(body, ThreadArgument::lane);
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !depth) return false;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(instruction))
    return is_block_level(builtin_of(*call)) || has_warp_uniform_result(*call, body);
  if (ignores_lane(*instruction, body)) return true;
  if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst>(instruction)) return false;
  return llvm::all_of(instruction->operands(), [&](const Value* v) { return is_warp_uniform(v, body, depth - 1); });
}

// The lane plus a warp-uniform multiple of 32.
bool is_based_on_lane(const Value* value, llvm::Function& body, unsigned depth = search_depth) {
  if (value == thread_argument(body, ThreadArgument::thread_index_x) ||
      value == thread_argument(body, ThreadArgument::thread_number) ||
      value == thread_argument(body, ThreadArgument::lane))
    return true;
  if (!depth--) return false;
  const Value *a, *b;
  if (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Trunc(m_Value(a))))
    return is_based_on_lane(a, body, depth);
  if (!match(value, m_Add(m_Value(a), m_Value(b)))) return false;
  if (is_based_on_lane(b, body, depth)) std::swap(a, b);
  return is_based_on_lane(a, body, depth) && is_multiple_of_32(b, body) && is_warp_uniform(b, body);
}

}  // namespace

bool ignores_lane(const llvm::Instruction& instruction, llvm::Function& body) {
  const Value *index, *bound;
  const llvm::APInt* constant;
  llvm::ICmpInst::Predicate predicate;
  if (match(&instruction, m_Shr(m_Value(index), m_APInt(constant))))
    return constant->uge(5) && is_based_on_lane(index, body);
  if (match(&instruction, m_UDiv(m_Value(index), m_APInt(constant))) ||
      match(&instruction, m_And(m_Value(index), m_APInt(constant))))
    return constant->countr_zero() >= 5 && is_based_on_lane(index, body);
  if (match(&instruction, m_ICmp(predicate, m_Value(index), m_Value(bound)))) {
    // 32w + lane < 32m if and only if w < m; likewise >= 32m, and <= 32m + 31.
    const bool below = predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_SLT ||
                       predicate == llvm::CmpInst::ICMP_UGE || predicate == llvm::CmpInst::ICMP_SGE;
    const bool beyond = predicate == llvm::CmpInst::ICMP_UGT || predicate == llvm::CmpInst::ICMP_SGT ||
                        predicate == llvm::CmpInst::ICMP_ULE || predicate == llvm::CmpInst::ICMP_SLE;
    if (!is_based_on_lane(index, body)) return false;
    if (below) return is_multiple_of_32(bound, body) && is_warp_uniform(bound, body);
    return beyond && match(bound, m_APInt(constant)) && (*constant + 1).countr_zero() >= 5;
  }
  return false;
}

bool is_lane(const Value* value, llvm::Function& body) {
  const Value* index;
  if (value == thread_argument(body, ThreadArgument::lane)) return true;
  return match(value, m_And(m_Value(index), m_SpecificInt(31))) && is_based_on_lane(index, body);
}

bool has_warp_uniform_result(const llvm::CallBase& call, llvm::Function& body) {
  switch (builtin_of(call)) {
    case Builtin::active_mask:
      return true;
    case Builtin::ballot:
      return is_warp_uniform(call.getArgOperand(0), body);
    case Builtin::reduce32:
      return is_warp_uniform(call.getArgOperand(0), body) && is_warp_uniform(call.getArgOperand(1), body);
    case Builtin::shuffle32:
    case Builtin::shuffle64:
      return match(call.getArgOperand(0), m_SpecificInt(int(ShuffleMode::index))) &&
             is_warp_uniform(call.getArgOperand(3), body) && match(call.getArgOperand(4), m_SpecificInt(32));
    default:
      return false;
  }
}

}  // namespace reprise_compiler::device
