#include "ir/warp_builtins.h"

#include <llvm/ADT/StringSwitch.h>

#include "ir/builtin.h"

namespace reprise_compiler::device {

using llvm::Value;

ShuffleMode shuffle_mode(llvm::StringRef ptx_name) {
  return llvm::StringSwitch<ShuffleMode>(ptx_name)
      .Case("up", ShuffleMode::up)
      .Case("down", ShuffleMode::down)
      .Case("bfly", ShuffleMode::exclusive_or)
      .Default(ShuffleMode::index);
}

Value* width_of_clamp(llvm::IRBuilderBase& b, Value* clamp) {
  return b.CreateSub(b.getInt32(32), b.CreateAnd(b.CreateLShr(clamp, 8), b.getInt32(31)));
}

Value* emit_shuffle(llvm::IRBuilderBase& b, const ShuffleOperands& o) {
  const Builtin builtin = o.value->getType()->isIntegerTy(64) ? Builtin::shuffle64 : Builtin::shuffle32;
  return call_builtin(b, builtin, {b.getInt32(int(o.mode)), o.mask, o.value, o.lane_or_delta, o.width});
}

SourceLane source_lane(llvm::IRBuilderBase& b, Value* mode, Value* lane, Value* lane_or_delta, Value* width) {
  Value* delta = b.CreateAnd(lane_or_delta, b.getInt32(31));
  Value* within = b.CreateSub(width, b.getInt32(1));
  Value* first = b.CreateAnd(lane, b.CreateNot(within));
  Value* last = b.CreateOr(first, within);
  auto is = [&](ShuffleMode m) { return b.CreateICmpEQ(mode, b.getInt32(int(m))); };
  Value* picked = b.CreateOr(first, b.CreateAnd(delta, within));
  Value* below = b.CreateSub(lane, delta);
  Value* above = b.CreateAdd(lane, delta);
  Value* crossed = b.CreateXor(lane, delta);
  Value* source =
      b.CreateSelect(is(ShuffleMode::index), picked,
                     b.CreateSelect(is(ShuffleMode::up), below, b.CreateSelect(is(ShuffleMode::down), above, crossed)));
  Value* in_range = b.CreateSelect(is(ShuffleMode::up), b.CreateICmpSGE(source, first), b.CreateICmpSLE(source, last));
  return {b.CreateSelect(in_range, source, lane), in_range};
}

Value* shuffle_in_range(llvm::IRBuilderBase& b, const ShuffleOperands& o) {
  return source_lane(b, b.getInt32(int(o.mode)), call_builtin(b, Builtin::lane), o.lane_or_delta, o.width).in_range;
}

Value* emit_vote(llvm::IRBuilderBase& b, llvm::StringRef kind, Value* mask, Value* predicate) {
  auto ballot = [&](Value* p) { return call_builtin(b, Builtin::ballot, {mask, b.CreateZExt(p, b.getInt32Ty())}); };
  if (kind == "ballot") return ballot(predicate);
  if (kind == "any") return b.CreateICmpNE(ballot(predicate), b.getInt32(0));
  Value* none_false = b.CreateICmpEQ(ballot(b.CreateNot(predicate)), b.getInt32(0));
  if (kind == "all") return none_false;
  Value* none_true = b.CreateICmpEQ(ballot(predicate), b.getInt32(0));
  return kind == "uni" ? b.CreateOr(none_false, none_true) : nullptr;
}

Value* emit_match_all(llvm::IRBuilderBase& b, Value* mask, Value* value) {
  const Builtin builtin = value->getType()->isIntegerTy(64) ? Builtin::match_all64 : Builtin::match_all32;
  llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  Value* predicate = at_entry.CreateAlloca(b.getInt32Ty());
  Value* lanes = call_builtin(b, builtin, {mask, value, predicate});
  Value* all = b.CreateICmpNE(b.CreateLoad(b.getInt32Ty(), predicate), b.getInt32(0));
  Value* pair = llvm::PoisonValue::get(llvm::StructType::get(b.getInt32Ty(), b.getInt1Ty()));
  return b.CreateInsertValue(b.CreateInsertValue(pair, lanes, 0), all, 1);
}

Value* emit_reduce(llvm::IRBuilderBase& b, llvm::StringRef operation, Value* mask, Value* value) {
  const int code = llvm::StringSwitch<int>(operation)
                       .Case("add", 0)
                       .Case("min", 1)
                       .Case("max", 2)
                       .Case("umin", 3)
                       .Case("umax", 4)
                       .Case("and", 5)
                       .Case("or", 6)
                       .Case("xor", 7)
                       .Default(-1);
  if (code < 0) return nullptr;
  return call_builtin(b, Builtin::reduce32, {b.getInt32(code), mask, value});
}

Value* reduce_lanes(llvm::IRBuilderBase& b, Value* operation, Value* values, Value* lanes) {
  Value* taken = b.CreateBitCast(lanes, llvm::FixedVectorType::get(b.getInt1Ty(), 32));
  auto over_taken = [&](uint32_t identity) {
    return b.CreateSelect(taken, values, b.CreateVectorSplat(32, b.getInt32(identity)));
  };
  auto reduce = [&](unsigned code) -> Value* {
    switch (code) {
      case 0:
        return b.CreateAddReduce(over_taken(0));
      case 1:
        return b.CreateIntMinReduce(over_taken(0x7fffffff), true);
      case 2:
        return b.CreateIntMaxReduce(over_taken(0x80000000), true);
      case 3:
        return b.CreateIntMinReduce(over_taken(0xffffffff), false);
      case 4:
        return b.CreateIntMaxReduce(over_taken(0), false);
      case 5:
        return b.CreateAndReduce(over_taken(0xffffffff));
      case 6:
        return b.CreateOrReduce(over_taken(0));
      default:
        return b.CreateXorReduce(over_taken(0));
    }
  };
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operation)) return reduce(unsigned(constant->getZExtValue()));
  Value* result = reduce(0);
  for (unsigned code = 1; code < 8; ++code)
    result = b.CreateSelect(b.CreateICmpEQ(operation, b.getInt32(code)), reduce(code), result);
  return result;
}

Value* emit_byte_permute(llvm::IRBuilderBase& b, Value* low, Value* high, Value* selector) {
  Value* bytes = b.CreateOr(b.CreateZExt(low, b.getInt64Ty()), b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32));
  Value* result = b.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value* nibble = b.CreateAnd(b.CreateLShr(selector, 4 * i), b.getInt32(15));
    Value* place = b.CreateShl(b.CreateAnd(nibble, b.getInt32(7)), 3);
    Value* byte = b.CreateTrunc(b.CreateLShr(bytes, b.CreateZExt(place, b.getInt64Ty())), b.getInt8Ty());
    Value* sign = b.CreateAShr(byte, b.getInt8(7));
    byte = b.CreateSelect(b.CreateICmpNE(b.CreateAnd(nibble, b.getInt32(8)), b.getInt32(0)), sign, byte);
    result = b.CreateOr(result, b.CreateShl(b.CreateZExt(byte, b.getInt32Ty()), 8 * i));
  }
  return result;
}

}  // namespace reprise_compiler::device
