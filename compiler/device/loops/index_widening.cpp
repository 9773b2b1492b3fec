#include "loops/index_widening.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

namespace reprise_compiler::device {
namespace {

using llvm::Instruction;
using llvm::Value;

bool is_exact(const Instruction& operation, bool is_signed) {
  switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
      return is_signed ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap();
    default:
      return false;
  }
}

// The 64-bit loop counter that a thread index was truncated from; null for other values.
Value* counter_of(Value* value, bool is_signed) {
  auto* narrowed = llvm::dyn_cast<llvm::TruncInst>(value);
  if (!narrowed || !narrowed->getOperand(0)->getType()->isIntegerTy(64)) return nullptr;
  return (is_signed ? narrowed->hasNoSignedWrap() : narrowed->hasNoUnsignedWrap()) ? narrowed->getOperand(0) : nullptr;
}

bool is_made_of_counters(Value* value, bool is_signed, unsigned depth = 6) {
  if (counter_of(value, is_signed)) return true;
  auto* operation = llvm::dyn_cast<Instruction>(value);
  return operation && depth && is_exact(*operation, is_signed) &&
         llvm::any_of(operation->operands(),
                      [&](Value* operand) { return is_made_of_counters(operand, is_signed, depth - 1); });
}

Value* widen(llvm::IRBuilder<>& b, Value* value, bool is_signed) {
  if (Value* counter = counter_of(value, is_signed)) return counter;
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (operation && is_exact(*operation, is_signed) && is_made_of_counters(value, is_signed)) {
    Value* left = widen(b, operation->getOperand(0), is_signed);
    Value* right = widen(b, operation->getOperand(1), is_signed);
    auto* wide = llvm::dyn_cast<llvm::BinaryOperator>(b.CreateBinOp(operation->getOpcode(), left, right));
    if (wide && is_signed) wide->setHasNoSignedWrap();
    if (wide && !is_signed) wide->setHasNoUnsignedWrap();
    return wide ? wide : b.CreateBinOp(operation->getOpcode(), left, right);
  }
  return is_signed ? b.CreateSExt(value, b.getInt64Ty()) : b.CreateZExt(value, b.getInt64Ty());
}

}  // namespace

void widen_indices(llvm::Function& function) {
  std::vector<llvm::CastInst*> extensions;
  for (Instruction& instruction : llvm::instructions(function))
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction) && instruction.getType()->isIntegerTy(64))
      extensions.push_back(llvm::cast<llvm::CastInst>(&instruction));
  for (llvm::CastInst* extension : extensions) {
    const bool is_signed = llvm::isa<llvm::SExtInst>(extension);
    if (!is_made_of_counters(extension->getOperand(0), is_signed)) continue;
    llvm::IRBuilder<> b(extension);
    extension->replaceAllUsesWith(widen(b, extension->getOperand(0), is_signed));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(extension);
  }
}

}  // namespace reprise_compiler::device
