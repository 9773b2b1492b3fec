// Inline PTX: moves, including packing and unpacking of vectors.
#include "front/ptx_translation.h"

namespace reprise_compiler::device {
namespace {

using llvm::Value;

// Packs {a, b} into one number, the first element lowest.
Value* joined(PtxTranslation& t, const PtxOperand& vector, PtxType whole) {
  llvm::IRBuilder<>& b = t.builder;
  const PtxType part{'b', whole.bits / static_cast<unsigned>(vector.parts.size())};
  Value* all = llvm::ConstantInt::get(whole.integer(b), 0);
  for (unsigned i = 0; i < vector.parts.size(); ++i) {
    Value* value = t.read(vector.parts[i], part);
    if (!value) return nullptr;
    all = b.CreateOr(all, b.CreateShl(b.CreateZExt(value, whole.integer(b)), i * part.bits));
  }
  return all;
}

}  // namespace

bool translate_ptx_moves(PtxTranslation& t, const PtxStatement& s) {
  if (s.name() != "mov" || s.operands.size() != 2) return false;
  const PtxType type = type_of(s);
  const PtxOperand &to = s.operands[0], &from = s.operands[1];
  if (to.kind == PtxOperand::vector && from.kind == PtxOperand::plain && !to.parts.empty()) {
    const PtxType part{'b', type.bits / static_cast<unsigned>(to.parts.size())};
    Value* whole = t.read(from, PtxType{'b', type.bits});
    for (unsigned i = 0; whole && i < to.parts.size(); ++i)
      t.write(to.parts[i], t.builder.CreateTrunc(t.builder.CreateLShr(whole, i * part.bits), part.of(t.builder)), part);
    return whole != nullptr;
  }
  Value* value = from.kind == PtxOperand::vector && !from.parts.empty() ? joined(t, from, type) : t.read(from, type);
  if (value) t.write(to, value, type);
  return value != nullptr;
}

}  // namespace reprise_compiler::device
