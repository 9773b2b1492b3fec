// Inline PTX: bfloat16, and pairs of 16-bit numbers in one register.
//
//   add.f16x2 $0, $1, $2     ->     each half on its own, in float, rounded again
//
// A float has more than twice the precision, so rounding twice equals rounding once; multiply-add uses double.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Intrinsics.h>

#include "front/ptx_translation.h"

namespace reprise_compiler::device {
namespace {

using llvm::StringRef;
using llvm::Value;

struct SmallFloat {
  bool is_bfloat;  // bfloat16, not half
  unsigned count;  // in a register
};

std::optional<SmallFloat> small_float(StringRef name) {
  if (name == "f16x2") return SmallFloat{false, 2};
  if (name == "bf16") return SmallFloat{true, 1};
  if (name == "bf16x2") return SmallFloat{true, 2};
  return std::nullopt;
}

class SmallFloats {
 public:
  SmallFloats(PtxTranslation& t, const PtxStatement& s, SmallFloat type) : t_(t), b_(t.builder), s_(s), type_(type) {}

  bool arithmetic() {
    std::vector<Value*> registers;
    for (const PtxOperand& operand : llvm::drop_begin(s_.operands)) {
      registers.push_back(t_.read(operand, whole()));
      if (!registers.back()) return false;
    }
    if (registers.empty() || s_.has("sat") || s_.has("xorsign")) return false;
    std::vector<Value*> results;
    for (unsigned i = 0; i < type_.count; ++i) {
      llvm::SmallVector<Value*, 3> parts;
      for (Value* value : registers) parts.push_back(part(value, i));
      results.push_back(operate(parts));
      if (!results.back()) return false;
    }
    write(results);
    return true;
  }

  // Converts from float. The first operand is the upper half of a pair.
  bool from_float() {
    if ((!s_.has("rn") && !(s_.has("rz") && type_.is_bfloat)) || s_.operands.size() != type_.count + 1) return false;
    std::vector<Value*> results;
    for (unsigned i = type_.count; i > 0; --i) {
      Value* x = t_.read(s_.operands[i], {'f', 32});
      if (!x) return false;
      results.push_back(s_.has("rz") ? upper_half(apply_relu(x)) : narrow(apply_relu(x)));
    }
    write(results);
    return true;
  }

  bool to_float() {
    if (type_.count != 1 || s_.operands.size() != 2) return false;
    Value* bits = t_.read(s_.operands[1], whole());
    if (bits) t_.write(s_.operands[0], widen(bits), {'f', 32});
    return bits != nullptr;
  }

 private:
  PtxType whole() const { return {'b', 16 * type_.count}; }
  Value* part(Value* value, unsigned i) { return b_.CreateTrunc(b_.CreateLShr(value, 16 * i), b_.getInt16Ty()); }
  Value* upper_half(Value* x) {
    return b_.CreateTrunc(b_.CreateLShr(b_.CreateBitCast(x, b_.getInt32Ty()), 16), b_.getInt16Ty());
  }

  void write(const std::vector<Value*>& parts) {
    Value* all = llvm::ConstantInt::get(whole().of(b_), 0);
    for (unsigned i = 0; i < type_.count; ++i)
      all = b_.CreateOr(all, b_.CreateShl(b_.CreateZExt(parts[i], all->getType()), 16 * i));
    t_.write(s_.operands[0], all, whole());
  }

  Value* widen(Value* bits) {
    if (!type_.is_bfloat) return b_.CreateFPExt(b_.CreateBitCast(bits, b_.getHalfTy()), b_.getFloatTy());
    return b_.CreateBitCast(b_.CreateShl(b_.CreateZExt(bits, b_.getInt32Ty()), 16), b_.getFloatTy());
  }

  // Rounds to nearest, ties to even.
  Value* narrow(Value* x) {
    Value* bits;
    if (type_.is_bfloat) {
      Value* word = b_.CreateBitCast(x, b_.getInt32Ty());
      Value* odd = b_.CreateAnd(b_.CreateLShr(word, 16), b_.getInt32(1));
      word = b_.CreateAdd(word, b_.CreateAdd(odd, b_.getInt32(0x7fff)));
      bits = b_.CreateTrunc(b_.CreateLShr(word, 16), b_.getInt16Ty());
    } else {
      bits = b_.CreateBitCast(b_.CreateFPTrunc(x, b_.getHalfTy()), b_.getInt16Ty());
    }
    return b_.CreateSelect(b_.CreateFCmpUNO(x, x), b_.getInt16(0x7fff), bits);
  }

  Value* apply_relu(Value* x) {
    if (!s_.has("relu")) return x;
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::maximum, x, llvm::ConstantFP::getZero(x->getType()));
  }

  // Rounds to odd, so that the final rounding is the only one that counts.
  Value* to_odd(Value* x) {
    Value* nearest = b_.CreateFPTrunc(x, b_.getFloatTy());
    Value* back = b_.CreateFPExt(nearest, b_.getDoubleTy());
    auto size = [&](Value* v) { return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v); };
    Value* too_large = b_.CreateZExt(b_.CreateFCmpOGT(size(back), size(x)), b_.getInt32Ty());
    Value* bits = b_.CreateBitCast(nearest, b_.getInt32Ty());
    Value* odd = b_.CreateOr(b_.CreateSub(bits, too_large), b_.getInt32(1));
    return b_.CreateBitCast(b_.CreateSelect(b_.CreateFCmpONE(back, x), odd, bits), b_.getFloatTy());
  }

  // The product is exact in double; an inexact sum is rounded to odd too.
  Value* multiply_add(Value* x, Value* y, Value* z) {
    auto wide = [&](Value* v) { return b_.CreateFPExt(widen(v), b_.getDoubleTy()); };
    Value *product = b_.CreateFMul(wide(x), wide(y)), *addend = wide(z), *sum = b_.CreateFAdd(product, addend);
    Value* of_addend = b_.CreateFSub(sum, product);
    Value* rest =
        b_.CreateFAdd(b_.CreateFSub(product, b_.CreateFSub(sum, of_addend)), b_.CreateFSub(addend, of_addend));
    Value *zero = llvm::ConstantFP::getZero(sum->getType()), *bits = b_.CreateBitCast(sum, b_.getInt64Ty());
    Value* even = b_.CreateIsNull(b_.CreateAnd(bits, 1));
    Value* outwards = b_.CreateICmpEQ(b_.CreateFCmpOGT(rest, zero), b_.CreateFCmpOGT(sum, zero));
    Value* odd = b_.CreateAdd(bits, b_.CreateSelect(outwards, b_.getInt64(1), b_.getInt64(-1)));
    bits = b_.CreateSelect(b_.CreateAnd(even, b_.CreateFCmpONE(rest, zero)), odd, bits);
    return to_odd(b_.CreateBitCast(bits, sum->getType()));
  }

  Value* operate(llvm::ArrayRef<Value*> v) {
    const StringRef name = s_.name();
    if (v.size() == 1) {
      if (name == "neg") return b_.CreateXor(v[0], b_.getInt16(-0x8000));
      if (name == "abs") return b_.CreateAnd(v[0], b_.getInt16(0x7fff));
      if (name == "ex2") return narrow(b_.CreateUnaryIntrinsic(llvm::Intrinsic::exp2, widen(v[0])));
      return nullptr;
    }
    if (v.size() == 3) return name == "fma" ? narrow(apply_relu(multiply_add(v[0], v[1], v[2]))) : nullptr;
    if (v.size() != 2 || s_.has("relu")) return nullptr;
    Value *x = widen(v[0]), *y = widen(v[1]);
    if (name == "add") return narrow(b_.CreateFAdd(x, y));
    if (name == "sub") return narrow(b_.CreateFSub(x, y));
    if (name == "mul") return narrow(b_.CreateFMul(x, y));
    const bool keeps_nan = s_.has("NaN");
    if (name == "min") return narrow(keeps_nan ? b_.CreateMinimum(x, y) : b_.CreateMinNum(x, y));
    if (name == "max") return narrow(keeps_nan ? b_.CreateMaximum(x, y) : b_.CreateMaxNum(x, y));
    return nullptr;
  }

  PtxTranslation& t_;
  llvm::IRBuilder<>& b_;
  const PtxStatement& s_;
  const SmallFloat type_;
};

}  // namespace

bool has_rare_type(const PtxStatement& s) {
  return llvm::any_of(s.opcode, [](StringRef part) {
    return small_float(part) || llvm::StringSwitch<bool>(part)
                                    .Cases("tf32", "b128", "f32x2", "u16x2", "s16x2", "e4m3", "e5m2", true)
                                    .Cases("e4m3x2", "e5m2x2", "e2m1x2", "e2m3x2", "e3m2x2", "ue8m0x2", true)
                                    .Default(false);
  });
}

bool translate_ptx_small_floats(PtxTranslation& t, const PtxStatement& s) {
  if (s.name() == "cvt") {
    const auto to = small_float(s.opcode[s.opcode.size() - 2]), from = small_float(s.opcode.back());
    if (to && s.opcode.back() == "f32") return SmallFloats(t, s, *to).from_float();
    return from && s.opcode[s.opcode.size() - 2] == "f32" && SmallFloats(t, s, *from).to_float();
  }
  const auto type = small_float(s.opcode.back());
  const StringRef name = s.name();
  const bool known = name == "add" || name == "sub" || name == "mul" || name == "fma" || name == "min" ||
                     name == "max" || name == "neg" || name == "abs" || name == "ex2";
  return type && known && SmallFloats(t, s, *type).arithmetic();
}

}  // namespace reprise_compiler::device
