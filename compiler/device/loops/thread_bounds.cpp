#include "loops/thread_bounds.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "ir/thread_arguments.h"
#include "threads/warp_uniformity.h"

namespace reprise_compiler::device {

using namespace llvm::PatternMatch;
using llvm::Value;

bool ThreadBounds::is_thread_index(const Value* value) const {
  if (level_ == Level::warp && is_lane(value, body_)) return true;
  for (ThreadArgument which : {ThreadArgument::thread_index_x, ThreadArgument::thread_index_y,
                               ThreadArgument::thread_index_z, ThreadArgument::thread_number, ThreadArgument::lane})
    if (value == thread_argument(body_, which)) return true;
  return false;
}

bool ThreadBounds::is_size(const Value* value) const {
  const llvm::APInt* constant;
  if (match(value, m_APInt(constant))) return constant->isNonNegative();
  for (ThreadArgument which = ThreadArgument::grid_x; which != ThreadArgument::block_index_x; which = which + 1)
    if (value == thread_argument(body_, which)) return true;
  return false;
}

bool ThreadBounds::is_count(Value* value, unsigned depth) const {
  Value *a, *b;
  if (match(value, m_Zero())) return false;
  if (is_size(value)) return true;
  if (!depth--) return false;
  if (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Shl(m_Value(a), m_ConstantInt())))
    return is_count(a, depth);
  return match(value, m_Mul(m_Value(a), m_Value(b))) && is_count(a, depth) && is_count(b, depth);
}

bool ThreadBounds::grows_with_index(Value* value, unsigned depth) const {
  if (is_thread_index(value) || uniformity_.is_uniform(value)) return true;
  Value *a, *b;
  if (!depth--) return false;
  if (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Trunc(m_Value(a)))) return grows_with_index(a, depth);
  if (match(value, m_Add(m_Value(a), m_Value(b)))) return grows_with_index(a, depth) && grows_with_index(b, depth);
  if (match(value, m_c_Mul(m_Value(a), m_Value(b)))) {
    if (!is_size(b)) std::swap(a, b);
    return is_size(b) && grows_with_index(a, depth);
  }
  const llvm::APInt* amount;
  return match(value, m_Shl(m_Value(a), m_APInt(amount))) && grows_with_index(a, depth);
}

Value* ThreadBounds::value_at(llvm::IRBuilder<>& b, Value* value, Edge edge) const {
  if (uniformity_.is_uniform(value)) return value;
  if (is_thread_index(value)) {
    if (level_ == Level::block || is_lane(value, body_))
      return llvm::ConstantInt::get(value->getType(), edge == Edge::first ? 0 : warp_size - 1);
    return edge == Edge::first ? b.CreateAnd(value, ~uint64_t(warp_size - 1)) : b.CreateOr(value, warp_size - 1);
  }
  llvm::Instruction* copy = llvm::cast<llvm::Instruction>(value)->clone();
  const bool widens = llvm::isa<llvm::ZExtInst>(copy) && !copy->hasNonNeg();
  for (llvm::Use& operand : copy->operands())
    operand.set(widens ? bound_of(b, operand, edge, false) : value_at(b, operand, edge));
  return b.Insert(copy);
}

Value* ThreadBounds::bound_of(llvm::IRBuilder<>& b, Value* value, Edge edge, bool is_signed) const {
  Value* own = value_at(b, value, edge);
  if (is_signed || uniformity_.is_uniform(value)) return own;
  Value* first = edge == Edge::first ? own : value_at(b, value, Edge::first);
  llvm::Type* type = value->getType();
  Value* utmost = edge == Edge::first ? llvm::Constant::getNullValue(type) : llvm::Constant::getAllOnesValue(type);
  return b.CreateSelect(b.CreateICmpSLT(first, llvm::Constant::getNullValue(type)), utmost, own);
}

}  // namespace reprise_compiler::device
