#include "ir/index_bounds.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <optional>

namespace reprise_compiler::device {
namespace {

using llvm::Value;

constexpr unsigned max_bits = 60;  // of the largest value, so that 64-bit arithmetic does not overflow

struct BoundedTerm {
  IndexTerm term;
  unsigned bits;   // of its largest value
  bool has_index;  // contains an index, not only dimensions
};

std::optional<BoundedTerm> leaf(const llvm::Argument& argument, llvm::Function& body) {
  for (ThreadArgument which = ThreadArgument::grid_x; which != ThreadArgument::thread_number; which = which + 1) {
    if (&argument != thread_argument(body, which)) continue;
    const bool of_grid = which < ThreadArgument::block_x ||
                         (which >= ThreadArgument::block_index_x && which < ThreadArgument::thread_index_x);
    return BoundedTerm{
        {IndexTerm::Kind::argument, 0, which, {}}, of_grid ? 31u : 11u, which >= ThreadArgument::block_index_x};
  }
  return std::nullopt;
}

std::optional<BoundedTerm> find_term(Value* value, llvm::Function& body, unsigned depth = 5) {
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    if (constant->isNegative() || constant->getBitWidth() > 64) return std::nullopt;
    return BoundedTerm{{IndexTerm::Kind::constant, constant->getZExtValue(), ThreadArgument::count, {}},
                       constant->getValue().getActiveBits(),
                       false};
  }
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return leaf(*argument, body);
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (!operation || !depth) return std::nullopt;
  const unsigned opcode = operation->getOpcode();
  if (opcode != llvm::Instruction::Add && opcode != llvm::Instruction::Mul && opcode != llvm::Instruction::Shl)
    return std::nullopt;
  auto a = find_term(operation->getOperand(0), body, depth - 1),
       b = find_term(operation->getOperand(1), body, depth - 1);
  if (!a || !b) return std::nullopt;
  if (opcode == llvm::Instruction::Shl) {
    if (b->term.kind != IndexTerm::Kind::constant || b->term.constant > 20) return std::nullopt;
    b->bits = unsigned(b->term.constant) + 1;
    b->term.constant = uint64_t(1) << b->term.constant;
  }
  const bool sum = opcode == llvm::Instruction::Add;
  const unsigned bits = sum ? std::max(a->bits, b->bits) + 1 : a->bits + b->bits;
  if (bits > max_bits) return std::nullopt;
  return BoundedTerm{
      {sum ? IndexTerm::Kind::sum : IndexTerm::Kind::product, 0, ThreadArgument::count, {a->term, b->term}},
      bits,
      a->has_index || b->has_index};
}

}  // namespace

std::string IndexTerm::key() const {
  switch (kind) {
    case Kind::constant:
      return std::to_string(constant);
    case Kind::argument:
      return "a" + std::to_string(unsigned(argument));
    default: {
      std::string a = operands[0].key(), b = operands[1].key();
      if (b < a) std::swap(a, b);
      return "(" + a + (kind == Kind::sum ? "+" : "*") + b + ")";
    }
  }
}

Value* IndexTerm::emit_largest(llvm::IRBuilderBase& b, Value* launch) const {
  switch (kind) {
    case Kind::constant:
      return b.getInt64(constant);
    case Kind::argument: {
      const unsigned group = (unsigned(argument) - unsigned(ThreadArgument::grid_x)) / 3;
      const unsigned axis = (unsigned(argument) - unsigned(ThreadArgument::grid_x)) % 3;
      Value* size = load_launch_field(b, launch, group % 2 == 0 ? launch_grid : launch_block, axis);
      Value* wide = b.CreateZExt(size, b.getInt64Ty());
      return group >= 2 ? b.CreateSub(wide, b.getInt64(1)) : wide;
    }
    default: {
      Value* left = operands[0].emit_largest(b, launch);
      Value* right = operands[1].emit_largest(b, launch);
      return kind == Kind::sum ? b.CreateAdd(left, right) : b.CreateMul(left, right);
    }
  }
}

std::vector<IndexTerm> mark_indices(llvm::Function& body) {
  std::map<std::string, IndexTerm> bounds;
  for (llvm::Instruction& instruction : llvm::instructions(body)) {
    if (!instruction.getType()->isIntegerTy(32)) continue;
    const auto found = find_term(&instruction, body);
    if (!found || (found->term.kind != IndexTerm::Kind::sum && found->term.kind != IndexTerm::Kind::product)) continue;
    instruction.setHasNoSignedWrap(true);
    instruction.setHasNoUnsignedWrap(true);
    if (found->bits > 31) bounds.emplace(found->term.key(), found->term);
  }
  std::vector<IndexTerm> result;
  for (auto& [key, term] : bounds) result.push_back(std::move(term));
  return result;
}

}  // namespace reprise_compiler::device
