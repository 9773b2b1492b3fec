#include "loops/stride.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>

#include <functional>
#include <map>

#include "threads/warp_uniformity.h"

namespace reprise_compiler::device {
namespace {

using llvm::Instruction;
using llvm::Value;
using Stride = std::optional<int64_t>;

class Strides {
 public:
  using Predicate = std::function<bool(const Value*)>;
  Strides(
      const llvm::DataLayout& layout, Predicate is_variable, Predicate is_fixed = [](const Value*) { return false; })
      : layout_(layout), is_variable_(std::move(is_variable)), is_fixed_(std::move(is_fixed)) {}

  Stride of(Value* value) {
    if (is_variable_(value)) return 1;
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction || is_fixed_(value)) return 0;
    if (const auto found = known_.find(value); found != known_.end()) return found->second;
    known_[value] = 0;  // assumed for a phi that depends on itself
    return known_[value] = compute(*instruction);
  }

 private:
  static Stride add(Stride a, Stride b) { return a && b ? Stride(*a + *b) : std::nullopt; }
  static Stride times(Stride a, int64_t factor) { return a ? Stride(*a * factor) : std::nullopt; }

  Stride compute(Instruction& i) {
    auto operand = [&](unsigned n) { return of(i.getOperand(n)); };
    auto constant = [&](unsigned n) { return llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(n)); };
    switch (i.getOpcode()) {
      case Instruction::Add:
      case Instruction::Or:
        if (i.getOpcode() == Instruction::Or && !llvm::cast<llvm::PossiblyDisjointInst>(i).isDisjoint()) break;
        return add(operand(0), operand(1));
      case Instruction::Sub:
        return add(operand(0), times(operand(1), -1));
      case Instruction::Mul:
        if (auto* factor = constant(1)) return times(operand(0), factor->getSExtValue());
        break;
      case Instruction::Shl:
        if (auto* amount = constant(1)) return times(operand(0), int64_t(1) << amount->getZExtValue());
        break;
      case Instruction::SExt:
      case Instruction::ZExt:
      case Instruction::Trunc:
        return operand(0);
      case Instruction::GetElementPtr:
        return of_address(llvm::cast<llvm::GetElementPtrInst>(i));
      case Instruction::PHI:
        return of_phi(llvm::cast<llvm::PHINode>(i));
      default:
        break;
    }
    return depends(i) ? std::nullopt : Stride(0);
  }

  bool depends(Instruction& i) {
    return llvm::any_of(i.operands(), [&](Value* operand) { return of(operand) != Stride(0); });
  }

  Stride of_address(llvm::GetElementPtrInst& address) {
    Stride sum = of(address.getPointerOperand());
    for (auto index = llvm::gep_type_begin(address), end = llvm::gep_type_end(address); index != end; ++index)
      if (!index.isStruct())
        sum =
            add(sum, times(of(index.getOperand()), int64_t(index.getSequentialElementStride(layout_).getFixedValue())));
    return sum;
  }

  // All incoming values must have the same stride. A uniform step that a loop adds does not count.
  Stride of_phi(llvm::PHINode& phi) {
    Stride agreed;
    for (Value* incoming : phi.incoming_values()) {
      if (is_step_of(incoming, phi)) continue;
      const Stride one = of(incoming);
      if (!one || (agreed && agreed != one)) return std::nullopt;
      agreed = one;
    }
    return agreed;
  }

  bool is_step_of(Value* value, llvm::PHINode& phi) {
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (!operation || (operation->getOpcode() != Instruction::Add && operation->getOpcode() != Instruction::Sub))
      return false;
    if (operation->getOperand(0) == &phi) return of(operation->getOperand(1)) == Stride(0);
    return operation->getOperand(1) == &phi && of(operation->getOperand(0)) == Stride(0);
  }

  const llvm::DataLayout& layout_;
  Predicate is_variable_, is_fixed_;
  std::map<Value*, Stride> known_;
};

}  // namespace

Stride stride_in_x(Value* value, llvm::Function& body, Level level) {
  const bool in_warp = level == Level::warp;
  return Strides(
             body.getParent()->getDataLayout(),
             [&](const Value* v) {
               return v == thread_argument(body, ThreadArgument::thread_index_x) ||
                      v == thread_argument(body, ThreadArgument::thread_number) ||
                      v == thread_argument(body, ThreadArgument::lane) || (in_warp && is_lane(v, body));
             },
             [&](const Value* v) { return in_warp && ignores_lane(*llvm::cast<Instruction>(v), body); })
      .of(value);
}

Stride stride_in(Value* value, const llvm::PHINode& counter) {
  return Strides(counter.getModule()->getDataLayout(), [&](const Value* v) { return v == &counter; }).of(value);
}

}  // namespace reprise_compiler::device
