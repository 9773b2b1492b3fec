// Gives arithmetic that is undefined in C++ the result that a GPU gives, instead of a trap or poison.
//
//   sdiv i32 %a, %b        ->   %b == 0 ? -1 : %a / %b, and INT_MIN / -1 is INT_MIN
//   shl i32 %a, %n         ->   %n < 32 ? %a << %n : 0          (PTX clamps the amount)
//   fptosi float %x        ->   llvm.fptosi.sat: clamps, NaN gives 0 or, with 64 bits on either side, the top bit
//
// Runs before any optimisation, so that none can exploit the undefined cases.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "front/passes.h"

namespace reprise_compiler::device {
namespace {

using llvm::Instruction;

llvm::Value* divide(llvm::IRBuilder<>& builder, llvm::BinaryOperator& division) {
  llvm::Value* dividend = division.getOperand(0);
  llvm::Value* divisor = division.getOperand(1);
  llvm::Type* type = division.getType();
  const bool is_signed = division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(divisor))
    if (!constant->isZero() && !(is_signed && constant->isMinusOne())) return nullptr;

  llvm::Value* by_zero = builder.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, 0));
  llvm::Value* unsafe = by_zero;
  if (is_signed) {
    llvm::Value* minimum = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth()));
    llvm::Value* overflow = builder.CreateAnd(builder.CreateICmpEQ(dividend, minimum),
                                              builder.CreateICmpEQ(divisor, llvm::ConstantInt::getAllOnesValue(type)));
    unsafe = builder.CreateOr(by_zero, overflow);
  }
  llvm::Value* safe_divisor = builder.CreateSelect(unsafe, llvm::ConstantInt::get(type, 1), divisor);
  llvm::Value* quotient = builder.CreateBinOp(division.getOpcode(), dividend, safe_divisor);
  return builder.CreateSelect(by_zero, llvm::ConstantInt::getAllOnesValue(type), quotient);
}

llvm::Value* shift(llvm::IRBuilder<>& builder, llvm::BinaryOperator& shifted) {
  llvm::Value* amount = shifted.getOperand(1);
  const unsigned width = shifted.getType()->getScalarSizeInBits();
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(amount))
    if (constant->getValue().ult(width)) return nullptr;
  llvm::Value* in_range = builder.CreateICmpULT(amount, llvm::ConstantInt::get(amount->getType(), width));
  llvm::Value* bound = llvm::ConstantInt::get(amount->getType(), width - 1);
  if (shifted.getOpcode() == Instruction::AShr)
    return builder.CreateAShr(shifted.getOperand(0), builder.CreateSelect(in_range, amount, bound));
  llvm::Value* result = builder.CreateBinOp(shifted.getOpcode(), shifted.getOperand(0), amount);
  return builder.CreateSelect(in_range, result, llvm::Constant::getNullValue(shifted.getType()));
}

// PTX converts to at least 32 bits and then truncates.
llvm::Value* convert(llvm::IRBuilder<>& builder, llvm::CastInst& cast) {
  llvm::Type* wide = cast.getType();
  if (wide->isIntegerTy() && wide->getIntegerBitWidth() < 32) wide = builder.getInt32Ty();
  const auto id = cast.getOpcode() == Instruction::FPToSI ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  llvm::Value* from = cast.getOperand(0);
  llvm::Value* saturated = builder.CreateIntrinsic(id, {wide, from->getType()}, {from});
  if (wide->isIntegerTy(64) || (wide->isIntegerTy() && from->getType()->isDoubleTy())) {
    auto* top = llvm::ConstantInt::get(wide, llvm::APInt::getSignMask(wide->getIntegerBitWidth()));
    saturated = builder.CreateSelect(builder.CreateFCmpUNO(from, from), top, saturated);
  }
  return builder.CreateTrunc(saturated, cast.getType());
}

llvm::Value* defined(llvm::Instruction& instruction) {
  llvm::IRBuilder<> builder(&instruction);
  switch (instruction.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
      return instruction.getType()->isIntegerTy() ? divide(builder, llvm::cast<llvm::BinaryOperator>(instruction))
                                                  : nullptr;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return instruction.getType()->isIntegerTy() ? shift(builder, llvm::cast<llvm::BinaryOperator>(instruction))
                                                  : nullptr;
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return convert(builder, llvm::cast<llvm::CastInst>(instruction));
    default:
      return nullptr;
  }
}

}  // namespace

void define_arithmetic(DeviceModule& module) {
  for (llvm::Function& function : module.ir)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (llvm::Value* replacement = defined(instruction)) {
        replacement->takeName(&instruction);
        instruction.replaceAllUsesWith(replacement);
        instruction.eraseFromParent();
      }
}

}  // namespace reprise_compiler::device
