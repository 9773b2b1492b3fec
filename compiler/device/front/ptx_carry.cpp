// Inline PTX: extended-precision addition, subtraction and multiply-add with carry.
//
//   add.cc.u32 lo, a, c;   addc.u32 hi, b, d;        ->   i64 sums of two words; bit 32 is the next carry
//
// The carry flag lives within one asm(); reading the carry of another asm() is not supported.
#include "front/ptx_translation.h"

namespace reprise_compiler::device {
namespace {

using llvm::StringRef;
using llvm::Value;

constexpr PtxType predicate{'p', 1};

PtxOperand carry_flag() { return {PtxOperand::plain, "CC.CF", {}, 0}; }

// The half of the product that a multiply-add uses.
Value* half_product(llvm::IRBuilder<>& b, const PtxStatement& s, Value* x, Value* y, PtxType type) {
  if (s.has("lo")) return b.CreateMul(x, y);
  if (!s.has("hi")) return nullptr;
  llvm::Type* wide = b.getIntNTy(type.bits * 2);
  auto extend = [&](Value* v) { return type.is_signed() ? b.CreateSExt(v, wide) : b.CreateZExt(v, wide); };
  return b.CreateTrunc(b.CreateLShr(b.CreateMul(extend(x), extend(y)), type.bits), type.of(b));
}

}  // namespace

bool translate_ptx_carries(PtxTranslation& t, const PtxStatement& s) {
  const StringRef name = s.name();
  const bool multiplies = name == "mad" || name == "madc", subtracts = name == "sub" || name == "subc";
  const bool takes_carry = name == "addc" || name == "subc" || name == "madc";
  if (!takes_carry && !((name == "add" || name == "sub" || name == "mad") && s.has("cc"))) return false;
  const PtxType type = type_of(s);
  if (type.is_float() || s.operands.size() != (multiplies ? 4 : 3)) return false;
  llvm::IRBuilder<>& b = t.builder;
  Value *x = t.read(s.operands[1], type), *y = t.read(s.operands[2], type);
  if (multiplies && x && y) x = half_product(b, s, x, y, type), y = t.read(s.operands[3], type);
  Value* carry = takes_carry ? t.read(carry_flag(), predicate) : b.getFalse();
  if (!x || !y || !carry) return false;
  llvm::Type* wide = b.getIntNTy(type.bits * 2);
  Value *left = b.CreateZExt(x, wide), *right = b.CreateAdd(b.CreateZExt(y, wide), b.CreateZExt(carry, wide));
  Value* result = subtracts ? b.CreateSub(left, right) : b.CreateAdd(left, right);
  t.write(s.operands[0], b.CreateTrunc(result, type.of(b)), type);
  if (s.has("cc")) t.write(carry_flag(), b.CreateTrunc(b.CreateLShr(result, type.bits), b.getInt1Ty()), predicate);
  return true;
}

}  // namespace reprise_compiler::device
