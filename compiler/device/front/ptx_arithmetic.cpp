// Inline PTX: integer and floating-point arithmetic.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Intrinsics.h>

#include "front/ptx_translation.h"
#include "ir/warp_builtins.h"

namespace reprise_compiler::device {
namespace {

using llvm::StringRef;
using llvm::Value;

// Reads the source operands of a statement, all of one type. Returns false if one cannot be read.
bool read_all(PtxTranslation& t, const PtxStatement& s, PtxType type, llvm::SmallVectorImpl<Value*>& values) {
  for (const PtxOperand& operand : llvm::drop_begin(s.operands)) {
    values.push_back(t.read(operand, type));
    if (!values.back()) return false;
  }
  return true;
}

Value* high_half(llvm::IRBuilder<>& b, Value* x, Value* y, PtxType type, bool whole) {
  llvm::Type* wide = b.getIntNTy(type.bits * 2);
  auto extend = [&](Value* v) { return type.is_signed() ? b.CreateSExt(v, wide) : b.CreateZExt(v, wide); };
  Value* product = b.CreateMul(extend(x), extend(y));
  return whole ? product : b.CreateTrunc(b.CreateLShr(product, type.bits), type.of(b));
}

// lop3: `table` is the truth table of a function of three bits.
Value* lookup3(llvm::IRBuilder<>& b, Value* x, Value* y, Value* z, unsigned table) {
  Value* result = b.getInt32(0);
  for (unsigned i = 0; i < 8; ++i) {
    if (!(table >> i & 1)) continue;
    Value* term = b.CreateAnd(i & 4 ? x : b.CreateNot(x), i & 2 ? y : b.CreateNot(y));
    result = b.CreateOr(result, b.CreateAnd(term, i & 1 ? z : b.CreateNot(z)));
  }
  return result;
}

// PTX clamps shift amounts: a shift by the width or more gives zero or the sign; in LLVM it is poison.
Value* clamped_shift(llvm::IRBuilder<>& b, StringRef name, Value* x, Value* amount, PtxType type) {
  Value* beyond = b.CreateICmpUGE(amount, b.getInt32(type.bits));
  Value* by = b.CreateZExtOrTrunc(b.CreateSelect(beyond, b.getInt32(type.bits - 1), amount), x->getType());
  if (name == "shr" && type.is_signed()) return b.CreateAShr(x, by);
  Value* shifted = name == "shl" ? b.CreateShl(x, by) : b.CreateLShr(x, by);
  return b.CreateSelect(beyond, llvm::ConstantInt::get(x->getType(), 0), shifted);
}

Value* funnel_shift(llvm::IRBuilder<>& b, const PtxStatement& s, Value* low, Value* high, Value* amount) {
  Value* limit = b.getInt32(s.has("clamp") ? 32 : 31);
  amount = s.has("clamp") ? b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, amount, limit) : b.CreateAnd(amount, limit);
  Value* pair = b.CreateOr(b.CreateZExt(low, b.getInt64Ty()), b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32));
  Value* wide = b.CreateZExt(amount, b.getInt64Ty());
  Value* shifted = s.has("l") ? b.CreateLShr(b.CreateShl(pair, wide), 32) : b.CreateLShr(pair, wide);
  return b.CreateTrunc(shifted, b.getInt32Ty());
}

Value* extract_field(llvm::IRBuilder<>& b, Value* x, Value* start, Value* length, PtxType type) {
  llvm::Type* wide = b.getIntNTy(type.bits * 2);  // room for every start and length below 256
  auto widened = [&](Value* v) { return b.CreateZExt(b.CreateAnd(v, b.getInt32(255)), wide); };
  Value *from = widened(start), *count = widened(length);
  Value* limit = llvm::ConstantInt::get(wide, type.bits);
  from = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, from, limit);
  count = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, limit);
  Value* extended = type.is_signed() ? b.CreateSExt(x, wide) : b.CreateZExt(x, wide);
  Value* moved = type.is_signed() ? b.CreateAShr(extended, from) : b.CreateLShr(extended, from);
  Value* unused = b.CreateSub(llvm::ConstantInt::get(wide, type.bits * 2), count);
  Value* none = b.CreateIsNull(count);
  Value* by = b.CreateSelect(none, llvm::ConstantInt::get(wide, 0), unused);
  Value* high = b.CreateShl(moved, by);
  Value* field = type.is_signed() ? b.CreateAShr(high, by) : b.CreateLShr(high, by);
  return b.CreateTrunc(b.CreateSelect(none, llvm::ConstantInt::get(wide, 0), field), type.of(b));
}

Value* insert_field(llvm::IRBuilder<>& b, Value* field, Value* into, Value* start, Value* length, PtxType type) {
  llvm::Type* wide = b.getIntNTy(type.bits * 2);
  auto widened = [&](Value* v) {
    Value* small = b.CreateZExt(b.CreateAnd(v, b.getInt32(255)), wide);
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, small, llvm::ConstantInt::get(wide, type.bits));
  };
  Value *at = widened(start), *count = widened(length), *one = llvm::ConstantInt::get(wide, 1);
  Value* mask = b.CreateShl(b.CreateSub(b.CreateShl(one, count), one), at);
  Value* placed = b.CreateAnd(b.CreateShl(b.CreateZExt(field, wide), at), mask);
  Value* kept = b.CreateAnd(b.CreateZExt(into, wide), b.CreateNot(mask));
  return b.CreateTrunc(b.CreateOr(placed, kept), type.of(b));
}

// A mask of `length` ones from bit `start` on.
Value* bit_mask(llvm::IRBuilder<>& b, const PtxStatement& s, Value* start, Value* length) {
  auto limited = [&](Value* v) {
    v = s.has("wrap") ? b.CreateAnd(v, b.getInt32(31))
                      : b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, v, b.getInt32(32));
    return b.CreateZExt(v, b.getInt64Ty());
  };
  Value* ones = b.CreateSub(b.CreateShl(b.getInt64(1), limited(length)), b.getInt64(1));
  return b.CreateTrunc(b.CreateShl(ones, limited(start)), b.getInt32Ty());
}

Value* low_24_bits(llvm::IRBuilder<>& b, Value* x, PtxType type) {
  Value* high = b.CreateShl(x, 8);
  return type.is_signed() ? b.CreateAShr(high, 8) : b.CreateLShr(high, 8);
}

Value* integer_of_one(llvm::IRBuilder<>& b, StringRef name, Value* x, PtxType type) {
  Value* zero = llvm::ConstantInt::get(x->getType(), 0);
  if (name == "not") return b.CreateNot(x);
  if (name == "neg") return b.CreateNeg(x);
  if (name == "abs") return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b.getFalse());
  if (name == "popc") return b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x);
  if (name == "brev") return b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, x);
  if (name == "clz") return b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x, b.getFalse());
  if (name == "cnot") return b.CreateZExt(b.CreateIsNull(x), x->getType());
  if (name == "bfind" && !type.is_signed()) {
    Value* leading = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x, b.getFalse());
    Value* found = b.CreateSub(llvm::ConstantInt::get(x->getType(), type.bits - 1), leading);
    return b.CreateSelect(b.CreateICmpEQ(x, zero), llvm::ConstantInt::getAllOnesValue(x->getType()), found);
  }
  return nullptr;
}

Value* integer_of_two(llvm::IRBuilder<>& b, const PtxStatement& s, Value* x, Value* y, PtxType type) {
  const StringRef name = s.name();
  const bool is_signed = type.is_signed();
  if (name == "add") return b.CreateAdd(x, y);
  if (name == "sub") return b.CreateSub(x, y);
  if (name == "mul" && s.has("hi")) return high_half(b, x, y, type, false);
  if (name == "mul" && s.has("wide")) return high_half(b, x, y, type, true);
  if (name == "mul" && s.has("lo")) return b.CreateMul(x, y);
  if (name == "mul24" && s.has("lo")) return b.CreateMul(low_24_bits(b, x, type), low_24_bits(b, y, type));
  if (name == "div") return is_signed ? b.CreateSDiv(x, y) : b.CreateUDiv(x, y);
  if (name == "rem") return is_signed ? b.CreateSRem(x, y) : b.CreateURem(x, y);
  if (name == "and") return b.CreateAnd(x, y);
  if (name == "or") return b.CreateOr(x, y);
  if (name == "xor") return b.CreateXor(x, y);
  if (name == "bmsk") return bit_mask(b, s, x, y);
  if (name == "min") return b.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, x, y);
  if (name == "max") return b.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, x, y);
  return nullptr;
}

// dp4a: a word plus the sum of four products of bytes.
Value* dot_of_bytes(llvm::IRBuilder<>& b, const PtxStatement& s, Value* x, Value* y, Value* sum) {
  auto byte = [&](Value* word, unsigned i, StringRef type) {
    Value* part = b.CreateTrunc(b.CreateLShr(word, i * 8), b.getInt8Ty());
    return type == "s32" ? b.CreateSExt(part, b.getInt32Ty()) : b.CreateZExt(part, b.getInt32Ty());
  };
  for (unsigned i = 0; i < 4; ++i)
    sum = b.CreateAdd(sum, b.CreateMul(byte(x, i, s.opcode[1]), byte(y, i, s.opcode[2])));
  return sum;
}

Value* integer_of_three(llvm::IRBuilder<>& b, const PtxStatement& s, llvm::ArrayRef<Value*> v, PtxType type) {
  const StringRef name = s.name();
  if (name == "mad" && s.has("hi")) return b.CreateAdd(high_half(b, v[0], v[1], type, false), v[2]);
  if (name == "mad" && s.has("lo")) return b.CreateAdd(b.CreateMul(v[0], v[1]), v[2]);
  if (name == "mad24" && s.has("lo"))
    return b.CreateAdd(b.CreateMul(low_24_bits(b, v[0], type), low_24_bits(b, v[1], type)), v[2]);
  if (name == "dp4a" && s.opcode.size() == 3) return dot_of_bytes(b, s, v[0], v[1], v[2]);
  if (name == "sad") {
    Value* less = type.is_signed() ? b.CreateICmpSLT(v[0], v[1]) : b.CreateICmpULT(v[0], v[1]);
    return b.CreateAdd(b.CreateSelect(less, b.CreateSub(v[1], v[0]), b.CreateSub(v[0], v[1])), v[2]);
  }
  return nullptr;
}

// Operations whose operands have other types than the statement.
Value* integer_of_mixed(PtxTranslation& t, const PtxStatement& s, PtxType type) {
  llvm::IRBuilder<>& b = t.builder;
  const StringRef name = s.name();
  auto operand = [&](unsigned i, PtxType as) { return i < s.operands.size() ? t.read(s.operands[i], as) : nullptr; };
  const PtxType word{'u', 32};
  Value *x = operand(1, type), *y = operand(2, type), *amount = operand(2, word);
  if ((name == "shl" || name == "shr") && x && amount) return clamped_shift(b, name, x, amount, type);
  if (name == "bfe" && x && amount) {
    Value* length = operand(3, word);
    return length ? extract_field(b, x, amount, length, type) : nullptr;
  }
  if (name == "bfi" && x && y) {
    Value *start = operand(3, word), *length = operand(4, word);
    return start && length ? insert_field(b, x, y, start, length, type) : nullptr;
  }
  Value* z = operand(3, type);
  if (!x || !y || !z) return nullptr;
  if (name == "mad" && s.has("wide")) {
    Value* addend = operand(3, PtxType{type.kind, type.bits * 2});
    return addend ? b.CreateAdd(high_half(b, x, y, type, true), addend) : nullptr;
  }
  if (name == "prmt" && s.opcode.size() == 2) return emit_byte_permute(b, x, y, z);
  if (name == "shf") return funnel_shift(b, s, x, y, z);
  if (name == "lop3") {
    auto* table = llvm::dyn_cast_or_null<llvm::ConstantInt>(operand(4, word));
    return table ? lookup3(b, x, y, z, static_cast<unsigned>(table->getZExtValue())) : nullptr;
  }
  return nullptr;
}

bool nearest_or_exact(const PtxStatement& s) { return !s.has("rz") && !s.has("rm") && !s.has("rp"); }

Value* float_of_one(llvm::IRBuilder<>& b, StringRef name, Value* x) {
  auto unary = [&](llvm::Intrinsic::ID id) { return b.CreateUnaryIntrinsic(id, x); };
  Value* one = llvm::ConstantFP::get(x->getType(), 1.0);
  if (name == "neg") return b.CreateFNeg(x);
  if (name == "abs") return unary(llvm::Intrinsic::fabs);
  if (name == "sqrt") return unary(llvm::Intrinsic::sqrt);
  if (name == "rsqrt") return b.CreateFDiv(one, unary(llvm::Intrinsic::sqrt));
  if (name == "rcp") return b.CreateFDiv(one, x);
  if (name == "ex2") return unary(llvm::Intrinsic::exp2);
  if (name == "lg2") return unary(llvm::Intrinsic::log2);
  if (name == "sin") return unary(llvm::Intrinsic::sin);
  if (name == "cos") return unary(llvm::Intrinsic::cos);
  if (name == "tanh" && x->getType()->isFloatTy()) {  // as lower_libdevice gets it from headers
    llvm::Module* module = b.GetInsertBlock()->getModule();
    return b.CreateCall(module->getOrInsertFunction("__nv_tanhf", x->getType(), x->getType()), {x});
  }
  return nullptr;
}

Value* float_of_two(llvm::IRBuilder<>& b, const PtxStatement& s, Value* x, Value* y) {
  const StringRef name = s.name();
  if (name == "add") return b.CreateFAdd(x, y);
  if (name == "sub") return b.CreateFSub(x, y);
  if (name == "mul") return b.CreateFMul(x, y);
  if (name == "div") return b.CreateFDiv(x, y);
  if (name == "min") return s.has("NaN") ? b.CreateMinimum(x, y) : b.CreateMinNum(x, y);
  if (name == "max") return s.has("NaN") ? b.CreateMaximum(x, y) : b.CreateMaxNum(x, y);
  if (name == "copysign") return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, y, x);
  return nullptr;
}

bool saturated_sum(PtxTranslation& t, const PtxStatement& s, PtxType type) {
  llvm::SmallVector<Value*, 4> v;
  if ((s.name() != "add" && s.name() != "sub") || s.operands.size() != 3 || !read_all(t, s, type, v)) return false;
  const auto operation = s.name() == "add" ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::ssub_sat;
  t.write(s.operands[0], t.builder.CreateBinaryIntrinsic(operation, v[0], v[1]), type);
  return true;
}

}  // namespace

bool translate_ptx_integers(PtxTranslation& t, const PtxStatement& s) {
  PtxType type = type_of(s);
  if (type.is_float() || type.kind == 'p' || s.operands.size() < 2 || s.has("cc") || s.has("relu")) return false;
  if (s.has("sat")) return saturated_sum(t, s, type);
  if (Value* value = integer_of_mixed(t, s, type)) {
    t.write(s.operands[0], value, s.has("wide") ? PtxType{type.kind, type.bits * 2} : type);
    return true;
  }
  llvm::SmallVector<Value*, 4> v;
  if (!read_all(t, s, type, v)) return false;
  Value* value = v.size() == 1   ? integer_of_one(t.builder, s.name(), v[0], type)
                 : v.size() == 2 ? integer_of_two(t.builder, s, v[0], v[1], type)
                 : v.size() == 3 ? integer_of_three(t.builder, s, v, type)
                                 : nullptr;
  if (!value) return false;
  if (s.has("shiftamt")) {
    Value* none = llvm::ConstantInt::getAllOnesValue(value->getType());
    Value* amount = t.builder.CreateSub(llvm::ConstantInt::get(value->getType(), type.bits - 1), value);
    value = t.builder.CreateSelect(t.builder.CreateICmpEQ(value, none), none, amount);
  }
  if (s.has("wide")) type.bits *= 2;
  if (s.name() == "popc" || s.name() == "clz" || s.name() == "bfind") type = {'u', 32};
  t.write(s.operands[0], t.builder.CreateZExtOrTrunc(value, type.of(t.builder)), type);
  return true;
}

bool translate_ptx_floats(PtxTranslation& t, const PtxStatement& s) {
  const PtxType type = type_of(s);
  if (!type.is_float() || s.operands.size() < 2 || !nearest_or_exact(s) || s.has("xorsign")) return false;
  llvm::IRBuilder<>& b = t.builder;
  llvm::SmallVector<Value*, 4> v;
  if (!read_all(t, s, type, v)) return false;
  Value* value = nullptr;
  if (v.size() == 1) value = float_of_one(b, s.name(), v[0]);
  if (v.size() == 2) value = float_of_two(b, s, v[0], v[1]);
  if (v.size() == 3 && (s.name() == "fma" || s.name() == "mad"))
    value = b.CreateIntrinsic(llvm::Intrinsic::fma, {v[0]->getType()}, v);
  if (!value) return false;
  if (s.has("sat")) {
    value = b.CreateMaxNum(value, llvm::ConstantFP::getZero(value->getType()));
    value = b.CreateMinNum(value, llvm::ConstantFP::get(value->getType(), 1.0));
  }
  t.write(s.operands[0], value, type);
  return true;
}

}  // namespace reprise_compiler::device
