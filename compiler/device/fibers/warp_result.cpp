#include "fibers/warp_result.h"

#include <llvm/IR/Instructions.h>

#include "ir/thread_arguments.h"
#include "ir/warp_builtins.h"

namespace reprise_compiler::device {
namespace {

using llvm::Value;

Value* load_slots(llvm::IRBuilderBase& b, Value* slots) {
  auto* type = llvm::FixedVectorType::get(b.getInt64Ty(), warp_size);
  return b.CreateAlignedLoad(type, slots, llvm::Align(8));
}

// i32 with a bit for each lane of a <32 x i1>.
Value* bits(llvm::IRBuilderBase& b, Value* predicates) { return b.CreateBitCast(predicates, b.getInt32Ty()); }

Value* lanes_equal_to(llvm::IRBuilderBase& b, const WarpOperation& o, Value* value) {
  return bits(b, b.CreateICmpEQ(load_slots(b, o.slots), b.CreateVectorSplat(warp_size, value)));
}

// A lane that does not participate gives 0, as on a GPU; CUDA samples rely on it in partial warps.
Value* shuffle(llvm::IRBuilderBase& b, const WarpOperation& o) {
  const SourceLane source =
      source_lane(b, o.call->getArgOperand(0), o.lane, o.call->getArgOperand(3), o.call->getArgOperand(4));
  Value* address = b.CreateInBoundsGEP(b.getInt64Ty(), o.slots, b.CreateZExt(source.lane, b.getInt64Ty()));
  Value* value = b.CreateTrunc(b.CreateLoad(b.getInt64Ty(), address), o.call->getType());
  Value* taking_part = b.CreateAnd(o.call->getArgOperand(1), o.live);
  Value* from_one = b.CreateTrunc(b.CreateLShr(taking_part, source.lane), b.getInt1Ty());
  return b.CreateSelect(from_one, value, llvm::Constant::getNullValue(o.call->getType()));
}

Value* ballot(llvm::IRBuilderBase& b, const WarpOperation& o) {
  auto* type = llvm::FixedVectorType::get(b.getInt64Ty(), warp_size);
  Value* set = bits(b, b.CreateICmpNE(load_slots(b, o.slots), llvm::Constant::getNullValue(type)));
  return b.CreateAnd(set, b.CreateAnd(o.call->getArgOperand(0), o.live));
}

Value* match_all(llvm::IRBuilderBase& b, const WarpOperation& o) {
  Value* mask = b.CreateAnd(o.call->getArgOperand(0), o.live);
  Value* own = contribution(b, *o.call, o.builtin);
  Value* all = b.CreateICmpEQ(b.CreateAnd(lanes_equal_to(b, o, own), mask), mask);
  b.CreateStore(b.CreateZExt(all, b.getInt32Ty()), o.call->getArgOperand(2));
  return b.CreateSelect(all, mask, b.getInt32(0));
}

Value* reduce(llvm::IRBuilderBase& b, const WarpOperation& o) {
  Value* mask = b.CreateAnd(o.call->getArgOperand(1), o.live);
  auto* words = llvm::FixedVectorType::get(b.getInt32Ty(), warp_size);
  return reduce_lanes(b, o.call->getArgOperand(0), b.CreateTrunc(load_slots(b, o.slots), words), mask);
}

}  // namespace

Value* contribution(llvm::IRBuilderBase& b, const llvm::CallInst& call, Builtin builtin) {
  auto wide = [&](unsigned operand) { return b.CreateZExt(call.getArgOperand(operand), b.getInt64Ty()); };
  switch (builtin) {
    case Builtin::shuffle32:
    case Builtin::shuffle64:
    case Builtin::reduce32:
      return wide(2);
    case Builtin::ballot:
    case Builtin::match_any32:
    case Builtin::match_any64:
    case Builtin::match_all32:
    case Builtin::match_all64:
      return wide(1);
    default:
      return nullptr;
  }
}

Value* emit_warp_result(llvm::IRBuilderBase& b, const WarpOperation& o) {
  switch (o.builtin) {
    case Builtin::shuffle32:
    case Builtin::shuffle64:
      return shuffle(b, o);
    case Builtin::ballot:
      return ballot(b, o);
    case Builtin::match_any32:
    case Builtin::match_any64:
      return b.CreateAnd(lanes_equal_to(b, o, contribution(b, *o.call, o.builtin)),
                         b.CreateAnd(o.call->getArgOperand(0), o.live));
    case Builtin::match_all32:
    case Builtin::match_all64:
      return match_all(b, o);
    case Builtin::reduce32:
      return reduce(b, o);
    default:
      return nullptr;
  }
}

}  // namespace reprise_compiler::device
