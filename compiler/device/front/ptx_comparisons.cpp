// Inline PTX: comparisons, selections, conversions.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Intrinsics.h>

#include "front/ptx_translation.h"
#include "ir/builtin.h"

namespace reprise_compiler::device {
namespace {

using llvm::CmpInst;
using llvm::StringRef;
using llvm::Value;

std::optional<CmpInst::Predicate> integer_relation(StringRef name, bool is_signed) {
  const auto relation = llvm::StringSwitch<int>(name)
                            .Case("eq", CmpInst::ICMP_EQ)
                            .Case("ne", CmpInst::ICMP_NE)
                            .Cases("lt", "lo", is_signed ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
                            .Cases("le", "ls", is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
                            .Cases("gt", "hi", is_signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
                            .Cases("ge", "hs", is_signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
                            .Default(-1);
  if (relation < 0) return std::nullopt;
  return static_cast<CmpInst::Predicate>(relation);
}

std::optional<CmpInst::Predicate> float_relation(StringRef name) {
  const auto relation = llvm::StringSwitch<int>(name)
                            .Case("eq", CmpInst::FCMP_OEQ)
                            .Case("ne", CmpInst::FCMP_ONE)
                            .Case("lt", CmpInst::FCMP_OLT)
                            .Case("le", CmpInst::FCMP_OLE)
                            .Case("gt", CmpInst::FCMP_OGT)
                            .Case("ge", CmpInst::FCMP_OGE)
                            .Case("equ", CmpInst::FCMP_UEQ)
                            .Case("neu", CmpInst::FCMP_UNE)
                            .Case("ltu", CmpInst::FCMP_ULT)
                            .Case("leu", CmpInst::FCMP_ULE)
                            .Case("gtu", CmpInst::FCMP_UGT)
                            .Case("geu", CmpInst::FCMP_UGE)
                            .Case("num", CmpInst::FCMP_ORD)
                            .Case("nan", CmpInst::FCMP_UNO)
                            .Default(-1);
  if (relation < 0) return std::nullopt;
  return static_cast<CmpInst::Predicate>(relation);
}

bool set_predicate(PtxTranslation& t, const PtxStatement& s, PtxType type) {
  const StringRef name = s.opcode[1];
  const auto relation = type.is_float() ? float_relation(name) : integer_relation(name, type.is_signed());
  Value *x = t.read(s.operands[1], type), *y = t.read(s.operands[2], type);
  if (!relation || !x || !y || s.opcode.size() > 4) return false;
  Value* holds = t.builder.CreateCmp(*relation, x, y);
  const PtxType predicate{'p', 1};
  if (s.operands[0].kind == PtxOperand::pair && s.operands[0].parts.size() == 2) {
    t.write(s.operands[0].parts[0], holds, predicate);
    t.write(s.operands[0].parts[1], t.builder.CreateNot(holds), predicate);
  } else {
    t.write(s.operands[0], holds, predicate);
  }
  return true;
}

// set: all ones, or 1.0, if the relation holds.
bool set_number(PtxTranslation& t, const PtxStatement& s) {
  if (s.opcode.size() < 4 || s.operands.size() != 3) return false;
  const auto to = PtxType::named(s.opcode[s.opcode.size() - 2]), from = PtxType::named(s.opcode.back());
  if (!to || !from || s.opcode.size() != 4) return false;
  const auto relation =
      from->is_float() ? float_relation(s.opcode[1]) : integer_relation(s.opcode[1], from->is_signed());
  Value *x = t.read(s.operands[1], *from), *y = t.read(s.operands[2], *from);
  if (!relation || !x || !y) return false;
  Value* holds = t.builder.CreateCmp(*relation, x, y);
  Value* number = to->is_float() ? t.builder.CreateUIToFP(holds, to->of(t.builder))
                                 : t.builder.CreateSExt(holds, to->of(t.builder));
  t.write(s.operands[0], number, *to);
  return true;
}

// slct: selects one of two values by the sign of a third.
bool select_by_sign(PtxTranslation& t, const PtxStatement& s) {
  const auto type = s.opcode.size() == 3 ? PtxType::named(s.opcode[1]) : std::nullopt;
  if (!type || s.opcode[2] != "s32" || s.operands.size() != 4) return false;
  Value *x = t.read(s.operands[1], *type), *y = t.read(s.operands[2], *type), *sign = t.read(s.operands[3], {'s', 32});
  if (!x || !y || !sign) return false;
  t.write(s.operands[0], t.builder.CreateSelect(t.builder.CreateICmpSGE(sign, t.builder.getInt32(0)), x, y), *type);
  return true;
}

Value* predicate_logic(llvm::IRBuilder<>& b, StringRef name, Value* x, Value* y) {
  if (name == "not") return b.CreateNot(x);
  if (!y) return nullptr;
  if (name == "and") return b.CreateAnd(x, y);
  if (name == "or") return b.CreateOr(x, y);
  return name == "xor" ? b.CreateXor(x, y) : nullptr;
}

// Converts to an integer with the given rounding (rni, rzi, rmi, rpi), clamped to its range.
Value* float_to_integer(llvm::IRBuilder<>& b, const PtxStatement& s, Value* x, PtxType to) {
  const llvm::Intrinsic::ID rounding = s.has("rni")   ? llvm::Intrinsic::roundeven
                                       : s.has("rmi") ? llvm::Intrinsic::floor
                                       : s.has("rpi") ? llvm::Intrinsic::ceil
                                                      : llvm::Intrinsic::trunc;
  x = b.CreateUnaryIntrinsic(rounding, x);
  if (to.is_float()) return x;
  return b.CreateIntrinsic(to.is_signed() ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                           {to.of(b), x->getType()}, {x});
}

// Clamps to the range of a narrower type.
Value* saturated(llvm::IRBuilder<>& b, Value* x, PtxType from, PtxType to) {
  constexpr unsigned room = 66;  // bits that hold signed and unsigned 64-bit values
  llvm::Type* wide = b.getIntNTy(room);
  x = from.is_signed() ? b.CreateSExt(x, wide) : b.CreateZExt(x, wide);
  auto bound = [&](const llvm::APInt& value) {
    return llvm::ConstantInt::get(wide, to.is_signed() ? value.sext(room) : value.zext(room));
  };
  const auto lowest = to.is_signed() ? llvm::APInt::getSignedMinValue(to.bits) : llvm::APInt::getMinValue(to.bits);
  const auto highest = to.is_signed() ? llvm::APInt::getSignedMaxValue(to.bits) : llvm::APInt::getMaxValue(to.bits);
  x = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, bound(lowest));
  return b.CreateTrunc(b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, bound(highest)), to.of(b));
}

Value* converted(llvm::IRBuilder<>& b, const PtxStatement& s, Value* x, PtxType from, PtxType to) {
  if (s.has("sat") && !from.is_float() && !to.is_float()) return saturated(b, x, from, to);
  const bool rounds_otherwise = s.has("rz") || s.has("rm") || s.has("rp") || s.has("sat");
  if (rounds_otherwise) return nullptr;
  const bool whole = s.has("rni") || s.has("rzi") || s.has("rmi") || s.has("rpi");
  if (from.is_float() && (whole || !to.is_float())) return float_to_integer(b, s, x, to);
  if (from.is_float()) return b.CreateFPCast(x, to.of(b));
  if (to.is_float()) return from.is_signed() ? b.CreateSIToFP(x, to.of(b)) : b.CreateUIToFP(x, to.of(b));
  return from.is_signed() ? b.CreateSExtOrTrunc(x, to.of(b)) : b.CreateZExtOrTrunc(x, to.of(b));
}

bool ask_space(PtxTranslation& t, const PtxStatement& s) {
  const Builtin query = s.opcode.size() == 2 ? space_query(s.opcode[1]) : Builtin::none;
  if (query == Builtin::none || s.operands.size() != 2) return false;
  Value* address = t.read(s.operands[1], {'u', 64});
  if (!address) return false;
  llvm::IRBuilder<>& b = t.builder;
  Value* answer = call_builtin(b, query, {b.CreateIntToPtr(address, b.getPtrTy())});
  t.write(s.operands[0], b.CreateIsNotNull(answer), {'p', 1});
  return true;
}

}  // namespace

bool translate_ptx_comparisons(PtxTranslation& t, const PtxStatement& s) {
  const PtxType type = type_of(s);
  if (s.name() == "setp" && s.operands.size() == 3) return set_predicate(t, s, type);
  if (s.name() == "selp" && s.operands.size() == 4) {
    Value *x = t.read(s.operands[1], type), *y = t.read(s.operands[2], type), *p = t.read(s.operands[3], {'p', 1});
    if (!x || !y || !p) return false;
    t.write(s.operands[0], t.builder.CreateSelect(p, x, y), type);
    return true;
  }
  if (s.name() == "isspacep") return ask_space(t, s);
  if (s.name() == "set") return set_number(t, s);
  if (s.name() == "slct") return select_by_sign(t, s);
  if (type.kind != 'p' || s.operands.size() < 2) return false;
  Value* x = t.read(s.operands[1], type);
  Value* y = s.operands.size() > 2 ? t.read(s.operands[2], type) : nullptr;
  Value* value = x ? predicate_logic(t.builder, s.name(), x, y) : nullptr;
  if (value) t.write(s.operands[0], value, type);
  return value != nullptr;
}

bool translate_ptx_conversions(PtxTranslation& t, const PtxStatement& s) {
  if (s.operands.size() != 2) return false;
  // All address spaces are one.
  if (s.name() == "cvta") {
    Value* address = t.read(s.operands[1], type_of(s));
    if (address) t.write(s.operands[0], address, type_of(s));
    return address != nullptr;
  }
  if (s.name() != "cvt" || s.opcode.size() < 3) return false;
  const auto to = PtxType::named(s.opcode[s.opcode.size() - 2]), from = PtxType::named(s.opcode.back());
  Value* value = to && from ? t.read(s.operands[1], *from) : nullptr;
  value = value ? converted(t.builder, s, value, *from, *to) : nullptr;
  if (value) t.write(s.operands[0], value, *to);
  return value != nullptr;
}

}  // namespace reprise_compiler::device
